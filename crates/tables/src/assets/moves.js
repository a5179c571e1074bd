// The list of what has happened: numbered by turns, the newest last. In a review it has the grades of the actions, and
// can be limited to a player or to mistakes.

import { byId, element, inputById, selectById } from "../../../arena/src/report/assets/dom.js";
import { known, page, ui, worth } from "./state.js";
import { say, words } from "./texts.js";

/** @typedef {import("./types.d.ts").Judged} Judged */
/** @typedef {import("./types.d.ts").Entry} Entry */

/** How grades are written. */
export const GRADED = { doubtful: "?!", mistake: "?", blunder: "??" };

/** @param {import("./types.d.ts").Grade | null} grade */
export function gradeMark(grade) {
  if (!grade) return [];
  const name = say(`grade-${grade}`);
  return [element("span", { class: `how how-${grade}`, title: name, role: "img", "aria-label": name }, GRADED[grade])];
}

/** A line of the list: an entry of the game's log, or a remark of the table, which has none. `shows` tells lines apart;
 * `number` is that of the line's action from 0, and negative before the game's own first action. The line is there once
 * `at` entries have been seen; `isSilent` if nothing is said of what these eyes do not see.
 * @typedef {{ item: HTMLElement, button: HTMLElement, shows: string, entry: Entry | null, number: number | null, judged: Judged | null, at: number, isSilent: boolean }} Line */

/** A remark of the table, after so many entries of the game's log.
 * @typedef {{ after: number, text: string }} Remark */

/** The lines on the page, and the state of the game that they were made from. `isMoved`: another line has become that of
 * the position shown; `isFollowed`: that line is to be within the list, as it was last. */
const list = { of: "", lines: /** @type {Line[]} */ ([]), shown: -1, current: -1, isMoved: false, isFollowed: false };

/** The numbers of the actions in a log, one for each entry; none for entries by nobody. A game may begin with entries
 * of a position that was set up, so they are counted from the end.
 * @param {Entry[]} log @param {number} actions */
function numbersOf(log, actions) {
  let next = actions;
  return log.map(entry => entry.player).reverse().map(player => player === null ? null : next -= 1).reverse();
}

/** The entry of the action `number`, from 0.
 * @param {number} number */
export function entryOf(number) {
  const { game, actions } = known();
  const at = numbersOf(game.log, actions).indexOf(number);
  return at < 0 ? null : game.log[at];
}

/** Makes the lines that are not on the page yet. Those before the first line that differs stay there: to lay a long list
 * out takes longer than all else that an action changes.
 * @param {(entry: Entry) => (Node | string)[]} said @param {(entry: Entry) => boolean} begins @param {Remark[]} remarks */
function build(said, begins, remarks) {
  const now = known(), { log } = now.game, earlier = now.game.earlier || 0, numbers = numbersOf(log, now.actions);
  /** The lines that are due: all that a line shows, and a function that makes it.
   * @type {[shows: string, make: () => Omit<Line, "shows" | "judged">][]} */
  const due = [];
  const remarkAt = (/** @type {number} */ at) => remarks.filter(remark => remark.after === at).forEach(({ text }) => due.push([text, () => {
    const button = element("span", { class: "move" }, text);
    return { item: element("li", {}, element("span", { class: "number" }), button), button, entry: null, number: null, at, isSilent: false };
  }]));
  let turn = 0;
  log.forEach((entry, i) => {
    // The numbers start again with each deal.
    if (begins(entry)) turn = 0;
    const isNext = entry.player !== null && (i === 0 || log[i - 1].player !== entry.player);
    if (isNext) turn += 1;
    const before = earlier + i, number = numbers[i], counted = isNext ? `${turn}.` : "";
    remarkAt(before);
    due.push([JSON.stringify([ui.here, before, number, counted, entry]), () => {
      const words = said(entry), button = element("button", { type: "button", class: "move", tabindex: -1 }, ...words);
      button.addEventListener("click", () => page.goTo(before, number));
      const item = element("li", { class: isNext ? "turn" : null }, element("span", { class: "number" }, counted), button);
      return { item, button, entry, number, at: before + 1, isSilent: !words.length };
    }]);
  });
  remarkAt(earlier + log.length);
  const isThere = (/** @type {Line | undefined} */ line, /** @type {number} */ i) => line?.item.isConnected && !line.judged && line.shows === due[i][0];
  const differs = due.findIndex((_, i) => !isThere(list.lines[i], i)), kept = differs < 0 ? due.length : differs;
  for (const line of list.lines.splice(kept)) line.item.remove();
  const added = due.slice(kept).map(([shows, make]) => ({ ...make(), shows, judged: null }));
  list.lines.push(...added);
  byId("log").append(...added.map(line => line.item));
  Object.assign(list, { shown: -1, current: -1 });
}

/** Writes a grade behind its action.
 * @param {Line} line @param {Judged} judged */
function grade(line, judged) {
  line.judged = judged;
  if (!judged.grade) return;
  line.item.dataset.graded = judged.grade;
  const better = judged.best ? [element("small", {}, say("review-was-better", { action: words(judged.best.words) }))] : [];
  line.button.append(" ", ...gradeMark(judged.grade), ` ${known().unit === "penalty" ? "+" : "−"}${worth(judged.loss)}`, ...better);
}

/** The player and the kind of actions that are listed. */
const isListed = (/** @type {Line} */ line) => {
  const player = selectById("by-player").value, only = inputById("only-mistakes").checked;
  if (player === "" && !only) return true;
  return line.number !== null && (player === "" || line.entry?.player === Number(player)) && (!only || Boolean(line.judged && line.judged.grade));
};

/** The pixels by which the list is to be scrolled so that the line of the position shown is in its middle; 0 if all of
 * that line is in the list already, or if it is not listed. */
function awayFromCurrent() {
  const item = list.lines[list.current]?.item, box = byId("log");
  if (!item || item.hidden) return 0;
  const above = item.offsetTop - box.scrollTop, below = box.clientHeight - item.offsetHeight - above;
  return above < 0 || below < 0 ? (above - below) / 2 : 0;
}

/** Scrolls the list, and nothing else, so that the line of the position shown is in it, unless somebody has scrolled
 * away from it. */
function follow() {
  const by = list.isFollowed ? awayFromCurrent() : 0;
  if (by) byId("log").scrollTop += by;
}

/** Keeps the line of the position shown in the list. During a game that is due after an action; in a review after each
 * drawing, because grades and better actions make other lines longer while it is thought out. To know where a line is, the
 * browser lays the page out: this comes last, when nothing more is drawn. */
export function revealCurrent() {
  if (list.isMoved) list.isFollowed = true;
  if (list.isMoved || ui.past) follow();
  list.isMoved = false;
}

/** Draws the list after `seen` entries of the game's log; in a review all of it, with the position that is shown.
 * @param {number} seen
 * @param {{ said: (entry: Entry) => (Node | string)[], begins: (entry: Entry) => boolean, judged: Judged[] | null, remarks: Remark[] }} how */
export function drawMoves(seen, { said, begins, judged, remarks }) {
  const now = known();
  const isReviewed = judged !== null && ui.past !== null;
  const of = `${ui.here} ${now.version} ${judged !== null}`;
  if (list.of !== of || byId("log").childElementCount !== list.lines.length) build(said, begins, remarks);
  list.of = of;
  byId("filters").hidden = !isReviewed;
  for (const line of list.lines) {
    const found = judged && line.number !== null ? judged[line.number] : undefined;
    if (found && line.judged !== found) grade(line, found);
  }
  const shown = isReviewed ? Infinity : seen;
  let current = -1;
  list.lines.forEach((line, i) => {
    const isCurrent = ui.past ? line.number === ui.past.n : line.at <= shown;
    if (line.entry && !line.isSilent && isCurrent) current = i;
    line.item.hidden = line.isSilent || line.at > shown || isReviewed && !isListed(line);
  });
  list.lines.forEach((line, i) => {
    if (i === current) line.item.setAttribute("aria-current", "step");
    else line.item.removeAttribute("aria-current");
  });
  const isMoved = current !== list.current || shown !== list.shown;
  Object.assign(list, { shown, current, isMoved: list.isMoved || isMoved });
}

/** Offers the players to choose from. */
export function drawFilters() {
  const { names } = known(), select = selectById("by-player"), chosen = select.value;
  select.replaceChildren(element("option", { value: "" }, say("moves-everybody")), ...names.map((name, seat) => element("option", { value: seat }, name)));
  select.value = chosen;
}

// The list is one stop of the Tab key, however long it is; arrow keys go from line to line.
byId("log").addEventListener("keydown", event => {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!by) return;
  event.preventDefault();
  event.stopPropagation();
  /** @param {Line} line */
  const isPassed = line => line.item.hidden || !line.entry || known().over && (line.number ?? -1) < 0;
  let at = list.current + by;
  while (list.lines[at] && isPassed(list.lines[at])) at += by;
  list.lines[at]?.button.click();
});

byId("log").addEventListener("scroll", () => { list.isFollowed = awayFromCurrent() === 0; });
// The list itself becomes smaller where something above it grows, and with its window.
new ResizeObserver(follow).observe(byId("log"));

for (const id of ["by-player", "only-mistakes"]) byId(id).addEventListener("change", () => page.draw(false));
