// A game that is over: stepping through it, what its actions were worth, going on from an earlier position.

import { buttonById, byId, element, inputById, shape, still } from "../../../arena/src/report/assets/dom.js";
import { ask, pause, reason } from "./ask.js";
import { fullName, known, page, seats, secretOf, ui, valueOf, worth } from "./state.js";
import { say, words } from "./texts.js";

/** @typedef {import("./types.d.ts").Review} Review */

/** `run` and `step` count what was asked, so that late answers are known. */
const review = { data: /** @type {Review | null} */ (null), asked: false, run: 0, step: 0 };

/** How grades are written. */
const GRADED = { doubtful: "?!", mistake: "?", blunder: "??" };

/** @param {import("./types.d.ts").Grade | null} grade */
function gradeMark(grade) {
  if (!grade) return [];
  const name = say(`grade-${grade}`);
  return [element("span", { class: `how how-${grade}`, title: name, role: "img", "aria-label": name }, GRADED[grade])];
}

/** Forgets what was looked at: the game has gone on. */
export function forgetReview() {
  Object.assign(review, { data: null, asked: false, run: review.run + 1 });
  byId("review-panel").hidden = true;
}

/** The number of actions before the position shown. */
const shownStep = () => ui.past ? ui.past.n : known().actions;

/** Shows the position before action `n`, from 0; all cards lie open.
 * @param {number} n */
export async function stepTo(n) {
  const now = known();
  const last = (now.game.earlier || 0) + now.game.log.length, actions = Math.max(0, Math.min(n, now.actions));
  const step = ++review.step, run = review.run;
  // While the slider moves, the places that it has left are not asked for.
  await pause(30);
  if (step !== review.step) return;
  try {
    const at = await ask(`${ui.here}/at/${actions}`);
    if (step !== review.step || run !== review.run) return;
    ui.past = { n: actions, now: { ...known(), over: at.to_move === null, to_move: at.to_move, game: at.game } };
  } catch (error) {
    byId("trouble").textContent = reason(error);
    return;
  }
  ui.seen = last;
  page.draw(false);
}

/** Leaves the review. */
export function backToEnd() {
  review.step += 1;
  ui.past = null;
  byId("review-panel").hidden = true;
  page.draw(false);
}

async function beginReview() {
  byId("review-panel").hidden = false;
  if (!review.asked) {
    review.asked = true;
    followReview();
  }
  await stepTo(known().actions);
  byId("review-panel").scrollIntoView({ block: "nearest", behavior: still.matches ? "auto" : "smooth" });
}

async function followReview() {
  const run = review.run;
  for (;;) {
    let data;
    try {
      data = /** @type {Review} */ (await ask(`${ui.here}/review`, {}));
      // The game has gone on meanwhile.
      if (run !== review.run) return;
      review.data = data;
    } catch (error) {
      if (run !== review.run) return;
      byId("trouble").textContent = reason(error);
      review.asked = false;
      return;
    }
    drawReview();
    if (data.actions.length >= data.total) {
      byId("review-panel").dataset.ready = "yes";
      return;
    }
    await pause(700);
  }
}

/** With its sign, but for what is shown as 0.
 * @param {number} value */
const signed = value => `${worth(Math.abs(value)) === worth(0) ? "" : value < 0 ? "−" : "+"}${worth(Math.abs(value))}`;

/** What is said of the action that follows the position shown. */
function verdict() {
  const judged = review.data && ui.past && review.data.actions[ui.past.n];
  if (!judged) return [ui.past && ui.past.n === known().actions ? say("review-end") : ""];
  const what = say("review-action", { name: known().names[judged.seat], action: judged.taken.words });
  const value = judged.value === null ? "" : ` ${valueOf(judged.value)}`;
  const better = judged.best && judged.loss >= 0.005 ? `; ${say("review-better", { loss: worth(judged.loss), action: judged.best.words })}` : "";
  const luck = judged.luck === null || Math.abs(judged.luck) < 0.005 ? "" : `; ${say("review-luck", { luck: signed(judged.luck) })}`;
  return [what, ...gradeMark(judged.grade), `${value}${better}${luck}`];
}

/** What the game's part draws of the best action.
 * @param {number} n */
export function bestOf(n) {
  const judged = review.data && review.data.actions[n];
  return judged && judged.picture ? { candidates: [{ picture: judged.picture }] } : null;
}

/** @param {Review} review */
function accountsTable({ accounts, total, actions }) {
  const rows = accounts.map((account, seat) => element("tr", {}, element("th", { scope: "row" }, fullName(known(), seat)),
    ...[account.decisions, worth(account.rate), account.doubtful, account.mistakes, account.blunders,
      account.luck === null ? "–" : signed(account.luck)].map(value => element("td", { class: "n" }, String(value)))));
  const heads = ["", say("review-decisions"), say("review-rate"), "?!", "?", "??", say("review-luck-head")];
  const progress = actions.length < total ? element("p", { class: "note", role: "status" }, say("review-progress", { done: actions.length, total })) : "";
  return [progress, element("div", { class: "wide-table", tabindex: 0, role: "region", "aria-label": say("review-accounts") },
    element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((name, i) => element("th", { scope: "col", class: i ? "n" : null }, name)))), element("tbody", {}, ...rows)))];
}

/** Each seat's own estimate at its decisions.
 * @param {Review} review */
function curve({ actions, total, unit }) {
  const W = 640, H = 170, M = 8;
  const values = actions.flatMap(judged => judged.value === null ? [] : [judged.value]);
  const [low, high] = unit === "chance" ? [0, 1] : [Math.min(...values, 0), Math.max(...values, unit === "points" ? 1 : 0)];
  /** @param {number} n */
  const x = n => M + (W - 2 * M) * n / Math.max(1, total);
  /** @param {number} value */
  const y = value => H - M - (H - 2 * M) * (value - low) / (high - low || 1);
  const root = shape("svg", { viewBox: `0 0 ${W} ${H}`, class: "curve", role: "img", "aria-label": say(`review-curve-${unit}`) });
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    const level = y(low + part * (high - low));
    root.append(shape("line", { x1: M, x2: W - M, y1: level, y2: level, class: "grid" }));
    if (part * 2 === Math.round(part * 2)) root.append(shape("text", { x: M + 3, y: level + (part === 1 ? 12 : -4), class: "scale" }, valueOf(low + part * (high - low))));
  }
  const { names } = known();
  names.forEach((name, seat) => {
    const own = actions.flatMap(judged => judged.seat === seat && judged.value !== null ? [{ ...judged, value: judged.value }] : []);
    const points = own.map(judged => `${x(judged.number).toFixed(1)},${y(judged.value).toFixed(1)}`).join(" ");
    root.append(shape("polyline", { points, class: `line p${seat + 1}` }));
    for (const { number, value, grade, taken } of own) {
      if (!grade) continue;
      const mark = shape("circle", { cx: x(number), cy: y(value), r: { doubtful: 3.5, mistake: 5, blunder: 6 }[grade], class: `mark ${grade} p${seat + 1}` },
        shape("title", {}, `${say("review-action", { name, action: taken.words })} ${GRADED[grade]}`));
      mark.addEventListener("click", () => stepTo(number));
      root.append(mark);
    }
  });
  if (ui.past) root.append(shape("line", { x1: x(ui.past.n), x2: x(ui.past.n), y1: 0, y2: H, class: "now" }));
  root.addEventListener("click", event => {
    const box = root.getBoundingClientRect();
    if (event.target instanceof Element && event.target.closest(".mark")) return;
    stepTo(Math.round(((event.clientX - box.left) / box.width * W - M) / (W - 2 * M) * total));
  });
  const legend = element("p", { class: "curve-keys" }, ...names.map((_, seat) => element("span", { class: `p${seat + 1}` }, fullName(known(), seat))));
  return [root, legend];
}

/** @param {Review} review */
function mistakeList({ actions }) {
  const worst = actions.filter(judged => judged.grade).sort((a, b) => b.loss - a.loss).slice(0, 20);
  if (!worst.length) return [element("p", { class: "note" }, say("review-no-mistakes"))];
  return [element("ol", { class: "mistakes" }, ...worst.map(judged => {
    const what = say("review-action", { name: known().names[judged.seat], action: judged.taken.words });
    const button = element("button", { type: "button", "data-action": judged.number },
      `${judged.number + 1}. ${what}`, ...gradeMark(judged.grade), ` ${known().unit === "penalty" ? "+" : "−"}${worth(judged.loss)}`);
    button.addEventListener("click", () => stepTo(judged.number));
    return element("li", {}, button, element("span", { class: "note" }, ` ${say("review-was-better", { action: judged.best ? words(judged.best.words) : "–" })}`));
  }))];
}

/** Draws what is known of the review, if it is shown. */
export function drawReview() {
  if (byId("review-panel").hidden || !ui.now) return;
  const { actions, seat } = ui.now;
  const n = shownStep();
  const slider = inputById("step");
  slider.max = String(actions);
  slider.value = String(n);
  slider.setAttribute("aria-valuetext", say("review-step", { n, actions }));
  byId("verdict").replaceChildren(...verdict());
  byId("branch").hidden = seat === null;
  if (!review.data) return;
  byId("accounts").replaceChildren(...accountsTable(review.data));
  byId("curve").replaceChildren(...curve(review.data));
  // A list that is being used is not exchanged under the fingers.
  if (!byId("mistakes").contains(document.activeElement)) byId("mistakes").replaceChildren(...mistakeList(review.data));
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

buttonById("review").addEventListener("click", beginReview);
buttonById("leave-review").addEventListener("click", backToEnd);
inputById("step").addEventListener("input", () => stepTo(Number(inputById("step").value)));
buttonById("earlier").addEventListener("click", () => stepTo(shownStep() - 1));
buttonById("later").addEventListener("click", () => stepTo(shownStep() + 1));
buttonById("branch").addEventListener("click", playOn);
