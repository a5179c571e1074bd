// A first visit to a game: a few hints, each in the place that it is about, until they are read or closed. The browser
// keeps that they were seen.

import { byId, element } from "../../../arena/src/report/assets/dom.js";
import { keep, known, page, recall } from "./state.js";
import { say } from "./texts.js";

/** The hint that is shown, from 0. */
let at = 0;

const game = () => byId("table").dataset.game || "";

/** Shows a hint in its place, or takes it away.
 * @param {string[]} places the ids of the places that the hints are about */
export function drawGuide(places) {
  document.querySelector(".guided")?.classList.remove("guided");
  const now = known();
  if (now.seat === null || now.over || at >= places.length || recall(`guide-${game()}`) !== null) return document.querySelector("#guide")?.remove();
  const place = byId(places[at]);
  place.classList.add("guided");
  const shown = document.querySelector("#guide");
  if (shown instanceof HTMLElement && shown.dataset.at === String(at)) return;
  shown?.remove();
  place.before(hint(places));
}

/** @param {string[]} places */
function hint(places) {
  const isLast = at + 1 === places.length;
  /** @param {string} id @param {string} text @param {number} next */
  const button = (id, text, next) => {
    const node = element("button", { type: "button", id }, text);
    node.addEventListener("click", () => goOn(places, next));
    return node;
  };
  return element("div", { id: "guide", class: "guide", role: "note", "data-at": at },
    element("span", {}, say(`${game()}-guide-${at + 1}`)), element("span", { class: "row" },
      ...(isLast ? [] : [button("guide-next", say("guide-next", { n: at + 1, total: places.length }), at + 1)]),
      button("guide-close", say(isLast ? "guide-done" : "guide-close"), places.length)));
}

/** @param {string[]} places @param {number} next */
function goOn(places, next) {
  at = next;
  if (at >= places.length) keep(`guide-${game()}`, "seen");
  page.draw(false);
  const button = document.querySelector("#guide button");
  if (!(button instanceof HTMLElement)) return;
  button.focus({ preventScroll: true });
  button.scrollIntoView({ block: "nearest" });
}
