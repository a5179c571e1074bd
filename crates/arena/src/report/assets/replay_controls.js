// The controls of a replay: buttons, slider, keyboard and address. A page calls `replayControls` with a function
// that draws a position; the controls say which one.

import { buttonById, byId, inputById } from "./dom.js";

/** The page's part of a replay.
 * @typedef {object} Replay
 * @property {(number: number, forward: boolean) => void} draw shows a position; `forward` if it follows the one shown before
 * @property {(number: number) => string} address the part of a position's address after the `#`
 * @property {() => unknown} follow shows the game and position that the address names
 * @property {number} pause milliseconds for a position while it plays
 * @property {(by: number) => void} [other] opens the game `by` places further on, if there are several
 * @property {boolean} [playsOn] whether a step forward does not end the playing
 */

/** The page has buttons `first`, `before`, `after` and `last`, a button `play` or a checkbox `auto`, an
 * input `slider` and an output `position`; around them an element `viewer`, if they are not all of the
 * page.
 * @param {Replay} page */
export function replayControls(page) {
  const viewer = document.getElementById("viewer"), auto = /** @type {HTMLInputElement | null} */ (document.getElementById("auto"));
  let number = 0, last = -1, timer = 0;

  /** Shows a position, or the nearest one that there is. `linked`: the address names it from now on.
   * @param {number} to */
  function go(to, linked = true) {
    const before = number;
    number = Math.max(0, Math.min(last, to));
    inputById("slider").value = String(number);
    byId("position").textContent = `${number} / ${last}`;
    buttonById("first").disabled = buttonById("before").disabled = number === 0;
    buttonById("last").disabled = buttonById("after").disabled = number === last;
    page.draw(number, number === before + 1);
    // Browsers refuse too frequent changes of the address. Then it is out of date until the next one.
    if (linked) try { history.replaceState(null, "", `#${page.address(number)}`); } catch { /* see above */ }
  }

  /** Begins another game, whose last position has this number.
   * @param {number} length */
  function open(length, at = 0, linked = true) {
    if (last < 0) listen();
    stop();
    last = length;
    inputById("slider").max = String(last);
    // No position follows this number, so the first one is not drawn as a step forward.
    number = -2;
    go(at, linked);
  }

  /** Shows on the button or checkbox whether the replay plays.
   * @param {boolean} playing */
  function shown(playing) {
    if (auto) auto.checked = playing;
    else byId("play").textContent = playing ? "pause" : "play";
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    shown(false);
  }

  function advance() {
    go(number + 1);
    if (number === last) stop();
    else timer = setTimeout(advance, page.pause);
  }

  function play() {
    if (timer) return stop();
    shown(true);
    if (number === last) go(0);
    timer = setTimeout(advance, page.pause / 3);
  }

  /** Shows a position and ends the playing.
   * @param {number} to */
  function jump(to) {
    stop();
    go(to);
  }

  // One step forward; on a page that wants so, the replay goes on playing from there.
  function forward() {
    const goesOn = page.playsOn && timer;
    jump(number + 1);
    if (!goesOn || number === last) return;
    shown(true);
    timer = setTimeout(advance, page.pause);
  }

  /** @type {Record<string, () => void>} */
  const keys = {
    Home: () => jump(0), ArrowLeft: () => jump(number - 1), ArrowRight: forward, End: () => jump(last), " ": play,
  };
  const { other } = page;
  if (other) Object.assign(keys, { ArrowUp: () => other(-1), ArrowDown: () => other(1) });

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const act = keys[event.key], on = event.target;
    if (!act || !(on instanceof Element) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // Some elements use the key themselves: fields, and buttons for the space bar.
    if (on.matches("select, input:not(#slider, #auto)") || (event.key === " " && on.matches("button, summary, a, #auto"))) return;
    // Outside of the viewer only the sideways arrows count, and only while no element has the focus: the other keys
    // scroll the page.
    const sideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (viewer && !viewer.contains(on) && !(sideways && on === document.body)) return;
    event.preventDefault();
    act();
  }

  function listen() {
    const clicks = { first: "Home", before: "ArrowLeft", after: "ArrowRight", last: "End" };
    for (const [id, key] of Object.entries(clicks)) byId(id).addEventListener("click", keys[key]);
    if (auto) auto.addEventListener("change", play);
    else byId("play").addEventListener("click", play);
    byId("slider").addEventListener("input", () => jump(Number(inputById("slider").value)));
    addEventListener("keydown", pressed);
    addEventListener("hashchange", page.follow);
  }

  return { open, go, jump, stop, get number() { return number; } };
}

/** The game and position that `#KIND=ID&STEP=N` names; none if there is no such game.
 * @param {{ id: string }[]} games
 * @param {string} kind
 * @param {string} step
 * @returns {[number, number] | null} */
export function addressed(games, kind, step) {
  const named = new URLSearchParams(location.hash.slice(1));
  const index = games.findIndex(game => game.id === named.get(kind));
  return index < 0 ? null : [index, Number(named.get(step)) || 0];
}
