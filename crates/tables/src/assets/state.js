// What a table's page knows: what the server said last, how much of it has been played out, and who sits here.

import { byId, element } from "../../../arena/src/report/assets/dom.js";
import { figure, say } from "./texts.js";

/** @template {import("./types.d.ts").View} [G=import("./types.d.ts").View] @typedef {import("./types.d.ts").Now<G>} Now */
/** @typedef {import("./types.d.ts").Sent} Sent */
/** @typedef {import("./types.d.ts").Entry} Entry */

/** `here`: the address of the seat; `seen`: how many entries of the log have been played out on the page; `past`: an
 * earlier position of a game that is over; `lesson`: the question that is asked there; `choice`: what has been chosen of
 * an action, as the game's part keeps it; `busy`: the request, such as `hint`, that the server has yet to answer. */
export const ui = {
  here: location.pathname.replace(/\/$/, ""),
  now: /** @type {Now | null} */ (null),
  seen: 0,
  timer: /** @type {number | null} */ (null),
  paused: false,
  advice: /** @type {import("./types.d.ts").FullAdvice | null} */ (null),
  busy: "",
  choice: /** @type {any} */ (null),
  past: /** @type {{ n: number, now: Now } | null} */ (null),
  lesson: /** @type {import("./types.d.ts").Lesson | null} */ (null),
};

/** What the table's script does for the parts it is made of. */
export const page = {
  /** Draws what is known. @param {boolean} isNew */
  draw: isNew => { void isNew; },
  /** Takes what the server says, and returns whether the page was drawn. @param {Sent} sent @returns {boolean} */
  take: sent => (void sent, false),
  /** Goes to an entry of the log, and to the position before its action if the game is over.
   * @param {number} at @param {number | null} action */
  goTo: (at, action) => { void at, action; },
};

/** Several people at one screen. `covered`: nobody's cards are shown until somebody says who looks. */
export const seats = { here: /** @type {import("./types.d.ts").SeatHere[]} */ ([]), resumed: false, covered: false };

/** What the server said last; it has said something.
 * @returns {Now} */
export function known() {
  if (!ui.now) throw new Error("the server has not said anything yet");
  return ui.now;
}

export const shownNow = () => ui.past ? ui.past.now : known();
export const log = () => shownNow().game.log;
/** A long game sends the end of its log: so many entries came before. */
export const earlier = () => shownNow().game.earlier || 0;
export const all = () => earlier() + log().length;
/** @param {number} at @returns {Entry} */
export const entry = at => log()[at - earlier()];
export const isCaughtUp = () => ui.past !== null || ui.seen === all();

export function isMyTurn() {
  const now = known();
  return ui.past === null && now.seat !== null && now.to_move === now.seat && !now.resigned.includes(now.seat);
}

/** What an action or a position is worth; penalty points are shown as a positive number.
 * @param {number} value */
export const valueOf = value => worth(known().unit === "penalty" ? -value : value);

/** Whether whoever looks is to choose an action: in the game, or as the answer to a lesson's question. */
export const isOpen = () => !ui.busy && (ui.lesson ? ui.past !== null && !ui.lesson.isSolved : isCaughtUp() && isMyTurn());

/** A legal action in the contest's notation.
 * @param {import("./types.d.ts").View["legal"][0]} legal */
export const actionOf = legal => typeof legal === "string" ? legal : legal.action;

/** The only action that is possible, if no other is; the empty one ends the turn.
 * @returns {string | null} */
export function onlyAction() {
  const { legal, may_end } = shownNow().game;
  const actions = [...legal.map(actionOf), ...(may_end ? [""] : [])];
  return actions.length === 1 ? actions[0] : null;
}

/** Pixels that the board may be high: in a review all that is left beside the rest, else so that what belongs to a turn
 * is in view with it. */
export const room = () => ui.past ? byId("board").clientHeight : innerHeight < 560 ? Math.max(220, innerHeight - 160) : Math.max(320, innerHeight - 310);

/** A difference of values: a chance in percent, or points.
 * @param {number} value */
export const worth = value => known().unit === "chance" ? `${figure(100 * value, 1)}\u00a0%` : figure(value, 2);

/** The secret at the end of an address.
 * @param {string} address
 * @returns {string} */
export const secretOf = address => address.split("/").pop() || "";

/** A player's name, marked if the reader sits there. A name that is too long is cut, but its number and the mark
 * stay; all of it shows when it is pointed at.
 * @param {Now<any>} now @param {number} seat */
export function fullName(now, seat) {
  const name = now.names[seat], full = seat === now.seat ? say("own-seat", { name }) : name;
  const stem = name.replace(/ \d+$/, ""), rest = full.startsWith(stem) ? full.slice(stem.length) : "";
  return element("span", { class: "name", title: full }, element("span", { class: "cut" }, rest ? stem : full), rest && element("span", { class: "rest" }, rest));
}

/** A choice that this browser keeps; a private window may keep none.
 * @param {string} key */
export function recall(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

/** @param {string} key @param {string} value */
export function keep(key, value) {
  try { localStorage.setItem(key, value); } catch { /* a private window */ }
}
