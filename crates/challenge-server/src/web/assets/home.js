// The page of the contest: draws standings, games under way and results, and asks the server for new ones every
// `EVERY` milliseconds.

import { buttonById, byId, dataIn, element, selectById } from "../../../../arena/src/report/assets/dom.js";
import { ask, nameOf, PHASES } from "./common.js";

/** @typedef {import("./types.d.ts").State} State */
/** @typedef {import("./types.d.ts").Names} Names */
/** @typedef {import("./types.d.ts").Result} Result */
/** @typedef {import("./types.d.ts").Pair} Pair */

const EVERY = 2000;
const SHOWN = 30;
// The results on the page, and the choices they depend on. With `more`, older results were loaded too, and a refresh
// leaves the list alone.
const shown = { games: /** @type {Result[]} */ ([]), team: "", names: /** @type {Names} */ ({}), more: false, teams: /** @type {number[]} */ ([]) };

/** @param {string | number | Node} head @param {...Node} cells */
const row = (head, ...cells) => element("tr", {}, element("th", { scope: "row" }, head), ...cells);
/** @param {string | number | null} value @param {Record<string, string>} attributes */
const number = (value, attributes = {}) => element("td", { class: "n", ...attributes }, value);
/** @param {Pair} pair */
const score = ([a, b]) => `${a} : ${b}`;
/** @param {number} id */
const gameLink = id => element("a", { href: `/game/${id}` }, id);

/** A time as hours, minutes and seconds: 3725 gives `1:02:05`.
 * @param {number} seconds */
function clock(seconds) {
  const whole = Math.round(seconds);
  /** @param {number} n */
  const pad = n => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return `${hours ? `${hours}:` : ""}${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`;
}

/** @param {State | null} state @param {number} total */
function figures(state, total) {
  if (!state) return [element("li", {}, element("b", {}, total), " games")];
  const here = state.teams.filter(team => team.online).length;
  const left = state.ends_in === null ? "" : `, ${clock(state.ends_in)} left`;
  return [
    element("li", { class: state.phase === "over" ? "complete" : "unfinished" }, PHASES[state.phase] + left),
    element("li", {}, element("b", {}, here), ` of ${state.teams.length} teams connected`),
    element("li", {}, element("b", {}, state.games), " games"),
    element("li", {}, element("b", {}, state.live.length), " under way"),
  ];
}

/** @param {State} state @param {Names} names */
function standings(state, names) {
  return state.teams.map((team, place) => {
    const title = team.online ? "connected" : "not connected";
    const mark = element("span", { class: team.online ? "dot on" : "dot", title, role: "img", "aria-label": title });
    const crown = state.champion === team.id ? element("span", { class: "good" }, " champion") : null;
    const played = team.won + team.lost > 0;
    return row(played ? place + 1 : "–", element("td", { class: "team" }, mark, names[team.id] || `team ${team.id}`, crown),
      number(played ? `${Math.round(team.rating)} ± ${Math.round(team.margin)}` : "–"), number(score([team.won, team.lost])),
      number(score([team.rounds_won, team.rounds_lost])));
  });
}

/** @param {State} state @param {Names} names */
function underWay(state, names) {
  return state.live.map(game => row(gameLink(game.id),
    element("td", { class: "team" }, nameOf(names, game, 0)), element("td", { class: "team" }, nameOf(names, game, 1)),
    number(score(game.points)), number(score(game.tricks)), number(game.hand), number(score(game.round)),
    element("td", {}, [game.is_final ? "final" : "", game.in_challenge ? "challenge" : ""].filter(Boolean).join(", "))));
}

/** @param {Result[]} games @param {Names} names */
function results(games, names) {
  return games.map(game => {
    /** @param {number} seat */
    const team = seat => element("td", { class: seat === game.winner ? "team won" : "team" }, nameOf(names, game, seat));
    const remarks = [game.is_final ? "final" : "", game.by_challenge ? "by a challenge" : ""];
    if (game.faults) remarks.push(`${game.faults} ${game.faults === 1 ? "fault" : "faults"}`);
    return row(gameLink(game.id), team(0), team(1), number(score(game.points)), number(game.hands),
      number(game.round ? score(game.round) : "–"), element("td", {}, remarks.filter(Boolean).join(", ")));
  });
}

/** The stages of the final, side by side: who met whom, with the games that each has won.
 * @param {State} state @param {Names} names */
function bracket(state, names) {
  /** @param {number} id */
  const team = id => names[id] || `team ${id}`;
  /** @param {import("./types.d.ts").Match} one @param {0 | 1} seat */
  const side = (one, seat) => element("span", { class: one.winner === one.teams[seat] ? "side won" : "side" },
    element("span", { class: "name" }, team(one.teams[seat])), element("b", {}, one.games[seat]));
  return state.stages.filter(stage => stage.seeds.length > 1).map((stage, i) => element("section", { class: "round" },
    element("h3", {}, `stage ${i + 1}`),
    ...stage.matches.map(one => element("div", { class: one.winner === null ? "match open" : "match" }, side(one, 0), side(one, 1))),
    stage.bye === null ? null : element("div", { class: "match" }, element("span", { class: "side" }, element("span", { class: "name" }, team(stage.bye)), "goes on"))));
}

/** @param {State} state @param {Names} names */
function final(state, names) {
  if (!state.stages.length) return "";
  /** @param {number} id */
  const name = id => names[id] || `team ${id}`;
  const open = "The standings below are those of open play.";
  if (state.champion === null) return `The final: a match is a round, five games ahead or 21 won. ${open}`;
  const places = state.placing.map((id, i) => `${i + 1} ${name(id)}`).join(", ");
  return `${name(state.champion)} has won the contest. The result of the final: ${places}. ${open}`;
}

/** Every team's games against every other one, in the order of the standings.
 * @param {import("./types.d.ts").Meeting[]} meetings @param {number[]} teams @param {Names} names */
function headToHead(meetings, teams, names) {
  /** @type {Map<string, Pair>} */
  const wins = new Map(meetings.flatMap(({ teams: [a, b], wins }) => /** @type {[string, Pair][]} */ ([[`${a} ${b}`, wins], [`${b} ${a}`, [wins[1], wins[0]]]])));
  /** @param {number} id */
  const name = id => names[id] || `team ${id}`;
  /** @param {number} row @param {number} column */
  const cell = (row, column) => {
    const one = wins.get(`${row} ${column}`);
    return number(one ? score(one) : row === column ? "" : "–", { title: `${name(row)} – ${name(column)}` });
  };
  const head = element("tr", {}, element("th", {}), ...teams.map((id, i) => element("th", { class: "n", title: name(id) }, i + 1)));
  return [head, ...teams.map((id, i) => row(element("span", { class: "name" }, `${i + 1} ${name(id)}`), ...teams.map(other => cell(id, other))))];
}

async function showMeetings() {
  if (!byId("meetings").hasAttribute("open")) return;
  const answer = await ask("/api/head-to-head");
  if (answer && answer.status === 200) byId("meeting-rows").replaceChildren(...headToHead(answer.data.meetings, shown.teams, shown.names));
}

/** A sentence about the last void games, if there are any.
 * @param {State} state @param {Names} names */
function voided(state, names) {
  const last = state.void.slice(-5).map(({ id, teams }) => `${id} (${teams.map(team => names[team] || `team ${team}`).join(" – ")})`);
  return last.length ? `Void, because the server stopped during these games: ${last.join(", ")}.` : "";
}

/** @param {import("./types.d.ts").Shown} news */
function show({ state, names, recent, total }) {
  shown.names = names;
  byId("figures").replaceChildren(...figures(state, total));
  if (state) {
    byId("standing-rows").replaceChildren(...standings(state, names));
    byId("live-rows").replaceChildren(...underWay(state, names));
    byId("live-none").hidden = state.live.length > 0;
    byId("live-table").hidden = state.live.length === 0;
    byId("final").textContent = final(state, names);
    byId("bracket").replaceChildren(...bracket(state, names));
    byId("void").textContent = voided(state, names);
    shown.teams = state.teams.map(team => team.id);
    showMeetings();
  }
  choices(names);
  if (!shown.more && !shown.team) showGames(recent, recent.length < total);
}

/** @param {Names} names */
function choices(names) {
  const select = selectById("by-team"), teams = Object.keys(names).map(Number);
  byId("filter").hidden = teams.length === 0;
  if (select.options.length === teams.length + 1) return;
  select.replaceChildren(element("option", { value: "" }, "all teams"), ...teams.map(id => element("option", { value: id }, names[id])));
}

/** @param {Result[]} games @param {boolean} more */
function showGames(games, more) {
  shown.games = games;
  byId("result-rows").replaceChildren(...results(games, shown.names));
  byId("result-none").hidden = games.length > 0;
  byId("older").hidden = !more;
}

/** Loads results: the latest ones if `fresh`, otherwise those before the last one shown.
 * @param {boolean} fresh */
async function older(fresh) {
  const { team, more } = shown;
  const last = shown.games[shown.games.length - 1];
  const query = new URLSearchParams({ limit: String(SHOWN) });
  if (!fresh && last) query.set("before", String(last.id));
  if (team) query.set("team", team);
  if (!fresh) buttonById("older").disabled = true;
  const answer = await ask(`/api/games?${query}`);
  if (!fresh) buttonById("older").disabled = false;
  if (!answer || answer.status !== 200) return;
  // Meanwhile another team may have been chosen, or older games loaded: the answer must follow the last game shown.
  if (team !== shown.team || (fresh ? more !== shown.more : last?.id !== shown.games[shown.games.length - 1]?.id)) return;
  shown.more = !fresh;
  showGames(fresh ? answer.data.games : [...shown.games, ...answer.data.games], answer.data.more);
}

async function refresh() {
  if (shown.team && !shown.more) await older(true);
  const answer = await ask("/api/state");
  // An answer of another status tells an error.
  const news = answer && answer.status === 200 ? answer.data : null;
  byId("stale").hidden = Boolean(news);
  if (news) show(news);
}

async function follow() {
  // A page that nobody sees asks for nothing.
  if (!document.hidden) await refresh();
  setTimeout(follow, EVERY);
}

byId("older").addEventListener("click", () => older(false));
byId("by-team").addEventListener("change", () => { shown.team = selectById("by-team").value; shown.more = false; older(true); });
document.getElementById("meetings")?.addEventListener("toggle", showMeetings);
show(dataIn("state-data"));
document.documentElement.dataset.ready = "yes";
setTimeout(follow, EVERY);
