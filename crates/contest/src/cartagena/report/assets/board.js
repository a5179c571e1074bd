// Draws the board as a winding track, in SVG. All lengths are pixels: a picture is made for the width that the page
// gives it, and made anew when that changes. Reports and tables use it.

import { shape, still } from "../../../../../arena/src/report/assets/dom.js";
import { NAMES } from "./rules.js";

/** @typedef {import("./types.d.ts").Layout} Layout */
/** @typedef {import("./types.d.ts").Action} Action */
/** @typedef {import("./types.d.ts").Stand} Stand */
/** @typedef {import("./types.d.ts").Spot} Spot */

export const CELL = 0;
/** The names of the two ends and of the picture. A page in another language replaces them by its own. */
export const ENDS = { cell: "cell", boat: "boat", board: "Board" };

/** @param {string} name
 * @param {Record<string, string | number>} attributes */
export const icon = (name, attributes = {}) => shape("use", { href: `#icon-${name}`, ...attributes });

/** The layout of a board with this number of spaces. Slots follow the track in rows that run to the right and to the
 * left in turn; the cell and the boat are two slots wide.
 * @param {number} spaces
 * @param {number} width of the picture
 * @returns {Layout} */
export function layoutOf(spaces, width) {
  const most = spaces > 60 ? 16 : 10;
  const columns = Math.max(5, Math.min(most, Math.floor(width / 54)));
  const w = width / columns;
  const h = Math.min(74, Math.max(54, w * 1.02));
  const pitch = h + (w < 60 ? 8 : 14);
  const top = 8;
  /** @param {number} i */
  const slot = i => {
    const row = Math.floor(i / columns);
    const column = row % 2 ? columns - 1 - (i % columns) : i % columns;
    return { x: (column + 0.5) * w, y: top + row * pitch + h / 2, row };
  };
  /** @param {number} i @param {number} j */
  const wide = (i, j) => ({ ...slot(i), x: (slot(i).x + slot(j).x) / 2, wide: true });
  // If the boat's two slots would be at the end of one row and the start of the next, the boat begins the next row.
  const boat = spaces + 2 + ((spaces + 2) % columns === columns - 1 ? 1 : 0);
  /** @type {Layout["places"]} */
  const places = [wide(0, 1)];
  for (let p = 1; p <= spaces; p += 1) places.push(slot(p + 1));
  places.push(wide(boat, boat + 1));
  const slots = Array.from({ length: boat + 2 }, (_, i) => slot(i));
  return { places, slots, w, h, width, height: slot(boat + 1).y + h / 2 + top };
}

/** @param {Layout} layout */
function trackPath(layout) {
  return "M" + layout.slots.map(s => `${s.x.toFixed(1)} ${s.y.toFixed(1)}`).join("L");
}

/** @param {number} player @param {number} x @param {number} y @param {number} r */
function chip(player, x, y, r, extra = "") {
  return shape("g", { class: `pirate p${player + 1} ${extra}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
    shape("g", { class: "move" }, shape("circle", { r }),
      shape("text", { "font-size": (r * 1.35).toFixed(1), dy: ".36em" }, String(player + 1))));
}

/** @param {Layout} layout @param {number} place @param {number} boat @param {string} letter */
function tile(layout, place, boat, letter) {
  const { x, y, wide } = layout.places[place];
  const w = layout.w * (wide ? 2 : 1) - 6;
  const kind = place === CELL ? "cell" : place === boat ? "boat" : "space";
  const group = shape("g", { class: `tile ${kind}` },
    shape("rect", { x: x - w / 2, y: y - layout.h / 2, width: w, height: layout.h, rx: 9 }));
  if (kind === "space") {
    const size = layout.h * 0.42;
    group.append(icon(letter, { x: x - size / 2 + (layout.w < 60 ? 5 : 0), y: y - layout.h / 2 + 5, width: size, height: size }),
      shape("text", { class: "number", x: x - w / 2 + 5, y: y - layout.h / 2 + 12 }, String(place)),
      shape("title", {}, `${place}: ${NAMES[letter]}`));
  } else {
    const size = layout.h * 0.74;
    group.append(icon(kind, { class: "mark", x: x - size / 2, y: y - size / 2, width: size, height: size }),
      shape("title", {}, ENDS[kind]));
  }
  return group;
}

/** The spot of a player's pirates on the cell or the boat: the player is the `nth`, from 0, of `players` there.
 * @param {Layout} layout @param {number} place @param {number} nth @param {number} players */
function corner(layout, place, nth, players) {
  const { x, y } = layout.places[place];
  const columns = players > 4 ? 3 : Math.min(2, players);
  const rows = Math.ceil(players / columns);
  const w = (layout.w * 2 - 10) / Math.max(2, columns);
  const h = (layout.h - 6) / Math.max(2, rows);
  const column = nth % columns, row = Math.floor(nth / columns);
  return { x: x + (column - (columns - 1) / 2) * w - (columns > 2 ? 0.11 : 0.16) * layout.w, y: y + (row - (rows - 1) / 2) * h };
}

/** Draws the pirates of a position. Returns the picture, and the spots of each player's pirates on each place.
 * @param {Layout} layout
 * @param {{ places: number[][] }} state
 * @param {number} boat
 * @param {{ place: number, player: number } | null} ghost the player and the place of a pirate that has just left */
export function pirates(layout, state, boat, ghost) {
  const group = shape("g");
  /** @type {import("./types.d.ts").Spots} */
  const spots = {};
  const r = Math.min(11, (layout.w - 8) / 6.4);
  /** @param {number} place @param {number} player @param {Spot} at */
  const spot = (place, player, at) => { (spots[place] ||= {})[player] = { ...at, r }; };
  for (const place of [CELL, boat]) {
    const counts = state.places.map(of => of.filter(p => p === place).length);
    /** @param {number} player */
    const gone = player => ghost && ghost.place === place && ghost.player === player;
    const here = counts.flatMap((count, player) => count || gone(player) ? [player] : []);
    // Three in a row leave no room for the sign on narrow spaces.
    const times = here.length > 4 && layout.w < 92 ? "" : "×";
    here.forEach((player, i) => {
      const at = corner(layout, place, i, here.length);
      spot(place, player, at);
      group.append(chip(player, at.x, at.y, r, counts[player] ? "" : "ghost"));
      if (counts[player]) group.append(shape("text", { class: "count", x: at.x + r + 2, y: at.y, dy: ".36em" }, `${times}${counts[player]}`));
    });
  }
  for (let place = 1; place < boat; place += 1) {
    /** @type {{ player: number, ghost?: boolean }[]} */
    const here = [];
    state.places.forEach((of, player) => of.forEach(p => { if (p === place) here.push({ player }); }));
    if (ghost && ghost.place === place) here.push({ player: ghost.player, ghost: true });
    const { x, y } = layout.places[place];
    here.forEach(({ player, ghost: gone }, i) => {
      const at = { x: x + (i - (here.length - 1) / 2) * Math.min(2 * r + 1, (layout.w - 8 - 2 * r) / Math.max(1, here.length - 1)), y: y + layout.h / 2 - r - 5 };
      const node = chip(player, at.x, at.y, r, gone ? "ghost" : "");
      if (!gone || !(spots[place] || {})[player]) spot(place, player, at);
      node.dataset.place = String(place);
      group.append(node);
    });
  }
  return { group, spots };
}

/** A curve between two spots with the card played, or the number of cards drawn, at its middle.
 * @param {Layout} layout
 * @param {Stand} from
 * @param {Stand} to
 * @param {{ player: number, card: string, drawn: string }} action */
export function arrow(layout, from, to, action) {
  const dx = to.x - from.x, dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  const bend = Math.min(64, 14 + length * 0.2);
  let nx = -dy / length, ny = dx / length;
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  // The curve bends towards the middle of the board, so that it stays inside the picture.
  if (nx * (layout.width / 2 - middle.x) + ny * (layout.height / 2 - middle.y) < 0) { nx = -nx; ny = -ny; }
  const c = { x: middle.x + nx * bend * 1.6, y: middle.y + ny * bend * 1.6 };
  /** @param {Spot} a @param {Spot} b @param {number} distance */
  const towards = (a, b, distance) => {
    const d = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    return { x: a.x + (b.x - a.x) / d * distance, y: a.y + (b.y - a.y) / d * distance };
  };
  const tip = towards(to, c, to.r + 2), neck = towards(to, c, to.r + 12), start = towards(from, c, from.r);
  const side = towards({ x: 0, y: 0 }, { x: -(neck.y - tip.y), y: neck.x - tip.x }, 7);
  /** @param {Spot} p */
  const point = p => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`;
  const d = `M${point(start)}Q${point(c)} ${point(neck)}`;
  const head = `M${point(tip)}L${point({ x: neck.x + side.x, y: neck.y + side.y })}L${point({ x: neck.x - side.x, y: neck.y - side.y })}z`;
  const apex = { x: middle.x / 2 + c.x / 2, y: middle.y / 2 + c.y / 2 };
  const badge = shape("g", { class: "badge", transform: `translate(${point(apex)})` }, shape("circle", { r: 13 }));
  if (action.card) badge.append(icon(action.card, { x: -8.5, y: -8.5, width: 17, height: 17 }));
  else badge.append(shape("text", { dy: ".36em" }, `+${action.drawn.length}`));
  return shape("g", { class: `arrow a${action.player + 1}` },
    shape("path", { class: "halo", d }), shape("path", { class: "halo", d: head }),
    shape("path", { class: "shaft", d }), shape("path", { class: "tip", d: head }), badge);
}

/** Draws a position on a board of the width `width`. If `action` led to it, an arrow shows the action.
 * @param {{ board: string }} game
 * @param {number} boat
 * @param {{ places: number[][] }} state
 * @param {Action | null | undefined} action
 * @param {number} width
 * @returns {import("./types.d.ts").Picture} */
export function drawBoard(game, boat, state, action, width) {
  const layout = layoutOf(game.board.length, width);
  const root = shape("svg", { width, height: layout.height, viewBox: `0 0 ${width} ${layout.height}`, role: "img", "aria-label": ENDS.board });
  const path = trackPath(layout);
  root.append(shape("path", { class: "bank", d: path, "stroke-width": layout.h * 0.62 + 6 }),
    shape("path", { class: "track", d: path, "stroke-width": layout.h * 0.62 }));
  for (let place = 0; place <= boat; place += 1) root.append(tile(layout, place, boat, game.board[place - 1]));
  const ghost = action && !action.pass ? { place: action.from, player: action.player } : null;
  const { group, spots } = pirates(layout, state, boat, ghost);
  root.append(group);
  let moved = null;
  if (action && ghost) {
    const from = spots[action.from][action.player], to = spots[action.to][action.player];
    root.append(arrow(layout, from, to, action));
    moved = { dx: from.x - to.x, dy: from.y - to.y, at: to };
  }
  return { root, moved };
}

/** Lets the pirate that has just moved slide from where it stood.
 * @param {import("./types.d.ts").Picture} picture */
export function slide({ root, moved }) {
  if (!moved || still.matches) return;
  const { dx, dy, at } = moved;
  const place = `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`;
  const node = [...root.querySelectorAll(".pirate:not(.ghost)")].find(n => n.getAttribute("transform") === place);
  if (!node || !node.parentNode || !node.firstElementChild) return;
  node.parentNode.append(node);
  node.firstElementChild.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }],
    { duration: 260, easing: "ease-out" });
}
