// A position of a trick-taking game to be changed with mouse, finger or keys.

import { element } from "../../../../../arena/src/report/assets/dom.js";
import { group, numberField, textField } from "../../../../../tables/src/assets/fields.js";
import { say } from "../../../../../tables/src/assets/texts.js";
import { called, cardsIn, sorted, symbolOf } from "../../report/assets/cards.js";

/** A position as people write it: see docs/play.md.
 * @typedef {{ first?: number, hands: string[], pool?: string, cards?: string, totals?: number[] }} Position */

/** Who gets the cards that are chosen: a seat, or the open cards. @type {number | "pool"} */
let getter = 0;

/** @param {any} position
 * @returns {position is Position} */
const isPosition = position => Boolean(position) && Array.isArray(position.hands) && position.hands.length >= 3
  && position.hands.every((/** @type {unknown} */ hand) => typeof hand === "string")
  && [position.pool, position.cards].every(cards => cards === undefined || typeof cards === "string")
  && (position.totals === undefined || Array.isArray(position.totals));

/** Who holds a card; none if nobody is known to.
 * @param {Position} position @param {string} card */
function holder(position, card) {
  if (cardsIn(position.pool).includes(card)) return "pool";
  const seat = position.hands.findIndex(hand => cardsIn(hand).includes(card));
  return seat < 0 ? null : seat;
}

/** The position with a card given to somebody, or taken from who has it. Cards that chance chooses make room.
 * @param {Position} position @param {string} card
 * @returns {Position} */
function given(position, card) {
  const from = holder(position, card), to = from === getter ? null : getter;
  /** @param {string} text @param {boolean} gets @param {boolean} loses @param {boolean} isHand */
  const changedHand = (text, gets, loses, isHand) => {
    const cards = cardsIn(text);
    const known = sorted(cards.filter(other => other !== "?" && other !== card));
    let unknown = cards.length - cards.filter(other => other !== "?").length;
    if (gets) { known.push(card); unknown = Math.max(0, unknown - 1); }
    if (loses && isHand) unknown += 1;
    return [...sorted(known), ...Array(unknown).fill("?")].join(" ");
  };
  const hands = position.hands.map((hand, seat) => seat === to || seat === from ? changedHand(hand, seat === to, seat === from, true) : hand);
  if (to !== "pool" && from !== "pool") return { ...position, hands };
  return { ...position, hands, pool: changedHand(position.pool || "", to === "pool", from === "pool", false) };
}

/** Draws a position to be changed; nothing of what is none.
 * @param {HTMLElement} node
 * @param {any} position
 * @param {(position: any) => void} changed */
export function edit(node, position, changed) {
  called.card = card => say("tricks-card", { suit: card[0], rank: Number(card[1]) || card[1] });
  if (!isPosition(position)) return node.replaceChildren();
  const redraw = () => edit(node, position, changed);
  const players = position.hands.length, hasPool = position.pool !== undefined;
  if (getter !== "pool" && getter >= players) getter = 0;
  /** @param {number | "pool"} to @param {string} name @param {string} text */
  const getterButton = (to, name, text) => {
    const count = cardsIn(text).length;
    const button = element("button", { type: "button", class: getter === to ? "chosen" : null, "aria-pressed": String(getter === to), "data-getter": to }, `${name}: ${say("count-cards", { n: count })}`);
    button.addEventListener("click", () => { getter = to; redraw(); });
    return button;
  };
  const getters = position.hands.map((hand, seat) => getterButton(seat, say("editor-player", { n: seat + 1 }), hand));
  if (hasPool) getters.push(getterButton("pool", say("tricks-pool"), position.pool || ""));
  const played = cardsIn(position.cards);
  const rows = ["c", "d", "h", "s"].map(suit => element("div", { class: "row deck" }, ...[..."23456789tjqka"].map(rank => {
    const card = suit + rank, by = holder(position, card);
    const owner = by === "pool" ? say("tricks-pool") : by === null ? "" : say("editor-player", { n: by + 1 });
    const mark = by === null ? "" : by === "pool" ? "○" : String(by + 1);
    const button = element("button", { type: "button", class: `small ${suit} ${by === getter ? "chosen" : ""}`, "data-card": card, "aria-pressed": String(by === getter) },
      element("span", { "aria-hidden": "true" }, symbolOf(card), element("small", {}, mark)),
      element("span", { class: "for-readers" }, owner ? `${called.card(card)}: ${owner}` : called.card(card)));
    button.disabled = played.includes(card) && by === null;
    button.addEventListener("click", () => changed(given(position, card)));
    return button;
  })));
  const unknown = position.hands.map((hand, seat) => numberField(say("editor-player", { n: seat + 1 }), cardsIn(hand).filter(card => card === "?").length, [0, 18], count => {
    const text = [...cardsIn(hand).filter(card => card !== "?"), ...Array(count).fill("?")].join(" ");
    changed({ ...position, hands: position.hands.map((other, i) => i === seat ? text : other) });
  }));
  const totals = position.hands.map((_, seat) => numberField(say("editor-player", { n: seat + 1 }), (position.totals || [])[seat] || 0, [0, 9999], points =>
    changed({ ...position, totals: position.hands.map((_, i) => i === seat ? points : (position.totals || [])[i] || 0) })));
  node.replaceChildren(element("p", { class: "note" }, say("editor-cards-hint")), element("div", { class: "row" }, ...getters), ...rows,
    group(say("editor-unknown-cards"), element("div", { class: "row" }, ...unknown)),
    textField(say("editor-done"), position.cards || "", cards => changed({ ...position, cards })),
    numberField(say("editor-first"), position.first || 1, [1, players], first => changed({ ...position, first })),
    group(say("editor-totals"), element("div", { class: "row" }, ...totals)));
  return undefined;
}
