// The fields in which people change a position of the challenge card game before they play from it.

import { element } from "../../../../../arena/src/report/assets/dom.js";
import { group, numberField, textField } from "../../../../../tables/src/assets/fields.js";
import { say } from "../../../../../tables/src/assets/texts.js";

/** A position as people write it: see docs/play.md.
 * @typedef {{ hands: string[], points?: number[], lead?: number, tricks?: number[], tied?: number, done?: string[] }} Position */

/** @param {any} position
 * @returns {position is Position} */
const isPosition = position => Boolean(position) && Array.isArray(position.hands) && position.hands.length === 2
  && position.hands.every((/** @type {unknown} */ hand) => typeof hand === "string")
  && [position.points, position.tricks, position.done].every(list => list === undefined || Array.isArray(list));

/** Draws the fields of a position; nothing if `position` is not one.
 * @param {HTMLElement} node
 * @param {any} position
 * @param {(position: any) => void} changed */
export function edit(node, position, changed) {
  if (!isPosition(position)) return node.replaceChildren();
  const { points = [0, 0], tricks = [0, 0], lead = 1, done = [] } = position;
  /** @param {number[]} pair @param {number} seat @param {number} value */
  const withPart = (pair, seat, value) => pair.map((other, i) => i === seat ? value : other);
  const players = position.hands.map((hand, seat) => group(say("editor-player", { n: seat + 1 }),
    textField(say("editor-ranks"), hand, text => changed({ ...position, hands: position.hands.map((other, i) => i === seat ? text : other) })),
    element("div", { class: "row" },
      numberField(say("editor-points"), points[seat], [0, 9], value => changed({ ...position, points: withPart(points, seat, value) })),
      numberField(say("editor-tricks"), tricks[seat], [0, 5], value => changed({ ...position, tricks: withPart(tricks, seat, value) })))));
  node.replaceChildren(element("p", { class: "note" }, say("editor-ranks-hint")), ...players,
    numberField(say("editor-lead"), lead, [1, 2], value => changed({ ...position, lead: value })),
    textField(say("editor-decided"), done.join(", "), text => changed({ ...position, done: text ? text.split(/\s*,\s*/) : [] })));
  return undefined;
}
