// A table: keeps up with the server, plays out what the others do, and asks for what is due. The game's
// own part draws (`drawTable`), says what was done (`said`) and what may be done (`askFor`).

const here = location.pathname.replace(/\/$/, "");
const PACE = 750;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// `now`: what the server last said; `seen`: how many actions have been played out on the page.
const ui = { now: null, seen: 0, timer: null, advice: null, busy: false, choice: null };

const log = () => ui.now.game.log;
const isCaughtUp = () => ui.seen === log().length;
const isMyTurn = () => ui.now.seat !== null && ui.now.to_move === ui.now.seat;

function statusText() {
  const { now } = ui;
  // What nobody does has no player.
  if (!isCaughtUp()) return `${now.names[log()[ui.seen].player] ?? ""} …`.trim();
  if (now.over) return overText(now);
  if (isMyTurn()) return dueText(now);
  const name = now.names[now.to_move];
  if (now.stuck) return `${name} has failed to decide; the server says why`;
  return now.people[now.to_move] ? `Waiting for ${name}` : `${name} is thinking`;
}

function draw(isNew) {
  const { now } = ui;
  const caughtUp = isCaughtUp();
  drawTable(now, ui.seen, { isNew, open: caughtUp && isMyTurn() && !ui.busy, advice: caughtUp ? ui.advice : null });
  byId("status").textContent = statusText();
  document.title = `${caughtUp && isMyTurn() ? "● " : ""}${document.title.replace(/^● /, "")}`;
  byId("end").hidden = !(caughtUp && now.game.may_end);
  byId("hint").hidden = !(caughtUp && isMyTurn());
  byId("back").hidden = !(caughtUp && now.can_take_back);
  byId("skip").hidden = caughtUp;
  byId("record").hidden = !(now.over && caughtUp);
  byId("record").setAttribute("href", `${here}/record`);
  for (const id of ["end", "hint", "back"]) byId(id).disabled = ui.busy;
  const lines = log().slice(0, ui.seen).map((done, i) => element("li", { class: i + 1 === ui.seen ? "last" : null }, ...said(now, done)));
  byId("log").replaceChildren(...lines.reverse());
  drawAdvice(caughtUp ? ui.advice : null);
  Object.assign(byId("table").dataset, { ready: "yes", version: now.version, seen: ui.seen, turn: isMyTurn() && caughtUp ? "mine" : "other", over: now.over });
}

// Plays out what is new, one action after another.
function step() {
  clearTimeout(ui.timer);
  ui.timer = null;
  if (isCaughtUp()) return draw(false);
  ui.seen += 1;
  draw(true);
  const pace = still.matches ? PACE / 2 : PACE;
  if (!isCaughtUp()) ui.timer = setTimeout(step, pace * (log()[ui.seen - 1].pause ?? 1));
}

function take(now) {
  if (ui.now && now.version < ui.now.version) return;
  const first = ui.now === null;
  const changed = first || now.version !== ui.now.version;
  ui.now = now;
  if (changed) { ui.advice = null; ui.choice = null; }
  if (first || ui.seen > log().length) ui.seen = log().length;
  // One's own action is seen at once.
  if (ui.seen + 1 <= log().length && log()[ui.seen].player === now.seat) return step();
  // Nothing new: what is on the page stays, with its focus.
  if (!changed && (isCaughtUp() || ui.timer)) return;
  if (isCaughtUp()) return draw(false);
  clearTimeout(ui.timer);
  draw(false);
  ui.timer = setTimeout(step, PACE / 2);
}

// A chance in percent, or points.
const worth = value => ui.now.unit === "chance" ? `${(100 * value).toFixed(1)} %` : value.toFixed(2);

function drawAdvice(advice) {
  byId("advice").hidden = !advice;
  if (!advice) return;
  const rows = advice.candidates.slice(0, 6).map((candidate, i) => element("tr", {},
    element("td", {}, candidate.words), element("td", { class: "n" }, worth(candidate.value)),
    element("td", { class: "n" }, i === 0 ? "best" : `−${worth(candidate.behind)}`), element("td", {}, candidate.then.join("; "))));
  const value = ui.now.unit === "chance" ? "Chance to win" : "Points expected";
  byId("advice").replaceChildren(element("table", {},
    element("thead", {}, element("tr", {}, ...["Action", value, "Loses", "Then"].map(name => element("th", {}, name)))),
    element("tbody", {}, ...rows)));
}

const pause = ms => new Promise(wake => setTimeout(wake, ms));

async function follow() {
  let earlier = 0;
  for (;;) {
    try {
      const after = ui.now === null ? "" : `?after=${ui.now.version}`;
      const now = await ask(`${here}/state${after}`);
      // A server that was set back to an earlier file counts anew; an answer that was overtaken comes once.
      earlier = ui.now && now.version < ui.now.version ? earlier + 1 : 0;
      if (earlier > 1) ui.now = null;
      take(now);
      if (earlier) await pause(500);
      if (byId("trouble").dataset.lost) { byId("trouble").textContent = ""; delete byId("trouble").dataset.lost; }
    } catch (error) {
      byId("trouble").textContent = error.status === 404 ? "There is no such table any more." : "The connection is lost; trying again …";
      byId("trouble").dataset.lost = "yes";
      if (error.status === 404) return;
      await pause(1500);
    }
  }
}

async function request(what, body) {
  if (ui.busy) return null;
  ui.busy = true;
  byId("trouble").textContent = "";
  draw(false);
  try {
    return await ask(`${here}/${what}`, body);
  } catch (error) {
    byId("trouble").textContent = error.message;
    return null;
  } finally {
    ui.busy = false;
    draw(false);
  }
}

async function act(action) {
  const now = await request("act", { version: ui.now.version, action });
  if (now) take(now);
}

async function back() {
  const now = await request("back", { version: ui.now.version });
  if (now) take(now);
}

async function hint() {
  const version = ui.now.version;
  const asked = request("hint", {});
  byId("advice").hidden = false;
  byId("advice").replaceChildren("thinking …");
  const advice = await asked;
  if (advice && version === ui.now.version) ui.advice = advice;
  draw(false);
}

byId("end").addEventListener("click", () => act(""));
byId("back").addEventListener("click", back);
byId("hint").addEventListener("click", hint);
byId("skip").addEventListener("click", () => { clearTimeout(ui.timer); ui.timer = null; ui.seen = log().length; draw(false); });
addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const button = { e: "end", u: "back", h: "hint", s: "skip" }[event.key];
  if (event.key === "Escape" && ui.now) { ui.choice = null; draw(false); }
  if (button && !byId(button).hidden && !byId(button).disabled) { byId(button).click(); event.preventDefault(); }
});
let width = byId("board").clientWidth;
new ResizeObserver(() => {
  const wide = byId("board").clientWidth;
  if (wide !== width && ui.now) { width = wide; draw(false); }
}).observe(byId("board"));
follow();
