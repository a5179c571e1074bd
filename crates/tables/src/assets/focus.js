// The keyboard's focus. Drawing replaces the part that has it, or disables that part while the server is asked. Once
// that part can have the focus again, it gets the focus back.

import { isOpen } from "./state.js";

/** The attributes that tell the choices of a place apart. */
const MARKS = ["data-place", "data-card", "data-action"];

/** The part that had the focus, and the place where that part lets people choose, as selectors. */
let wanted = /** @type {{ part: string, place: string | null } | null} */ (null);

/** Notes which part has the focus. If none has it, the part that was noted before still wants it. */
export function noteFocus() {
  const node = document.activeElement;
  if (!node || node === document.body) return;
  const place = node.closest("#board, #ask"), mark = MARKS.find(name => node.hasAttribute(name));
  if (node.id) wanted = { part: `#${node.id}`, place: null };
  else if (place && mark) wanted = { part: `#${place.id} :is(button, [role="button"])[${mark}=${JSON.stringify(node.getAttribute(mark))}]`, place: `#${place.id}` };
  else wanted = null;
}

/** @param {Element | null} node */
const isUsable = node => node !== null && node !== document.body && !node.matches(":disabled, [hidden], [hidden] *");

/** Gives the focus back. When an action is due and the part has gone, the first choice in its place gets the focus. */
export function giveFocusBack() {
  if (!wanted || isUsable(document.activeElement)) return;
  const choices = isOpen() ? [wanted.place || "#board", "#board", "#ask"].map(place => `${place} :is(button:enabled, [role="button"])`) : [];
  const node = [wanted.part, ...choices].map(selector => document.querySelector(selector)).find(isUsable);
  if (node instanceof HTMLElement || node instanceof SVGElement) node.focus({ preventScroll: true });
}

// Whoever points at something has left the place where the keyboard was.
addEventListener("pointerdown", () => { wanted = null; }, { capture: true });
// The focus goes on to the next choice, and a key that is still held must not take that one too.
addEventListener("keydown", event => {
  if (!event.repeat || event.key !== "Enter") return;
  event.preventDefault();
  event.stopPropagation();
}, { capture: true });
