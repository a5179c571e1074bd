// The curve of a review: each player's own estimate at its decisions, with marks at the mistakes.

import { byId, element, shape } from "../../../arena/src/report/assets/dom.js";
import { GRADED } from "./moves.js";
import { fullName, known, valueOf } from "./state.js";
import { say } from "./texts.js";

/** @typedef {import("./types.d.ts").Review} Review */

/** Pixels around the curve. */
const MARGIN = 8;

/** The picture on the page, and the review and the size that it was made from. */
const drawn = { of: "", x: (/** @type {number} */ n) => n, cursor: /** @type {SVGElement | null} */ (null) };

/** Draws the curve in pixels, so that its texts have the same size on every screen.
 * @param {Review} review @param {number} W @param {number} H @param {(n: number) => void} stepTo */
function picture({ actions, total, unit }, W, H, stepTo) {
  const M = MARGIN, values = actions.flatMap(judged => judged.value === null ? [] : [judged.value]);
  const [low, high] = unit === "chance" ? [0, 1] : [Math.min(...values, 0), Math.max(...values, unit === "points" ? 1 : 0)];
  /** @param {number} n */
  const x = n => M + (W - 2 * M) * n / Math.max(1, total);
  /** @param {number} value */
  const y = value => H - M - (H - 2 * M) * (value - low) / (high - low || 1);
  const root = shape("svg", { width: W, height: H, viewBox: `0 0 ${W} ${H}`, class: "curve", role: "img", "aria-label": say(`review-curve-${unit}`) });
  const scale = [];
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    const value = low + part * (high - low), level = y(value);
    root.append(shape("line", { x1: M, x2: W - M, y1: level, y2: level, class: "grid" }));
    const text = unit === "chance" ? `${100 * value}\u00a0%` : valueOf(value);
    // Three texts need room above each other.
    if (part === 0 || part === 1 || part === 0.5 && H > 100) scale.push(shape("text", { x: M + 3, y: level + (part === 1 ? 12 : -4), class: "scale" }, text));
  }
  known().names.forEach((name, seat) => {
    const own = actions.flatMap(judged => judged.seat === seat && judged.value !== null ? [{ ...judged, value: judged.value }] : []);
    const points = own.map(judged => `${x(judged.number).toFixed(1)},${y(judged.value).toFixed(1)}`).join(" ");
    root.append(shape("polyline", { points, class: `line p${seat + 1}` }));
    for (const { number, value, grade, taken } of own) {
      if (!grade) continue;
      const mark = shape("circle", { cx: x(number), cy: y(value), r: { doubtful: 3.5, mistake: 5, blunder: 6 }[grade], class: `mark ${grade} p${seat + 1}` },
        shape("title", {}, `${say("review-action", { name, action: taken.words })} ${GRADED[grade]}`));
      mark.addEventListener("click", event => { event.stopPropagation(); stepTo(number); });
      root.append(mark);
    }
  });
  // Above the lines, which would hide them.
  root.append(...scale);
  root.addEventListener("click", event => {
    const box = root.getBoundingClientRect();
    stepTo(Math.round(((event.clientX - box.left) / box.width * W - M) / (W - 2 * M) * total));
  });
  return { root, x };
}

/** The names beside a piece of each line, drawn as the line itself is. */
const legend = () => element("p", { class: "curve-keys" }, ...known().names.map((_, seat) => element("span", {},
  shape("svg", { width: 28, height: 8, class: "curve-key", "aria-hidden": "true" }, shape("line", { x1: 0, x2: 28, y1: 4, y2: 4, class: `line p${seat + 1}` })), fullName(known(), seat))));

/** Draws the curve if it has changed, and the line at the position shown.
 * @param {Review} review @param {number} n @param {(n: number) => void} stepTo */
export function drawCurve(review, n, stepTo) {
  const box = byId("curve"), W = Math.max(160, box.clientWidth), H = innerHeight < 560 || innerWidth <= 900 ? 66 : 150;
  const of = `${known().version} ${review.actions.length} ${W} ${H}`;
  if (drawn.of !== of || !box.firstChild) {
    const { root, x } = picture(review, W, H, stepTo);
    const cursor = shape("line", { y1: 0, y2: H, class: "now" });
    root.append(cursor);
    box.replaceChildren(root, legend());
    Object.assign(drawn, { of, x, cursor });
  }
  for (const end of ["x1", "x2"]) drawn.cursor?.setAttribute(end, drawn.x(n).toFixed(1));
}
