// The parts of a report's page around the board: the last action in words, the hands, the piles, and the curve of an
// analysis.

import { element, shape } from "../../../../../arena/src/report/assets/dom.js";
import { CELL, icon } from "./board.js";
import { NAMES, SYMBOLS, total } from "./rules.js";

/** @typedef {import("./types.d.ts").Action} Action */
/** @typedef {import("./types.d.ts").State} State */
/** @typedef {import("./types.d.ts").Game} Game */
/** @typedef {import("./types.d.ts").Games} Games */
/** @typedef {import("./types.d.ts").Unrolled} Unrolled */

/** @param {number} player from 0 */
export const chipOf = player => element("span", { class: `chip p${player + 1}` }, String(player + 1));
/** @param {number} thousandths */
export const percent = thousandths => `${(thousandths / 10).toFixed(1)} %`;

/** @param {string} letter @param {number} count */
function card(letter, count, extra = "") {
  const node = element("span", { class: `card ${extra}`, title: `${count} ${NAMES[letter]}` },
    shape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, icon(letter)));
  node.append(element("span", {}, String(count)));
  return node;
}

/** @param {string} letter */
export const lone = letter => element("span", { class: "glyph", title: NAMES[letter] },
  shape("svg", { viewBox: "0 0 24 24", role: "img", "aria-label": NAMES[letter] }, icon(letter)));

/** @param {number} ms */
function time(ms) {
  if (ms < 0.001) return "< 1 µs";
  if (ms < 1) return `${Math.round(ms * 1000)} µs`;
  return ms < 1000 ? `${+ms.toPrecision(3)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** @param {number} place @param {number} boat */
const placeName = (place, boat) => place === CELL ? "cell" : place === boat ? "boat" : String(place);
/** @param {Action} action @param {number} boat */
export const way = (action, boat) => `${placeName(action.from, boat)} → ${placeName(action.to, boat)}`;

/** An action in words and icons.
 * @param {Action} action @param {number} boat */
function told(action, boat) {
  if (action.pass) return ["ends its turn"];
  if (action.card) return ["plays ", lone(action.card), ` ${NAMES[action.card]}: ${way(action, boat)}`];
  const drawn = [...action.drawn].map(lone);
  return [`retreats ${way(action, boat)}, draws `, ...(drawn.length ? drawn : ["nothing"])];
}

/** The faults that are shown at the position after `number` actions: a forfeit before the next action, any other fault
 * at the random action that replaced the player's own.
 * @param {Game} game @param {number} number */
export const faultsAt = (game, number) => (game.f || []).filter(f =>
  f.forfeit ? f.a === number + 1 : f.a === number);

/** @param {Games} data @param {Game} game @param {import("./types.d.ts").Fault} fault */
function faultLine(data, game, fault) {
  const cost = fault.forfeit ? "loses the game" : "a random action stands in";
  return element("span", { class: "fault" }, "⚠ ", chipOf(fault.p - 1),
    ` ${data.programs[game.p[fault.p - 1]]} ${cost}. ${fault.kind}: ${fault.detail}`);
}

/** The lines above the board: the last action, its grade, faults, and the result at the end.
 * @param {Games} data @param {Game} game @param {Unrolled} unrolled @param {number} number */
export function caption(data, game, unrolled, number) {
  /** @type {Node[]} */
  const nodes = [];
  const action = unrolled.actions[number - 1];
  const line = element("span", { class: "did" });
  if (action) {
    line.append(chipOf(action.player), " ", element("b", {}, data.programs[game.p[action.player]]), " ", ...told(action, unrolled.boat),
      element("small", {}, ` turn ${action.turn}, action ${action.nth} of 3; ${time(game.ms[number - 1])}`));
  } else {
    line.append("The deal.");
  }
  nodes.push(line);
  const bad = judgedBad(game, number);
  if (bad) nodes.push(element("span", { class: `grade ${bad.grade}` }, `${bad.grade}: loses ${percent(bad.loss)}; better: ${bad.better}`));
  for (const fault of faultsAt(game, number)) nodes.push(faultLine(data, game, fault));
  if (number === unrolled.actions.length) nodes.push(element("span", { class: "over" }, ...ending(data, game)));
  return nodes;
}

/** @param {Games} data @param {Game} game */
function ending(data, game) {
  if (!game.w) return ["Stopped and drawn."];
  return [chipOf(game.w - 1), " ", element("b", {}, data.programs[game.p[game.w - 1]]), " has won."];
}

/** @param {Games} data @param {Game} game @param {Unrolled} unrolled @param {number} number @param {number} player */
export function hand(data, game, unrolled, number, player) {
  const state = unrolled.positions[number];
  const action = unrolled.actions[number - 1];
  const own = action && action.player === player;
  const over = number === unrolled.actions.length;
  const active = !over && state.toMove === player;
  const home = state.places[player].filter(p => p === unrolled.boat).length;
  const away = state.places[player].reduce((sum, p) => sum + unrolled.boat - p, 0);
  const status = state.left[player] ? "out" : active ? `action ${state.taken + 1} of 3` :
    over && game.w === player + 1 ? "winner" : "";
  const head = element("div", { class: "who" }, chipOf(player), element("b", { title: data.programs[game.p[player]] }, data.programs[game.p[player]]),
    element("span", { class: "status" }, status));
  const row = element("div", { class: "cards" });
  for (const s of SYMBOLS) {
    const count = state.hands[player][s];
    const drew = own && action.drawn.includes(s);
    const played = own && action.card === s;
    row.append(card(s, count, `${count ? "" : "zero"} ${drew ? "drew" : ""} ${played ? "played" : ""}`));
  }
  const cards = total(state.hands[player]);
  const facts = element("div", { class: "facts" },
    `${cards} card${cards === 1 ? "" : "s"} · ${home} of ${game.n} on the boat · ${away} places to go`);
  return element("div", { class: `hand ${active ? "active" : ""} ${state.left[player] ? "left" : ""}` }, head, row, facts);
}

/** @param {State} state */
export function piles(state) {
  const discards = element("span", { class: "cards" });
  for (const s of SYMBOLS) discards.append(card(s, state.discards[s], state.discards[s] ? "" : "zero"));
  return [element("span", {}, "Draw pile ", element("b", {}, String(state.pile))),
    element("span", { class: "discards" }, "Discards ", element("b", {}, String(total(state.discards))), discards)];
}

/** The analysis of an action (from 1) that has a grade; null for any other action.
 * @param {Game} game @param {number} number */
export function judgedBad(game, number) {
  const found = game.x && game.x.bad.find(([action]) => action === number);
  return found ? { loss: found[1], grade: found[2], better: found[3] } : null;
}

/** Draws each player's chance to win after each of its actions as a curve, and marks the actions with a grade.
 * @param {Game} game @param {Unrolled} unrolled @param {number} number @param {number} width */
export function curve({ p, x: judged }, unrolled, number, width) {
  if (!judged) return null;
  const height = 132, left = 46, right = 8, top = 8, bottom = 8;
  const count = Math.max(1, unrolled.actions.length);
  /** @param {number} i */
  const x = i => left + (width - left - right) * i / count;
  /** @param {number} c */
  const y = c => top + (height - top - bottom) * (1 - c / 1000);
  const root = shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Chances to win by action" });
  for (const c of [0, 500, 1000]) {
    root.append(shape("line", { class: "rule", x1: left, x2: width - right, y1: y(c), y2: y(c) }),
      shape("text", { x: left - 6, y: y(c), dy: ".36em", "text-anchor": "end" }, `${c / 10} %`));
  }
  p.forEach((_, player) => {
    const own = unrolled.actions.map((a, i) => a.player === player ? `${x(i + 1).toFixed(1)} ${y(judged.c[i]).toFixed(1)}` : null);
    const d = own.filter(p => p).join("L");
    if (d) root.append(shape("path", { class: `chance a${player + 1}`, d: "M" + d }));
  });
  for (const [action, loss, grade, better] of judged.bad) {
    const at = shape("g", { class: `mistake ${grade} p${unrolled.actions[action - 1].player + 1}`, transform: `translate(${x(action).toFixed(1)} ${y(judged.c[action - 1]).toFixed(1)})` },
      shape("circle", { r: { doubtful: 3.5, mistake: 5, blunder: 7 }[grade] }),
      shape("title", {}, `action ${action}, ${grade}: loses ${percent(loss)}; better: ${better}`));
    root.append(at);
  }
  root.append(shape("line", { class: "now", x1: x(number), x2: x(number), y1: 2, y2: height - 2 }));
  /** The number of the action at `px` pixels from the left. @param {number} px */
  const actionAt = px => Math.round((px - left) / (width - left - right) * count);
  return { root, actionAt };
}
