// Several people at one screen: the address of the first is the page's, those of the others follow a `#`. Between
// two of them the table is covered, so that nobody sees what is not theirs.

import { byId, element } from "../../../arena/src/report/assets/dom.js";
import { Refusal, ask, pause, reason } from "./ask.js";
import { isCaughtUp, known, page, seats, ui } from "./state.js";
import { say } from "./texts.js";

/** Who of those at this screen is to sit down now: whoever is to move, if it is not who sits there already; and when
 * the page is new, somebody has to say who sits there. */
function nextHere() {
  const { now } = ui;
  if (!now || ui.past || !isCaughtUp()) return undefined;
  const due = seats.here.find(seat => seat.number === now.to_move && !now.resigned.includes(seat.number));
  if (due && (seats.covered || due.address !== ui.here)) return due;
  return seats.covered && !now.over ? seats.here.find(seat => seat.address === ui.here) : undefined;
}

/** Finds out who sits at this screen.
 * @returns {Promise<void>} */
export async function sitDown() {
  const others = location.hash.slice(1).split(",").filter(secret => /^[0-9a-f]{32}$/.test(secret));
  if (!others.length) return;
  const addresses = [ui.here, ...others.map(secret => ui.here.replace(/[^/]*$/, secret))];
  for (const address of addresses) {
    try {
      const { seat, to_move } = await ask(`${address}/state`);
      if (seat === null) continue;
      seats.here.push({ address, number: seat, seen: null });
      if (seat === to_move) ui.here = address;
    } catch (error) {
      // A link of no seat, say one that was mistyped.
      if (error instanceof Refusal && error.status === 404) continue;
      byId("trouble").textContent = reason(error);
      await pause(1500);
      seats.here.length = 0;
      return sitDown();
    }
  }
  seats.covered = seats.here.length > 1;
}

/** Covers the table if somebody else is to sit down; says whether it did. */
export function drawCover() {
  const next = nextHere();
  if (!next) return false;
  const name = known().names[next.number];
  const current = seats.here.find(seat => seat.address === ui.here);
  if (current) current.seen = ui.seen;
  const button = element("button", { type: "button", class: "main", id: "uncover" }, say("cover-me", { name }));
  button.addEventListener("click", () => {
    // What was being played out goes on once the server has told this seat's game.
    if (ui.timer) clearTimeout(ui.timer);
    Object.assign(ui, { here: next.address, now: null, advice: null, choice: null, timer: null, seen: next.seen || 0 });
    Object.assign(seats, { resumed: next.seen !== null, covered: false });
    byId("status").textContent = "…";
    byId("board").replaceChildren();
    ask(`${ui.here}/state`).then(page.take, error => { byId("trouble").textContent = reason(error); });
  });
  byId("board").replaceChildren(element("div", { class: "cover" }, element("p", {}, say("cover-next", { name })), button));
  for (const id of ["ask", "players", "piles", "log"]) byId(id).replaceChildren();
  for (const id of ["end", "back", "hint", "skip", "pause", "again", "record", "page", "resign", "review", "typing", "forced-row", "advice"]) byId(id).hidden = true;
  byId("status").textContent = say("cover-status", { name });
  button.focus();
  byId("table").dataset.turn = "covered";
  return true;
}
