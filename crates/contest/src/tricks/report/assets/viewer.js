// The replay of rounds: which round and card is shown.

import { byId, dataIn, element, inputById, selectById } from "../../../../../arena/src/report/assets/dom.js";
import { addressed, replayControls } from "../../../../../arena/src/report/assets/replay_controls.js";
import { cardsIn, sorted, symbolOf } from "./cards.js";

/** A round of a report; see `tricks/report/replay.rs`.
 * @typedef {object} Round
 * @property {string} id
 * @property {number[]} p the participants by seat
 * @property {string[]} hands as dealt
 * @property {string} pool the open cards
 * @property {string} c the cards in the order of play
 * @property {string} s who played them, a digit a card
 * @property {(number | null)[]} ms what each took; none where a random card stood in
 * @property {number[][]} t the points after each trick
 * @property {number[]} w the points of the round
 * @property {{ p: number, a: number, kind: string, detail: string }[]} [f] faults
 */

const data = /** @type {{ rounds: Round[], all: number, players: string[], seats: string[] }} */ (dataIn("rounds-data"));
const view = { round: -1, list: /** @type {number[]} */ ([]) };
const PAUSE = 700;

/** @param {string} card @param {string} kind */
const cardOf = (card, kind = "") => element("span", { class: `card ${card[0]} ${kind}` }, symbolOf(card));
const current = () => data.rounds[view.round];
/** @param {Round} round */
const lengthOf = round => cardsIn(round.c).length;

/** The position before a card: what everybody holds, what is on the table, who acts.
 * @param {Round} round @param {number} number */
function position(round, number) {
  const cards = cardsIn(round.c), players = round.p.length;
  /** @returns {(string | null)[]} */
  const nobody = () => round.p.map(() => null);
  const hands = round.hands.map(hand => cardsIn(hand));
  let pool = cardsIn(round.pool), table = nobody(), taking = pool.length > 0;
  for (let i = 0; i < number; i += 1) {
    const seat = +round.s[i], card = cards[i];
    if (i % players === 0) { table = nobody(); taking = pool.length > 0; }
    if (taking) { pool = pool.filter(c => c !== card); hands[seat].push(card); } else hands[seat] = hands[seat].filter(c => c !== card);
    table[seat] = card;
  }
  const rows = Math.floor(number / players);
  const points = rows > 0 ? round.t[rows - 1] : round.p.map(() => 0);
  const over = number === cards.length;
  return { hands: hands.map(sorted), pool: sorted(pool), table, points: over ? round.w : points, taking, turn: over ? -1 : +round.s[number], over };
}

/** @param {Round} round @param {number} number @param {{ taking: boolean }} state */
function captionOf(round, number, state) {
  if (number === 0) return `Round ${round.id}: the deal`;
  const card = cardsIn(round.c)[number - 1], seat = +round.s[number - 1], ms = round.ms[number - 1];
  const verb = state.taking ? "takes" : "plays";
  if (ms === undefined) return `Round ${round.id}: ${data.seats[seat]} (${data.players[round.p[seat]]}) ${verb} ${symbolOf(card)}`;
  const time = ms === null ? "a random card stands in" : `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
  return `Round ${round.id}: ${data.seats[seat]} (${data.players[round.p[seat]]}) ${verb} ${symbolOf(card)}, ${time}`;
}

/** @param {number} number */
function draw(number) {
  const round = current(), state = position(round, number);
  byId("caption").textContent = captionOf(round, number, state);
  const last = number > 0 ? cardsIn(round.c)[number - 1] : "";
  byId("table").replaceChildren(...round.p.map((player, seat) => {
    const hand = state.hands[seat].map(card => cardOf(card, state.taking && card === last ? "new" : ""));
    const played = state.table[seat], table = played ? [cardOf(played, played === last ? "new" : "")] : [];
    return element("tr", { class: state.turn === seat ? "turn" : "" },
      element("th", { scope: "row" }, data.seats[seat]), element("td", {}, data.players[player]),
      element("td", { class: "n" }, String(state.points[seat])), element("td", {}, ...table), element("td", {}, ...hand));
  }));
  byId("pool").hidden = !state.pool.length;
  byId("pool").replaceChildren("pool ", ...state.pool.map(card => cardOf(card)));
  document.querySelectorAll("#tricks button").forEach((button, row) => {
    const at = row * round.p.length;
    button.setAttribute("aria-current", number > at && number <= at + round.p.length ? "step" : "false");
  });
  byId("stage").dataset.state = JSON.stringify({
    hands: state.hands.map(hand => hand.join(" ")), pool: state.pool.join(" "), points: state.points, turn: state.turn,
  });
}

/** @param {Round} round */
function rowsOf(round) {
  const cards = cardsIn(round.c), players = round.p.length;
  const rows = [];
  for (let at = 0; at < cards.length; at += players) {
    const button = element("button", { type: "button" }, `${data.seats[+round.s[at]]}: `,
      ...cards.slice(at, at + players).map(card => cardOf(card)));
    button.addEventListener("click", () => controls.jump(at + players));
    const item = element("li", {}, button);
    for (const fault of (round.f || []).filter(f => f.a > at && f.a <= at + players)) {
      item.append(element("div", { class: "fault" }, `⚠ ${data.seats[fault.p]}: ${fault.kind}: ${fault.detail}`));
    }
    rows.push(item);
  }
  return rows;
}

const controls = replayControls({
  pause: PAUSE,
  draw,
  address: number => `round=${encodeURIComponent(current().id)}&card=${number}`,
  follow,
  other,
});

/** @param {number} index */
function open(index, number = 0, linked = true) {
  view.round = index;
  selectById("round").value = String(index);
  byId("tricks").replaceChildren(...rowsOf(current()));
  controls.open(lengthOf(current()), number, linked);
}

function list() {
  const player = selectById("by-player").value, faults = inputById("by-faults").checked;
  view.list = data.rounds.flatMap((round, i) =>
    (player === "" || round.p.includes(+player)) && (!faults || round.f) ? [i] : []);
  byId("round").replaceChildren(...view.list.map(i => {
    const round = data.rounds[i];
    return element("option", { value: i }, `${round.id}: ${round.w.join(" ")}${round.f ? " ⚠" : ""}`);
  }));
  selectById("round").value = String(view.round);
  byId("count").textContent = `${view.list.length} of ${data.all} rounds`;
}

/** @param {number} by */
function other(by) {
  const to = view.list[view.list.indexOf(view.round) + by];
  if (to !== undefined) open(to);
}

/** `#round=ID&card=N`; says whether the address named a round.
 * @returns {boolean} */
function follow() {
  const named = addressed(data.rounds, "round", "card");
  if (!named) return false;
  open(named[0], named[1], false);
  byId("stage").scrollIntoView({ block: "start" });
  return true;
}

function begin() {
  data.players.forEach((label, i) => byId("by-player").append(element("option", { value: i }, label)));
  list();
  if (!data.rounds.length) return;
  byId("round").addEventListener("change", () => open(+selectById("round").value));
  for (const id of ["by-player", "by-faults"]) byId(id).addEventListener("change", list);
  if (!follow()) open(0, 0, false);
  byId("viewer").dataset.ready = "yes";
}

begin();
