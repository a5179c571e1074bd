// The challenge card game at a table: the cards to click on, the trick, the score and what may be done.

import { byId, element, refill } from "../../../../../arena/src/report/assets/dom.js";
import { fullName, isCaughtUp, ui } from "../../../../../tables/src/assets/state.js";
import { act, isPlainKey, open } from "../../../../../tables/src/assets/table.js";
import { say, sayWith } from "../../../../../tables/src/assets/texts.js";
import { positionAfter } from "./position.js";

/** @typedef {import("../../../../../tables/src/assets/types.d.ts").Now<import("./types.d.ts").Game>} Now */
/** @typedef {import("./types.d.ts").Position} Position */
/** @typedef {import("./types.d.ts").Done} Done */
/** @typedef {import("./types.d.ts").Picture} Picture */

/** The decisions that are not cards, each with its key. */
const CALLS = [
  { action: "offer_challenge", name: "challenge-offer", key: "c" },
  { action: "accept_challenge", name: "challenge-accept", key: "a" },
  { action: "reject_challenge", name: "challenge-reject", key: "r" },
];

/** The calls by the names of their entries in the log.
 * @type {Record<string, string>} */
const CALLED = { offer: "offer_challenge", accept: "accept_challenge", reject: "reject_challenge" };

/** @param {Now} now @param {number} seat */
const nameOf = (now, seat) => seat === now.seat ? say("you") : fullName(now, seat);
/** The player for a sentence; the sentence about oneself is a different one.
 * @param {Now} now @param {number} seat */
const who = (now, seat) => ({ own: seat === now.seat ? "yes" : "no", name: now.names[seat] });

/** @param {Now} now @param {Done} done */
function wordsOf(now, done) {
  const { player, by } = done;
  switch (done.what) {
    case "deal": return say("challenge-did-deal", { n: done.hand, ...who(now, done.lead) });
    case "play": return say("challenge-did-play", { card: done.card, ...who(now, player) });
    case "trick": return by === null ? say("challenge-did-tie") : say("challenge-did-trick", who(now, by));
    case "hand": return by === null ? say("challenge-did-tied-hand") : say("challenge-did-hand", { ...who(now, by), points: done.points[by], other: done.points[1 - by] });
    case "game": return by === null ? say("over") : say("challenge-did-game", who(now, by));
    default: return say(`challenge-did-${done.what}`, who(now, player));
  }
}

/** @param {Now} now @param {Done} done */
function said(now, done) {
  const words = wordsOf(now, done);
  return done.what === "deal" || done.what === "hand" ? [element("b", {}, words)] : [words];
}

const cardBack = () => element("span", { class: "card back", "aria-hidden": "true" });
/** The marked actions of a player: the one that advice or a review finds best, and the one that was taken.
 * @typedef {{ best: Picture | null, taken: Done | null }} Marks */
/** The class of a card or a call, if it is marked.
 * @param {Marks} marks @param {Picture} of */
const markOf = ({ best, taken }, { card, action }) => card === undefined ?
  `${best && best.action === action ? "best" : ""} ${taken && CALLED[taken.what] === action ? "did" : ""}` :
  `${best && best.card === card ? "best" : ""} ${taken && taken.what === "play" && taken.card === card ? "did" : ""}`;
/** @type {Marks} */
const UNMARKED = { best: null, taken: null };

/** @param {number} rank @param {string} name */
const face = (rank, name) => element("span", { class: `card ${name}` }, String(rank));

/** A player's tricks and points, in words and as a row of dots.
 * @param {Position} position @param {number} seat @param {number} goal */
function counts(position, seat, goal) {
  const points = position.points[seat];
  const dots = element("span", { class: "points", "aria-hidden": "true" }, ...Array.from({ length: goal }, (_, i) => element("i", { class: i < points ? "won" : null })));
  return element("div", { class: "counts" }, element("span", {}, ...sayWith("challenge-points-of", { points: element("b", {}, String(points)) }, { goal }), " "), dots,
    element("span", {}, say("count-tricks", { n: position.tricks[seat] })));
}

/** @param {Now} now @param {Position} position @param {number} seat @param {boolean} isOpen @param {Marks} marks */
function playerRow(now, position, seat, isOpen, marks) {
  const acts = !now.over && (isCaughtUp() ? now.to_move : position.acts) === seat;
  const held = isOpen && position.held[seat];
  const cards = held ? held.map(rank => face(rank, markOf(marks, { card: rank }))) : Array.from({ length: position.left[seat] }, cardBack);
  const label = held ? say("challenge-cards", { name: now.names[seat] }) : say("challenge-cards-left", { name: now.names[seat], n: position.left[seat] });
  const row = element("div", { class: `player ${acts ? "acts" : ""}` }, element("div", { class: "who" }, element("b", {}, fullName(now, seat)), counts(position, seat, now.game.goal)));
  // The player's own cards are the buttons below the table.
  if (seat !== now.seat) row.append(element("div", { class: "cards", role: "group", "aria-label": label }, ...cards));
  return row;
}

/** @param {Now} now @param {Position} position @param {number} seat */
function slot(now, position, seat) {
  const rank = position.table[seat];
  const words = element("small", {}, nameOf(now, seat));
  if (rank === null) return element("div", { class: "on-table" }, element("span", { class: "slot" }), words);
  const state = !position.done ? "" : position.taken === seat ? "wins" : "loses";
  return element("div", { class: "on-table" }, face(rank, state), words);
}

/** @param {Now} now @param {Position} position @param {number} seen @param {number} far @param {number} near */
function felt(now, position, seen, far, near) {
  const done = seen > 0 ? now.game.log[seen - 1] : null;
  const caption = element("p", { class: `caption ${done && done.what === "game" ? "won" : ""}` }, done ? wordsOf(now, done) : "");
  if (position.challenge) caption.append(element("span", { class: "tag challenge" }, say(`challenge-tag-${position.challenge}`)));
  return element("div", { class: "felt" }, element("div", { class: "slots", role: "group", "aria-label": say("challenge-trick") }, slot(now, position, far), slot(now, position, near)), caption);
}

/** @param {Now} now @param {string} action */
const isLegal = (now, action) => now.game.legal.some(choice => choice.action === action);

/** @param {Now} now @param {Position} position @param {boolean} isOpen @param {Marks} marks */
function cardButtons(now, position, isOpen, marks) {
  const held = now.seat === null ? [] : position.held[now.seat] || [];
  const row = element("div", { class: "cards own", role: "group", "aria-label": say("your-cards") });
  held.forEach((rank, i) => {
    const action = `play_card ${rank}`;
    const button = element("button", { type: "button", class: `card ${markOf(marks, { card: rank })}`, "data-action": action, "data-place": i, "aria-keyshortcuts": String(i + 1) },
      element("span", { class: "for-readers" }, `${say("challenge-play")} `), String(rank), element("kbd", { "aria-hidden": "true" }, String(i + 1)));
    button.disabled = !(isOpen && isLegal(now, action));
    button.addEventListener("click", () => act(action));
    row.append(button);
  });
  if (!held.length) row.append(element("span", { class: "note" }, say("challenge-no-cards")));
  return row;
}

/** @param {Now} now @param {boolean} isOpen @param {Marks} marks */
function callButtons(now, isOpen, marks) {
  const row = element("div", { class: "calls", role: "group", "aria-label": say("challenge-offer") });
  for (const { action, name, key } of CALLS) {
    const button = element("button", { type: "button", class: `call ${markOf(marks, { action })}`, "data-action": action, "aria-keyshortcuts": key }, say(name), " ", element("kbd", { "aria-hidden": "true" }, key));
    button.disabled = !(isOpen && isLegal(now, action));
    button.addEventListener("click", () => act(action));
    row.append(button);
  }
  return row;
}

/** @param {Now} now @param {Position} position @param {number} seat */
function panel(now, position, seat) {
  const points = position.points[seat];
  return element("div", { class: "score" }, element("b", {}, fullName(now, seat)),
    element("span", {}, [say("count-points", { n: points }), say("count-tricks", { n: position.tricks[seat] }), say("count-cards", { n: position.left[seat] })].join(", ")));
}

/** @param {Now} now @param {number} seen @param {import("../../../../../tables/src/assets/types.d.ts").Drawing<Picture>} drawing */
function drawTable(now, seen, { open: mayAct, advice, marked }) {
  const position = positionAfter(now.game.log, seen);
  const near = now.seat === null ? 0 : now.seat, far = 1 - near;
  const best = marked ? marked.better : advice && advice.candidates.length ? advice.candidates[0].picture : null;
  const marks = { best, taken: marked && marked.taken };
  /** @param {number} seat */
  const marksOf = seat => now.to_move === seat ? marks : UNMARKED;
  // A finished game shows all hands, but only after the page has drawn its last step.
  const isOpen = (ui.past !== null || !now.over || isCaughtUp());
  byId("board").replaceChildren(playerRow(now, position, far, isOpen, marksOf(far)), felt(now, position, seen, far, near), playerRow(now, position, near, isOpen, marksOf(near)));
  refill("players", panel(now, position, far), panel(now, position, near));
  refill("piles", element("span", {}, ...sayWith("challenge-hand", { n: element("b", {}, String(position.hand)) }, { goal: now.game.goal })));
  byId("ask").replaceChildren(...(now.seat === null ? [] : [cardButtons(now, position, mayAct, marksOf(now.seat)), callButtons(now, mayAct, marks)]));
}

/** A picture of the rules: the cards of a trick, and which of them takes it.
 * @param {{ cards: number[], winner: number | null }} example */
const drawExample = ({ cards, winner }) => element("div", { class: "slots" }, ...cards.map((rank, i) => face(rank, winner === null ? "" : i === winner ? "wins" : "loses")));

/** @param {Done} done */
const begins = done => done.what === "deal";

/** @param {Now} now */
function dueText(now) {
  const them = now.seat === null ? 0 : 1 - now.seat;
  if (now.game.must_answer) return say("challenge-due-answer", { name: now.names[them] });
  const position = positionAfter(now.game.log, now.game.log.length);
  const led = position.done ? null : position.table[them];
  const may = isLegal(now, "offer_challenge") ? "yes" : "no";
  return led === null ? say("challenge-due-lead", { may }) : say("challenge-due-follow", { may, card: led });
}

/** @param {Now} now */
const overText = now => now.winner === null ? say("over") : "";

addEventListener("keydown", event => {
  // A key that is held plays one card, and no more.
  if (!isPlainKey(event) || event.repeat) return;
  const call = CALLS.find(({ key }) => key === event.key);
  const button = byId("ask").querySelector(call ? `.call[data-action="${call.action}"]` : /^[1-5]$/.test(event.key) ? `[data-place="${Number(event.key) - 1}"]` : "none");
  if (button instanceof HTMLButtonElement && !button.disabled) { button.click(); event.preventDefault(); }
});

open({ drawTable, said, begins, dueText, overText, drawExample, guide: ["board", "ask", "buttons", "log"] });
