// Standings, games under way and results, asked for again and again.

const EVERY = 2000;
const SHOWN = 30;
const shown = { games: [], team: "", names: {}, more: false, teams: [] };

const row = (head, ...cells) => html("tr", {}, html("th", { scope: "row" }, head), ...cells);
const number = (value, attributes = {}) => html("td", { class: "n", ...attributes }, value);
const score = ([a, b]) => `${a} : ${b}`;
const gameLink = (id, text = id) => html("a", { href: `/game/${id}` }, text);

function clock(seconds) {
  const whole = Math.round(seconds);
  const pad = n => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return `${hours ? `${hours}:` : ""}${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`;
}

function figures(state, total) {
  if (!state) return [html("li", {}, html("b", {}, total), " games")];
  const here = state.teams.filter(team => team.online).length;
  const left = state.ends_in === null ? "" : `, ${clock(state.ends_in)} left`;
  return [
    html("li", { class: state.phase === "over" ? "complete" : "unfinished" }, PHASES[state.phase] + left),
    html("li", {}, html("b", {}, here), ` of ${state.teams.length} teams connected`),
    html("li", {}, html("b", {}, state.games), " games"),
    html("li", {}, html("b", {}, state.live.length), " under way"),
  ];
}

function standings(state, names) {
  return state.teams.map((team, place) => {
    const title = team.online ? "connected" : "not connected";
    const mark = html("span", { class: team.online ? "dot on" : "dot", title, role: "img", "aria-label": title });
    const crown = state.champion === team.id ? html("span", { class: "good" }, " champion") : null;
    const played = team.won + team.lost > 0;
    return row(played ? place + 1 : "–", html("td", { class: "team" }, mark, names[team.id] || `team ${team.id}`, crown),
      number(played ? `${Math.round(team.rating)} ± ${Math.round(team.margin)}` : "–"), number(score([team.won, team.lost])),
      number(score([team.rounds_won, team.rounds_lost])));
  });
}

function underWay(state, names) {
  return state.live.map(game => row(gameLink(game.id),
    html("td", { class: "team" }, nameOf(names, game, 0)), html("td", { class: "team" }, nameOf(names, game, 1)),
    number(score(game.points)), number(score(game.tricks)), number(game.hand), number(score(game.round)),
    html("td", {}, [game.is_final ? "final" : "", game.in_challenge ? "challenge" : ""].filter(Boolean).join(", "))));
}

function results(games, names) {
  return games.map(game => {
    const team = seat => html("td", { class: seat === game.winner ? "team won" : "team" }, nameOf(names, game, seat));
    const remarks = [game.is_final ? "final" : "", game.by_challenge ? "by a challenge" : ""];
    if (game.faults) remarks.push(`${game.faults} ${game.faults === 1 ? "fault" : "faults"}`);
    return row(gameLink(game.id), team(0), team(1), number(score(game.points)), number(game.hands),
      number(game.round ? score(game.round) : "–"), html("td", {}, remarks.filter(Boolean).join(", ")));
  });
}

// The stages of the final, side by side: who met whom, with the games that each has won.
function bracket(state, names) {
  const team = id => names[id] || `team ${id}`;
  const side = (one, seat) => html("span", { class: one.winner === one.teams[seat] ? "side won" : "side" },
    html("span", { class: "name" }, team(one.teams[seat])), html("b", {}, one.games[seat]));
  return state.stages.filter(stage => stage.seeds.length > 1).map((stage, i) => html("section", { class: "round" },
    html("h3", {}, `stage ${i + 1}`),
    ...stage.matches.map(one => html("div", { class: one.winner === null ? "match open" : "match" }, side(one, 0), side(one, 1))),
    stage.bye === null ? null : html("div", { class: "match" }, html("span", { class: "side" }, html("span", { class: "name" }, team(stage.bye)), "goes on"))));
}

function final(state, names) {
  if (state.champion !== null) return `${names[state.champion] || `team ${state.champion}`} has won the contest.`;
  return state.stages.length ? "The final: a match is a round, five games ahead or 21 won." : "";
}

// Every team's games against every other one, in the order of the standings.
function headToHead(meetings, teams, names) {
  const wins = new Map(meetings.flatMap(({ teams: [a, b], wins }) => [[`${a} ${b}`, wins], [`${b} ${a}`, [wins[1], wins[0]]]]));
  const name = id => names[id] || `team ${id}`;
  const cell = (row, column) => {
    const one = wins.get(`${row} ${column}`);
    return number(one ? score(one) : row === column ? "" : "–", { title: `${name(row)} – ${name(column)}` });
  };
  const head = html("tr", {}, html("th", {}), ...teams.map((id, i) => html("th", { class: "n", title: name(id) }, i + 1)));
  return [head, ...teams.map((id, i) => row(html("span", { class: "name" }, `${i + 1} ${name(id)}`), ...teams.map(other => cell(id, other))))];
}

async function showMeetings() {
  if (!byId("meetings").open) return;
  const answer = await ask("/api/head-to-head");
  if (answer && answer.status === 200) byId("meeting-rows").replaceChildren(...headToHead(answer.data.meetings, shown.teams, shown.names));
}

function voided(state, names) {
  const last = state.void.slice(-5).map(({ id, teams }) => `${id} (${teams.map(team => names[team] || `team ${team}`).join(" – ")})`);
  return last.length ? `Void, because the server was stopped in them: games ${last.join(", ")}.` : "";
}

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

function choices(names) {
  const select = byId("by-team"), teams = Object.keys(names);
  byId("filter").hidden = teams.length === 0;
  if (select.options.length === teams.length + 1) return;
  select.replaceChildren(html("option", { value: "" }, "all teams"), ...teams.map(id => html("option", { value: id }, names[id])));
}

function showGames(games, more) {
  shown.games = games;
  byId("result-rows").replaceChildren(...results(games, shown.names));
  byId("result-none").hidden = games.length > 0;
  byId("older").hidden = !more;
}

async function older(fresh) {
  const last = shown.games[shown.games.length - 1];
  const query = new URLSearchParams({ limit: SHOWN });
  if (!fresh && last) query.set("before", last.id);
  if (shown.team) query.set("team", shown.team);
  const answer = await ask(`/api/games?${query}`);
  if (!answer || answer.status !== 200) return;
  shown.more = !fresh;
  showGames(fresh ? answer.data.games : [...shown.games, ...answer.data.games], answer.data.more);
}

async function refresh() {
  if (shown.team && !shown.more) await older(true);
  const answer = await ask("/api/state");
  byId("stale").hidden = Boolean(answer);
  if (answer) show(answer.data);
}

async function follow() {
  // Nobody looks: nobody is asked.
  if (!document.hidden) await refresh();
  setTimeout(follow, EVERY);
}

byId("older").addEventListener("click", () => older(false));
byId("by-team").addEventListener("change", event => { shown.team = event.target.value; shown.more = false; older(true); });
if (byId("meetings")) byId("meetings").addEventListener("toggle", showMeetings);
show(JSON.parse(byId("state-data").textContent));
document.documentElement.dataset.ready = "yes";
setTimeout(follow, EVERY);
