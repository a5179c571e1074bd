// The editor in which people set up a position of Cartagena, with mouse, finger or keys.

import { element, shape } from "../../../../../arena/src/report/assets/dom.js";
import { group, numberField } from "../../../../../tables/src/assets/fields.js";
import { say } from "../../../../../tables/src/assets/texts.js";
import { drawBoard, ENDS, layoutOf } from "../../report/assets/board.js";
import { NAMES, SYMBOLS } from "../../report/assets/rules.js";

/** A position as people write it: see docs/play.md.
 * @typedef {{ board: string, places: number[][], hands: string[], discards?: string, pile?: string, to_move?: number, taken?: number }} Position */

/** The pirate that was picked up and is to be put somewhere. @type {{ player: number, place: number } | null} */
let held = null;

/** Whether this is a position that can be drawn.
 * @param {any} position
 * @returns {position is Position} */
function isPosition(position) {
  if (!position || typeof position.board !== "string" || ![...position.board].every(letter => SYMBOLS.includes(letter))) return false;
  const boat = position.board.length + 1;
  const isPlace = (/** @type {unknown} */ place) => Number.isInteger(place) && Number(place) >= 0 && Number(place) <= boat;
  return position.board.length > 0 && Array.isArray(position.places) && position.places.length >= 2 && position.places.length <= 6
    && position.places.every((/** @type {any} */ of) => Array.isArray(of) && of.every(isPlace))
    && Array.isArray(position.hands) && position.hands.length === position.places.length
    && position.hands.every((/** @type {any} */ hand) => typeof hand === "string");
}

/** The same word of cards, but with `count` cards `card` in it.
 * @param {string} word @param {string} card @param {number} count */
const withCards = (word, card, count) => [...SYMBOLS, "?"].map(other => other.repeat(other === card ? count : word.split(other).length - 1)).join("");

/** Makes every place of the picture a button: it puts the held pirate down there, or, if none is held, changes the
 * space's symbol to the next one.
 * @param {SVGElement} root
 * @param {Position} position
 * @param {number} width
 * @param {(position: Position) => void} changed */
function makeSensitive(root, position, width, changed) {
  const layout = layoutOf(position.board.length, width), boat = position.board.length + 1;
  for (let place = 0; place <= boat; place += 1) {
    const { x, y, wide } = layout.places[place], w = layout.w * (wide ? 2 : 1) - 6;
    const name = place === 0 ? ENDS.cell : place === boat ? ENDS.boat : `${place}, ${NAMES[position.board[place - 1]]}`;
    const label = say(held ? "editor-put" : "editor-place", { place: name });
    const node = shape("g", { class: `target ${held ? "" : "quiet"}`, role: "button", tabindex: 0, "aria-label": label, "data-place": place },
      shape("title", {}, label), shape("rect", { x: x - w / 2, y: y - layout.h / 2, width: w, height: layout.h, rx: 9 }));
    const choose = () => {
      if (held) {
        const { player, place: from } = held;
        const own = [...position.places[player]];
        own[own.indexOf(from)] = place;
        held = null;
        changed({ ...position, places: position.places.map((of, i) => i === player ? own.sort((a, b) => a - b) : of) });
      } else if (place > 0 && place < boat) {
        const next = SYMBOLS[(SYMBOLS.indexOf(position.board[place - 1]) + 1) % SYMBOLS.length];
        changed({ ...position, board: position.board.slice(0, place - 1) + next + position.board.slice(place) });
      }
    };
    node.addEventListener("click", choose);
    node.addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } });
    root.append(node);
  }
}

/** Buttons that pick up a pirate of a player: one for each place where it has some.
 * @param {Position} position
 * @param {number} player
 * @param {() => void} redraw */
function pirateButtons(position, player, redraw) {
  const boat = position.board.length + 1;
  return [...new Set(position.places[player])].map(place => {
    const isHeld = held !== null && held.player === player && held.place === place;
    const count = position.places[player].filter(other => other === place).length;
    const name = place === 0 ? ENDS.cell : place === boat ? ENDS.boat : String(place);
    const button = element("button", { type: "button", class: isHeld ? "chosen" : null, "aria-pressed": String(isHeld), "data-player": player, "data-from": place },
      element("span", { class: `chip p${player + 1}` }, String(player + 1)), ` ${name}${count > 1 ? ` ×${count}` : ""}`);
    button.addEventListener("click", () => { held = isHeld ? null : { player, place }; redraw(); });
    return button;
  });
}

/** Draws the editor for a position; nothing if `position` is none. `changed` gets the position after each change.
 * @param {HTMLElement} node
 * @param {any} position
 * @param {(position: any) => void} changed */
export function edit(node, position, changed) {
  for (const symbol of SYMBOLS) NAMES[symbol] = say("cartagena-symbol", { symbol });
  Object.assign(ENDS, { cell: say("cartagena-cell"), boat: say("cartagena-boat"), board: say("cartagena-board") });
  // Without their places all pirates are in the cell.
  if (position && Array.isArray(position.hands) && position.places === undefined) {
    position = { ...position, places: position.hands.map(() => [0, 0, 0, 0, 0, 0]) };
  }
  if (!isPosition(position)) return node.replaceChildren();
  if (held && !(position.places[held.player] || []).includes(held.place)) held = null;
  const redraw = () => edit(node, position, changed);
  // The edge of the editor is not there yet when it is drawn first.
  const room = (node.parentElement || node).clientWidth - 28;
  const width = Math.max(260, room), boat = position.board.length + 1;
  const { root } = drawBoard(position, boat, position, null, width);
  root.setAttribute("role", "group");
  makeSensitive(root, position, width, changed);
  const players = position.places.map((_, player) => {
    const hand = position.hands[player];
    const cards = [...SYMBOLS, "?"].map(card => numberField(card === "?" ? say("editor-unknown") : NAMES[card], hand.split(card).length - 1, [0, 60],
      count => changed({ ...position, hands: position.hands.map((other, i) => i === player ? withCards(hand, card, count) : other) })));
    return group(say("editor-player", { n: player + 1 }), element("div", { class: "row" }, ...pirateButtons(position, player, redraw)), element("div", { class: "row" }, ...cards));
  });
  const discards = position.discards || "";
  const thrown = [...SYMBOLS].map(card => numberField(NAMES[card], discards.split(card).length - 1, [0, 20], count => changed({ ...position, discards: withCards(discards, card, count) })));
  const turn = element("div", { class: "row" },
    numberField(say("editor-to-move"), position.to_move || 1, [1, position.places.length], to_move => changed({ ...position, to_move })),
    numberField(say("editor-taken"), position.taken || 0, [0, 2], taken => changed({ ...position, taken })));
  node.replaceChildren(element("p", { class: "note" }, say(held ? "editor-put-hint" : "editor-hint")), element("div", { class: "board" }, root), ...players,
    group(say("cartagena-discards"), element("div", { class: "row" }, ...thrown)), turn);
  return undefined;
}
