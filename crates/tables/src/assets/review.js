// A game that is over: stepping through it, what its actions were worth, going on from an earlier position.

import { buttonById, byId, element, inputById } from "../../../arena/src/report/assets/dom.js";
import { ask, pause, reason } from "./ask.js";
import { drawCurve } from "./curve.js";
import { drawFilters, entryOf, gradeMark } from "./moves.js";
import { fullName, known, page, seats, secretOf, ui, valueOf, worth } from "./state.js";
import { say } from "./texts.js";

/** @typedef {import("./types.d.ts").Review} Review */
/** @typedef {import("./types.d.ts").Judged} Judged */

/** `run` and `step` count what was asked, so that late answers are known. */
const review = { data: /** @type {Review | null} */ (null), asked: false, run: 0, step: 0, accounts: "" };

/** The actions that have been judged so far; none before the review is asked for. */
export const judgedActions = () => review.data && review.data.actions;

/** Forgets what was looked at: the game has gone on. */
export function forgetReview() {
  Object.assign(review, { data: null, asked: false, run: review.run + 1, accounts: "" });
  ui.lesson = null;
  showPanel(false);
}

/** Lays the page out for a review, in which the board stays in view, or for playing.
 * @param {boolean} isOpen */
function showPanel(isOpen) {
  for (const id of ["review-panel", "review-bar", "accounts"]) byId(id).hidden = !isOpen;
  byId("table").classList.toggle("reviewing", isOpen);
  byId("table").classList.remove("learning", "asking");
}

/** The number of actions before the position shown. */
const shownStep = () => ui.past ? ui.past.n : known().actions;

/** Shows the position before action `n`, from 0: in a lesson as the player saw it, else with all cards open.
 * @param {number} n */
export async function stepTo(n) {
  const actions = Math.max(0, Math.min(n, known().actions)), { lesson } = ui;
  const step = ++review.step, run = review.run;
  // While the slider moves, the places that it has left are not asked for.
  await pause(30);
  if (step !== review.step) return;
  try {
    const at = await ask(`${ui.here}/at/${actions}${lesson ? "?own=true" : ""}`);
    if (step !== review.step || run !== review.run) return;
    ui.past = { n: actions, now: { ...known(), over: at.to_move === null, to_move: at.to_move, game: at.game } };
  } catch (error) {
    byId("trouble").textContent = reason(error);
    return;
  }
  ui.choice = null;
  page.draw(false);
}

/** Leaves the review. */
export function backToEnd() {
  review.step += 1;
  ui.past = null;
  ui.lesson = null;
  showPanel(false);
  page.draw(false);
}

/** Opens the review at the position before action `n`.
 * @param {number} n */
export async function openReview(n) {
  ui.lesson = null;
  if (byId("review-panel").hidden) drawFilters();
  showPanel(true);
  scrollTo(0, 0);
  if (!review.asked) {
    review.asked = true;
    followReview();
  }
  await stepTo(n);
}

/** Asks for what has been judged since, again and again: soon at first, so that the first mistakes show at once. */
async function followReview() {
  const run = review.run;
  for (let wait = 60; ; wait = Math.min(700, wait * 1.4)) {
    try {
      const from = review.data ? review.data.actions.length : 0;
      const data = /** @type {Review} */ (await ask(`${ui.here}/review`, { from }));
      // The game has gone on meanwhile.
      if (run !== review.run) return;
      review.data = { ...data, actions: [...(review.data ? review.data.actions : []), ...data.actions] };
    } catch (error) {
      if (run !== review.run) return;
      byId("trouble").textContent = reason(error);
      review.asked = false;
      return;
    }
    if (ui.past) page.draw(false);
    if (review.data.actions.length >= review.data.total) {
      byId("review-panel").dataset.ready = "yes";
      return;
    }
    await pause(wait);
  }
}

/** With its sign, but for what is shown as 0.
 * @param {number} value */
const signed = value => `${worth(Math.abs(value)) === worth(0) ? "" : value < 0 ? "−" : "+"}${worth(Math.abs(value))}`;

/** The action that follows the position shown, if it has been judged. */
const judgedNext = () => review.data && ui.past ? review.data.actions[ui.past.n] : undefined;

/** The actions that the game's part marks on the board: the one that was taken, and a better one. A lesson marks them
 * once its question is answered. */
export function markedActions() {
  if (!ui.past || ui.lesson && !ui.lesson.isSolved) return null;
  const judged = judgedNext();
  return { taken: entryOf(ui.past.n), better: judged && judged.best && judged.loss >= 0.005 ? judged.picture : null };
}

/** The words about the action that follows the position shown. */
function verdict() {
  const judged = judgedNext();
  if (!judged) return [ui.past && ui.past.n === known().actions ? say("review-end") : ""];
  const value = judged.value === null ? "" : ` ${valueOf(judged.value)}`;
  const luck = judged.luck === null || Math.abs(judged.luck) < 0.005 ? "" : `; ${say("review-luck", { luck: signed(judged.luck) })}`;
  const what = say("review-action", { name: judged.seat === known().seat ? say("you") : known().names[judged.seat], action: judged.taken.words });
  const better = judged.best && judged.loss >= 0.005 ? [element("div", { class: "is-better" }, say("review-better", { loss: worth(judged.loss), action: judged.best.words }))] : [];
  return [element("div", { class: "is-taken" }, what, ...gradeMark(judged.grade), `${value}${luck}`), ...better];
}

/** The numbers of one's own mistakes, in order. */
const ownMistakes = () => (review.data ? review.data.actions : []).filter(judged => judged.grade && judged.seat === known().seat).map(judged => judged.number);

/** Shows one's own next mistake as a question, or the first one.
 * @param {number} at */
async function teach(at) {
  const numbers = ownMistakes();
  if (at >= numbers.length) return openReview(shownStep());
  ui.lesson = { at, isSolved: false, tried: null };
  await stepTo(numbers[at]);
}

/** Judges the answer to the question of a lesson.
 * @param {string} action */
export async function answer(action) {
  const { lesson, past } = ui;
  if (!lesson || !past || ui.busy) return;
  ui.busy = "judge";
  page.draw(false);
  try {
    const tried = /** @type {Judged} */ (await ask(`${ui.here}/judge`, { number: past.n, action }));
    // As good as the best, but for a loss that is too small for a mark.
    if (ui.lesson === lesson) Object.assign(lesson, { tried, isSolved: lesson.isSolved || tried.grade === null });
  } catch (error) {
    byId("trouble").textContent = reason(error);
  }
  Object.assign(ui, { busy: "", choice: null });
  page.draw(false);
}

/** The question of a lesson, what the last answer was worth, and the ways on.
 * @param {import("./types.d.ts").Lesson} lesson */
function question({ at, isSolved, tried }) {
  const judged = judgedNext(), total = ownMistakes().length;
  if (!judged) return [];
  /** @param {string} id @param {() => unknown} click */
  const button = (id, click) => {
    const node = element("button", { type: "button", id }, say(id));
    node.addEventListener("click", click);
    return node;
  };
  const found = tried && say(isSolved && tried.grade === null ? "lesson-right" : "lesson-wrong", { action: tried.taken.words, loss: worth(tried.loss) });
  return [
    element("div", {}, say("lesson-question", { n: at + 1, total, action: judged.taken.words, loss: worth(judged.loss) })),
    ...(found ? [element("div", { class: isSolved ? "is-better" : "is-taken" }, found)] : []),
    ...(isSolved ? verdict().slice(1) : []),
    element("p", { class: "row" }, ...(isSolved ? [] : [button("lesson-show", () => { ui.lesson = { at, tried, isSolved: true }; page.draw(false); })]),
      ...(at + 1 < total ? [button("lesson-next", () => teach(at + 1))] : []), button("lesson-end", () => openReview(shownStep()))),
  ];
}

/** @param {Review} review */
function accountsTable({ accounts, total, actions, unit }) {
  const rows = accounts.map((account, seat) => element("tr", {}, element("th", { scope: "row" }, fullName(known(), seat)),
    ...[account.decisions, worth(account.rate), account.doubtful, account.mistakes, account.blunders,
      account.luck === null ? "–" : signed(account.luck)].map(value => element("td", { class: "n" }, String(value)))));
  const heads = ["", say("review-decisions"), say("review-rate"), "?!", "?", "??", say("review-luck-head")];
  const progress = actions.length < total ? element("p", { class: "note", role: "status" }, say("review-progress", { done: actions.length, total })) : "";
  return [element("h2", {}, say("review-accounts")), progress, element("div", { class: "wide-table", tabindex: 0, role: "region", "aria-label": say("review-accounts") },
    element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((name, i) => element("th", { scope: "col", class: i ? "n" : null }, name)))), element("tbody", {}, ...rows))),
  ...["marks", "rate", "luck"].map(what => element("p", { class: "note" }, say(`review-about-${what}`, { unit })))];
}

/** Draws what is known of the review, if it is shown. */
export function drawReview() {
  if (byId("review-panel").hidden || !ui.now) return;
  const { actions, names, resigned, seat } = ui.now, n = shownStep(), { data } = review;
  const slider = inputById("step");
  slider.max = String(actions);
  slider.value = String(n);
  slider.setAttribute("aria-valuetext", say("review-step", { n, actions }));
  // Texts that stay the same are not said again, and buttons keep the focus.
  const shown = element("div", {}, ...(ui.lesson ? question(ui.lesson) : verdict()));
  if (shown.innerHTML !== byId("verdict").innerHTML) byId("verdict").replaceChildren(...shown.childNodes);
  byId("table").classList.toggle("learning", ui.lesson !== null);
  // A question hides the better actions in the list.
  byId("table").classList.toggle("asking", ui.lesson !== null && !ui.lesson.isSolved);
  // After the last action nobody is to act, unless a resignation has ended a game of two.
  byId("branch").hidden = seat === null || n === actions && !(names.length === 2 && resigned.length);
  byId("lesson").hidden = ui.lesson !== null || !ownMistakes().length;
  if (!data) return;
  drawCurve(data, n, number => openReview(number));
  const accounts = `${ui.now.version} ${data.actions.length}`;
  if (review.accounts !== accounts) byId("accounts").replaceChildren(...accountsTable(data));
  review.accounts = accounts;
}

async function playOn() {
  try {
    const { seat } = known();
    if (seat === null) return;
    const others = seats.here.filter(other => other.address !== ui.here);
    const table = await ask(`${ui.here}/branch`, { actions: shownStep(), with: others.map(other => secretOf(other.address)) });
    const links = others.map(other => secretOf(table.links[other.number]));
    location.href = table.links[seat] + (links.length ? `#${links.join(",")}` : "");
  } catch (error) {
    byId("trouble").textContent = reason(error);
  }
}

buttonById("review").addEventListener("click", () => openReview(known().actions));
buttonById("leave-review").addEventListener("click", backToEnd);
buttonById("lesson").addEventListener("click", () => teach(0));
inputById("step").addEventListener("input", () => openReview(Number(inputById("step").value)));
buttonById("earlier").addEventListener("click", () => openReview(shownStep() - 1));
buttonById("later").addEventListener("click", () => openReview(shownStep() + 1));
buttonById("branch").addEventListener("click", playOn);
