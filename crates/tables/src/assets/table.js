// A table: keeps up with the server, plays out what the others do, and asks for what is due. What is the game's own
// is done by its part, see `GamePart`.

import { buttonById, byId, element, inputById, still } from "../../../arena/src/report/assets/dom.js";
import { ask, linkToTables, pause, reason, Refusal } from "./ask.js";
import { clocksRead, drawCompany, openCompany } from "./company.js";
import { giveFocusBack, noteFocus } from "./focus.js";
import { drawGuide } from "./guide.js";
import { drawMoves, revealCurrent } from "./moves.js";
import { answer, backToEnd, drawReview, forgetReview, judgedActions, markedActions, openReview } from "./review.js";
import { drawCover, sitDown } from "./seats.js";
import { actionOf, all, earlier, entry, isCaughtUp, isMyTurn, isOpen, keep, known, onlyAction, page, recall, seats, secretOf, shownNow, ui, valueOf, worth } from "./state.js";
import { say, words } from "./texts.js";

/** @typedef {import("./types.d.ts").Now} Now */
/** @typedef {import("./types.d.ts").Sent} Sent */

/** Milliseconds from one action of the others to the next. */
const PACE = 750;

/** The game's part. @type {import("./types.d.ts").GamePart<any>} */
let game;

/** An event of the table in words: somebody has resigned, or has run out of time.
 * @param {"resigned" | "time_up"} what @param {number} seat */
const remarkText = (what, seat) => say(what === "resigned" ? "status-resigned" : "status-time-up", { name: known().names[seat], own: seat === known().seat ? "yes" : "no" });

/** How the game has ended: by whose resignation, who has won, and what the game adds. */
function overText() {
  const now = known(), { winner, resigned } = now;
  const name = winner === null ? "" : now.names[winner];
  const won = winner === null ? "" : resigned.includes(winner) ? say("won-substitute", { name }) : winner === now.seat ? say("won-you") : say("won-other", { name });
  return [...resigned.map(seat => remarkText("resigned", seat)), won, game.overText(now)].filter(text => text).join(" ");
}

function statusText() {
  const now = known();
  if (ui.lesson) return say("status-lesson");
  if (ui.past) return say("status-past", { n: ui.past.n, actions: now.actions });
  if (!isCaughtUp()) {
    const shown = ui.seen > earlier() ? entry(ui.seen - 1) : null;
    if (shown && shown.pause) return element("span", {}, ...game.said(now, shown)).textContent || "";
    const { player } = entry(ui.seen);
    return player === null ? "…" : `${now.names[player]} …`;
  }
  if (now.over || now.to_move === null) return overText();
  if (isMyTurn()) return myTurnText();
  const name = now.names[now.to_move];
  if (now.stuck) return say("status-stuck", { name, reason: now.stuck });
  return say(now.people[now.to_move] ? "status-waiting" : "status-thinking", { name });
}

/** The text of one's own turn: the decision that is due, and whether there is a choice. */
function myTurnText() {
  const only = onlyAction(), due = game.dueText(known());
  if (only === null) return due;
  return only === "" ? say("status-only-end") : `${due} ${say("status-only-one")}`;
}

/** @param {boolean} isNew */
function draw(isNew) {
  const { past } = ui, now = known();
  noteFocus();
  if (drawCover()) return;
  const caughtUp = isCaughtUp();
  const seen = past ? all() : ui.seen;
  game.drawTable(shownNow(), seen, { isNew, open: isOpen(), advice: caughtUp && !past ? ui.advice : null, marked: markedActions() });
  byId("status").textContent = statusText();
  document.title = `${caughtUp && isMyTurn() ? "● " : ""}${document.title.replace(/^● /, "")}`;
  const notes = [...(now.from === null ? [] : [say("table-from", { action: now.from })]), ...now.rules.map(words)];
  byId("from").hidden = !notes.length;
  byId("from").textContent = notes.join(" · ");
  drawButtons();
  const remarks = now.remarks.map(({ what, seat, after }) => ({ after, text: remarkText(what, seat) }));
  drawMoves(ui.seen, { said: done => game.said(now, done), begins: game.begins, judged: judgedActions(), remarks });
  drawAdvice(past ? null : ui.advice && caughtUp ? ui.advice : null);
  drawReview();
  drawCompany();
  playForced();
  drawGuide(game.guide || []);
  Object.assign(byId("table").dataset, { ready: "yes", version: now.version, seen, turn: isMyTurn() && caughtUp ? "mine" : "other", over: now.over });
  giveFocusBack();
  revealCurrent();
}

/** Shows the buttons for what can be done. While others act, the buttons of a player keep their places. */
function drawButtons() {
  const now = known(), caughtUp = isCaughtUp(), plays = now.seat !== null && !(now.over && caughtUp) && !ui.past;
  /** @type {Record<string, [isShown: boolean, isOpen?: boolean]>} */
  const buttons = {
    end: [Boolean(game.endsTurns) && (plays || ui.lesson !== null), isOpen() && shownNow().game.may_end],
    back: [plays || now.can_take_back && !ui.past, caughtUp && now.can_take_back && !ui.busy],
    hint: [(plays && now.hints || now.can_ask) && !ui.past, caughtUp && now.can_ask && !ui.busy],
    resign: [plays && !now.resigned.includes(now.seat || 0), now.can_resign && caughtUp && !ui.busy],
    retry: [caughtUp && now.stuck !== null, !ui.busy],
    skip: [!caughtUp],
    pause: [!caughtUp],
    review: [now.over && caughtUp && !ui.past],
    again: [now.over && caughtUp && now.seat !== null, !ui.busy],
    typing: [isOpen() && !ui.lesson],
    "forced-row": [plays],
  };
  for (const [id, [isShown, mayBeUsed = true]] of Object.entries(buttons)) {
    byId(id).hidden = !isShown;
    const button = byId(id);
    if (button instanceof HTMLButtonElement) button.disabled = !mayBeUsed;
  }
  const [example] = now.game.legal.map(actionOf);
  byId("example").textContent = example ? say("table-example", { action: example }) : "";
  byId("pause").setAttribute("aria-pressed", String(ui.paused));
  byId("again").textContent = say(now.next ? "table-next" : "table-again");
  for (const [id, has] of Object.entries({ record: now.has_record, page: now.has_page })) {
    byId(id).hidden = !(has && caughtUp);
    byId(id).setAttribute("href", `${ui.here}/${id}`);
  }
}

/** The version of the game in which the only possible action was played last; `isHeld` after an action was taken back,
 * so that the same action does not follow at once. */
const forced = { version: -1, isHeld: false };

/** Plays the only possible action after a moment, if the player wants that. */
function playForced() {
  const { version } = known(), action = onlyAction();
  if (!inputById("forced").checked || ui.lesson || forced.isHeld || !isOpen() || action === null || forced.version === version) return;
  forced.version = version;
  setTimeout(() => { if (ui.now && version === ui.now.version && isOpen()) change("act", { version, action }); }, PACE);
}

/** Plays out what is new, one action after another. */
function step() {
  if (ui.timer) clearTimeout(ui.timer);
  ui.timer = null;
  if (isCaughtUp()) return draw(false);
  ui.seen += 1;
  draw(true);
  // An entry may ask for a longer look at what it shows.
  const pace = entry(ui.seen - 1).pause || (still.matches ? PACE / 2 : PACE);
  if (!isCaughtUp() && !ui.paused) ui.timer = setTimeout(step, pace);
}

/** On to what is new; but not past what asks for a longer look. */
function onward() {
  if (ui.timer) clearTimeout(ui.timer);
  Object.assign(ui, { timer: null, paused: false });
  do ui.seen += 1; while (!isCaughtUp() && !entry(ui.seen - 1).pause);
  draw(false);
  if (!isCaughtUp() && !ui.paused) ui.timer = setTimeout(step, entry(ui.seen - 1).pause);
}

/** Takes what the server has sent, and returns whether the page was drawn.
 * @param {Sent} sent @returns {boolean} */
function take(sent) {
  if (ui.now && sent.version < ui.now.version) return false;
  clocksRead();
  const now = { ...sent, names: sent.names.map(words) };
  const first = ui.now === null;
  const changed = ui.now === null || now.version !== ui.now.version || now.news !== ui.now.news;
  const isElsewhere = ui.now === null || now.actions !== ui.now.actions || now.over !== ui.now.over;
  ui.now = now;
  if (isElsewhere) {
    Object.assign(ui, { advice: null, choice: null, past: null });
    forgetReview();
  }
  // Who watches players wants to see them play.
  const isShow = now.seat === null && !now.people.some(person => person);
  if (first && isShow) ui.seen = earlier();
  else if (first && !seats.resumed || ui.seen > all()) ui.seen = all();
  if (ui.seen < earlier()) ui.seen = earlier();
  // Nothing is left to be paused.
  if (isCaughtUp()) ui.paused = false;
  seats.resumed = false;
  // One's own action is seen at once, but an earlier position that is looked at stays.
  const isOwn = !ui.paused && ui.seen + 1 <= all() && entry(ui.seen).player === now.seat && now.seat !== null && !ui.timer;
  // Nothing new: what is on the page stays, with its focus.
  if (!isOwn && !changed && (isCaughtUp() || ui.timer)) return false;
  if (isOwn) step();
  else draw(false);
  if (!isCaughtUp() && !ui.timer && !ui.paused) ui.timer = setTimeout(step, PACE / 2);
  return true;
}

/** How many actions a hint lists until more are asked for. */
const LISTED = 6;

/** How far an action is behind the best one, as it is written: nothing that is shown as 0 is behind.
 * @param {import("./types.d.ts").FullAdvice["candidates"][0]} candidate @param {number} i */
const behind = (candidate, i) => i === 0 ? say("advice-best") : worth(candidate.behind) === worth(0) ? say("advice-tie") : worth(candidate.behind);

/** @param {import("./types.d.ts").FullAdvice | null} advice @param {number} listed */
function drawAdvice(advice, listed = LISTED) {
  const isAsked = ui.busy === "hint";
  byId("advice").hidden = !advice && !isAsked;
  if (isAsked) byId("advice").replaceChildren(say("advice-thinking"));
  if (!advice || isAsked) return;
  // Not every game says what is likely to follow.
  const follows = advice.candidates.some(candidate => candidate.then.length > 0);
  const rows = advice.candidates.slice(0, listed).map((candidate, i) => element("tr", {},
    element("td", {}, words(candidate.words)), element("td", { class: "n" }, valueOf(candidate.value)),
    element("td", { class: "n" }, behind(candidate, i)),
    ...(follows ? [element("td", {}, candidate.then.map(words).join("; "))] : [])));
  const heads = [say("advice-action"), say(`advice-${known().unit}`), say("advice-loses"), ...(follows ? [say("advice-then")] : [])];
  byId("advice").replaceChildren(element("table", {},
    element("thead", {}, element("tr", {}, ...heads.map((name, i) => element("th", { scope: "col", class: i === 1 || i === 2 ? "n" : null }, name)))), element("tbody", {}, ...rows)));
  const all = advice.candidates.length;
  if (all <= listed) return;
  const more = element("button", { type: "button" }, say("advice-more", { n: all }));
  more.addEventListener("click", () => drawAdvice(advice, all));
  byId("advice").append(more);
}

async function follow() {
  let stale = 0;
  for (;;) {
    const { here } = ui;
    let now;
    try {
      // After a failure nothing is waited for: the first answer says that the connection is back.
      const after = ui.now === null || byId("trouble").dataset.lost ? "" : `?after=${ui.now.version}&news=${ui.now.news}`;
      now = /** @type {Sent} */ (await ask(`${here}/state${after}`));
    } catch (error) {
      const isGone = error instanceof Refusal && error.status === 404;
      byId("trouble").textContent = say(isGone ? "table-gone" : "table-lost");
      byId("trouble").dataset.lost = "yes";
      if (isGone) return;
      await pause(1500);
      continue;
    }
    // Somebody else has sat down at the screen meanwhile.
    if (here !== ui.here) continue;
    if (byId("trouble").dataset.lost) { byId("trouble").textContent = ""; delete byId("trouble").dataset.lost; }
    // A server that was set back to an earlier file counts anew; an answer that was overtaken comes once.
    stale = ui.now && now.version < ui.now.version ? stale + 1 : 0;
    if (stale > 1) ui.now = null;
    take(now);
    if (stale) await pause(500);
  }
}

/** Milliseconds after which a page shows that it waits. Most answers come sooner, and a drawing takes tens of these. */
const WAIT = 100;

/** Asks for something to be done, once at a time; none if it was refused. The caller draws what has come of it.
 * @param {string} what
 * @param {unknown} body */
async function request(what, body) {
  if (ui.busy) return null;
  ui.busy = what;
  byId("trouble").textContent = "";
  const waiting = setTimeout(() => draw(false), WAIT);
  try {
    return await ask(`${ui.here}/${what}`, body);
  } catch (error) {
    byId("trouble").textContent = reason(error);
    return null;
  } finally {
    clearTimeout(waiting);
    ui.busy = "";
  }
}

/** Asks for something that changes the table.
 * @param {string} what
 * @param {object} body */
async function change(what, body) {
  const now = await request(what, body);
  if (!now || !take(now)) draw(false);
}

/** Takes an action, in the contest's notation.
 * @param {string} action */
export function act(action) {
  forced.isHeld = false;
  return ui.lesson ? answer(action) : change("act", { version: known().version, action });
}

/** Goes to an entry of the log: in the review, or during the game by stopping the play after it.
 * @param {number} at @param {number | null} action */
function goTo(at, action) {
  if (known().over) {
    if (action !== null && action >= 0) openReview(action);
    return;
  }
  if (ui.timer) clearTimeout(ui.timer);
  Object.assign(ui, { timer: null, seen: at + 1, paused: at + 1 < all(), choice: null });
  draw(false);
}

async function hint() {
  const { version } = known();
  const asked = request("hint", {});
  draw(false);
  const advice = await asked;
  if (advice && version === known().version) ui.advice = advice;
  draw(false);
  // Below a large board nobody would see the table. The best action is enough, so that the board stays in view with it.
  document.querySelector("#advice tbody tr")?.scrollIntoView({ block: "nearest" });
}

/** Everybody is told the own link; those at one screen go on together. */
async function again() {
  const now = known().next ? known() : await request("again", {});
  if (!now) return draw(false);
  const others = seats.here.filter(seat => seat.address !== ui.here);
  const states = await Promise.all(others.map(seat => ask(`${seat.address}/state`)));
  location.href = now.next + (states.length ? `#${states.map(state => secretOf(state.next)).join(",")}` : "");
}

/** @param {KeyboardEvent} event */
export const isPlainKey = event => !(event.ctrlKey || event.metaKey || event.altKey) &&
  !(event.target instanceof Element && /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName));

/** @param {KeyboardEvent} event */
function pressed(event) {
  // A key that is held moves through the review, but takes one action back, and no more.
  if (!isPlainKey(event) || event.repeat && !event.key.startsWith("Arrow")) return;
  /** @type {Record<string, string>} */
  const keys = { e: "end", u: "back", h: "hint", s: "skip", p: "pause", r: "review", ...(ui.past && !ui.lesson ? { ArrowLeft: "earlier", ArrowUp: "earlier", ArrowRight: "later", ArrowDown: "later" } : {}) };
  if (event.key === "Escape" && ui.now) {
    if (ui.past) backToEnd();
    else { ui.choice = null; draw(false); }
  }
  const button = keys[event.key] ? buttonById(keys[event.key]) : null;
  if (button && !button.hidden && !button.disabled) { button.click(); event.preventDefault(); }
}

function listen() {
  /** @type {Record<string, () => unknown>} */
  const clicks = {
    end: () => act(""), back: () => { forced.isHeld = true; return change("back", { version: known().version }); }, retry: () => change("retry", {}), hint, again, skip: onward,
    async resign() {
      if (!confirm(say("table-resign-sure"))) return;
      // A request just before it, such as an action, may not be answered yet.
      while (ui.busy) await pause(WAIT);
      change("resign", {});
    },
    pause() {
      ui.paused = !ui.paused;
      if (ui.timer) clearTimeout(ui.timer);
      ui.timer = ui.paused ? null : setTimeout(step, 0);
      draw(false);
    },
  };
  linkToTables(byId("tables-link"));
  inputById("forced").checked = recall("forced") === "yes";
  inputById("forced").addEventListener("change", () => {
    keep("forced", inputById("forced").checked ? "yes" : "no");
    forced.isHeld = false;
    draw(false);
  });
  for (const [id, click] of Object.entries(clicks)) byId(id).addEventListener("click", click);
  byId("typed").addEventListener("submit", async event => {
    event.preventDefault();
    await act(inputById("notation").value.trim());
    const refused = byId("trouble").textContent;
    if (refused) byId("trouble").textContent = say("table-impossible", { reason: refused });
    else inputById("notation").value = "";
  });
  addEventListener("keydown", pressed);
  // In a game the board is as high as its picture; in a review the picture is as high as the board.
  const size = () => `${byId("board").clientWidth} ${ui.past ? byId("board").clientHeight : ""}`;
  let drawn = size();
  new ResizeObserver(() => {
    const now = size();
    if (now === drawn || !ui.now) return;
    drawn = now;
    // Until the next frame somebody else may sit down, whose game the server has yet to tell.
    requestAnimationFrame(() => { if (ui.now) draw(false); });
  }).observe(byId("board"));
}

/** Opens the table with a game's part.
 * @param {import("./types.d.ts").GamePart<any>} part */
export function open(part) {
  game = part;
  Object.assign(page, { draw, take, goTo });
  listen();
  openCompany();
  for (const figure of document.querySelectorAll("figure[data-example]")) {
    if (figure instanceof HTMLElement && game.drawExample) figure.prepend(game.drawExample(JSON.parse(figure.dataset.example || "")));
  }
  sitDown().then(follow);
}
