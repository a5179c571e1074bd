// The list of games with its filters, and the list of a game's actions.

import { byId, element, inputById, selectById } from "../../../../../arena/src/report/assets/dom.js";
import { chipOf, faultsAt, judgedBad, lone, percent, way } from "./panels.js";

/** @typedef {import("./types.d.ts").Game} Game */
/** @typedef {import("./types.d.ts").Games} Games */
/** @typedef {import("./types.d.ts").Unrolled} Unrolled */

/** The number of games that the list shows at first, and adds at a time. */
export const SHOWN = 150;

/** @param {Games} data */
export function fillFilters(data) {
  /** @param {string} id @param {string | number} value @param {string | number} text */
  const add = (id, value, text) => byId(id).append(element("option", { value }, text));
  data.programs.forEach((label, i) => { add("by-program", i, label); add("by-winner", i, label); });
  add("by-winner", "drawn", "nobody: drawn");
  const counts = [...new Set(data.games.map(g => g.p.length))].sort();
  for (const n of counts) add("by-players", n, n);
}

/** The indices of the games that the filters let through.
 * @param {Games} data */
export function filtered(data) {
  const program = selectById("by-program").value, players = selectById("by-players").value;
  const winner = selectById("by-winner").value, faults = inputById("by-faults").checked;
  /** @param {Game} game */
  const passes = game =>
    (program === "" || game.p.includes(+program)) &&
    (players === "" || game.p.length === +players) &&
    (winner === "" || (winner === "drawn" ? !game.w : game.w > 0 && game.p[game.w - 1] === +winner)) &&
    (!faults || (game.f || []).length > 0);
  return data.games.flatMap((game, i) => passes(game) ? [i] : []);
}

/** A number with its noun: `1 game`, `2 games`.
 * @param {number} number @param {string} noun */
export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** @param {Games} data @param {number} index @param {number} current @param {(index: number) => void} choose */
function gameButton(data, index, current, choose) {
  const game = data.games[index];
  const names = element("span", { class: "names" });
  game.p.forEach((program, seat) => names.append(
    element("span", { class: game.w === seat + 1 ? "won" : "" }, chipOf(seat), ` ${data.programs[program]} `)));
  const actions = game.ms.length;
  const button = element("button", { type: "button", "aria-current": index === current ? "true" : "false" },
    element("span", { class: "id" }, element("b", {}, game.id), ` ${counted(actions, "action")}`,
      game.f ? element("span", { class: "fault", title: counted(game.f.length, "fault") }, " ⚠") : "",
      game.w ? "" : " drawn"), names);
  button.addEventListener("click", () => choose(index));
  return button;
}

/** @param {Games} data @param {number[]} list @param {number} current @param {number} shown
 * @param {(index: number) => void} choose @param {(shown: number) => void} more */
export function showGames(data, list, current, shown, choose, more) {
  const node = byId("game-list");
  const at = list.indexOf(current);
  const end = Math.max(shown, at < 0 ? 0 : at + 20);
  node.replaceChildren(...list.slice(0, end).map(i => gameButton(data, i, current, choose)));
  if (end < list.length) {
    const button = element("button", { type: "button", class: "more" }, `${list.length - end} more`);
    button.addEventListener("click", () => more(end + SHOWN));
    node.append(button);
  }
  byId("game-count").textContent = list.length === data.games.length ?
    counted(list.length, "game") : `${list.length} of ${data.games.length} games`;
  reveal(node, node.querySelector("[aria-current=true]"));
}

/** Scrolls a list so that an entry can be seen. The page itself does not scroll.
 * @param {Element} list @param {Element | null} entry */
function reveal(list, entry) {
  if (!entry) return;
  const box = list.getBoundingClientRect(), own = entry.getBoundingClientRect();
  if (own.top < box.top || own.bottom > box.bottom) list.scrollTop += own.top - box.top - (box.height - own.height) / 2;
}

/** @param {Game} game @param {Unrolled} unrolled @param {number} number @param {(number: number) => void} go */
function actionButton(game, unrolled, number, go) {
  const action = unrolled.actions[number - 1];
  const bad = judgedBad(game, number);
  const button = element("button", { type: "button" }, element("span", { class: "n" }, String(number)), chipOf(action.player));
  const what = element("span", { class: "what" });
  if (action.pass) what.append("ends its turn");
  else {
    what.append(`${way(action, unrolled.boat)} `);
    if (action.card) what.append(lone(action.card));
    else what.append("+", ...[...action.drawn].map(lone));
  }
  button.append(what);
  if (bad) button.append(element("span", { class: `grade ${bad.grade}`, title: `${bad.grade}: loses ${percent(bad.loss)}` },
    { doubtful: "?!", mistake: "?", blunder: "??" }[bad.grade]));
  button.addEventListener("click", () => go(number));
  return button;
}

/** @param {Game} game @param {Unrolled} unrolled @param {(number: number) => void} go */
export function showActions(game, unrolled, go) {
  const items = [];
  /** @param {number} number */
  const faults = number => faultsAt(game, number).map(f => element("li", { class: "fault" }, "⚠ ", chipOf(f.p - 1),
    ` ${f.kind}, ${f.forfeit ? "out" : "random action"}`));
  items.push(...faults(0));
  let turn = /** @type {number | undefined} */ (0);
  unrolled.actions.forEach((action, i) => {
    const item = element("li", { class: action.turn !== turn ? "turn" : "" }, actionButton(game, unrolled, i + 1, go));
    turn = action.turn;
    items.push(item, ...faults(i + 1));
  });
  byId("action-list").replaceChildren(...items);
}

/** @param {number} number */
export function markAction(number) {
  const list = byId("action-list");
  const buttons = list.querySelectorAll("button");
  buttons.forEach((button, i) => button.setAttribute("aria-current", i + 1 === number ? "step" : "false"));
  reveal(list, buttons[number - 1] || list.firstElementChild);
}
