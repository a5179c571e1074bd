// A table: keeps up with the server, plays out what the others do, and asks for what is due. The game's
// own part draws (`drawTable`), says what was done (`said`) and what may be done (`askFor`).

const PACE = 750;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// `here`: the address of the seat; `now`: what the server last said; `seen`: how many entries of the log have been
// played out on the page; `past`: an earlier position of a game that is over.
const ui = { here: location.pathname.replace(/\/$/, ""), now: null, seen: 0, timer: null, paused: false, advice: null, busy: false, choice: null, past: null };

const shownNow = () => ui.past ? ui.past.now : ui.now;
const log = () => shownNow().game.log;
// A long game sends the end of its log: `earlier` entries came before.
const earlier = () => shownNow().game.earlier || 0;
const all = () => earlier() + log().length;
const entry = at => log()[at - earlier()];
const isCaughtUp = () => ui.past !== null || ui.seen === all();
const isMyTurn = () => ui.past === null && ui.now.seat !== null && ui.now.to_move === ui.now.seat && !ui.now.resigned.includes(ui.now.seat);

function statusText() {
  const { now } = ui;
  if (ui.past) return `After ${ui.past.n} of ${now.actions} actions`;
  if (!isCaughtUp()) {
    const shown = ui.seen > earlier() ? entry(ui.seen - 1) : {};
    if (shown.pause) return element("span", {}, ...said(now, shown)).textContent;
    const { player } = entry(ui.seen);
    return player === null ? "…" : `${now.names[player]} …`;
  }
  if (now.over && now.resigned.length) return `${now.names[now.resigned[0]]} ${now.resigned[0] === now.seat ? "(you) " : ""}resigned.`;
  if (now.over) return overText(now);
  if (isMyTurn()) return dueText(now);
  const name = now.names[now.to_move];
  if (now.stuck) return `${name} has not decided: ${now.stuck}`;
  return now.people[now.to_move] ? `Waiting for ${name}` : `${name} is thinking`;
}

function draw(isNew) {
  const { now, past } = ui;
  if (isCovered()) return drawCover();
  const caughtUp = isCaughtUp();
  const seen = past ? all() : ui.seen;
  const advice = past ? bestOf(past.n) : caughtUp ? ui.advice : null;
  drawTable(shownNow(), seen, { isNew, open: caughtUp && isMyTurn() && !ui.busy, advice });
  byId("status").textContent = statusText();
  document.title = `${caughtUp && isMyTurn() ? "● " : ""}${document.title.replace(/^● /, "")}`;
  byId("from").hidden = now.from === null;
  byId("from").textContent = now.from === null ? "" : `This game goes on from action ${now.from} of another one: who has seen its end knows cards of this one.`;
  byId("end").hidden = !(caughtUp && !past && now.game.may_end);
  byId("hint").hidden = !(caughtUp && now.can_ask);
  byId("back").hidden = !(caughtUp && !past && now.can_take_back);
  byId("retry").hidden = !(caughtUp && now.stuck);
  byId("skip").hidden = caughtUp;
  byId("pause").hidden = caughtUp;
  byId("pause").setAttribute("aria-pressed", String(ui.paused));
  byId("review").hidden = !(now.over && caughtUp);
  byId("again").textContent = now.next ? "On to the next game" : "Play again";
  byId("again").hidden = !(now.over && caughtUp && now.seat !== null);
  byId("record").hidden = !(now.has_record && caughtUp);
  byId("resign").hidden = !(now.can_resign && caughtUp && !past);
  byId("typing").hidden = !(caughtUp && isMyTurn());
  byId("record").setAttribute("href", `${ui.here}/record`);
  byId("page").hidden = !(now.has_page && caughtUp);
  byId("page").setAttribute("href", `${ui.here}/page`);
  for (const id of ["end", "hint", "back"]) byId(id).disabled = ui.busy;
  const lines = log().slice(0, seen - earlier()).map((done, i, { length }) => element("li", { class: i + 1 === length ? "last" : null }, ...said(shownNow(), done)));
  byId("log").replaceChildren(...lines.reverse());
  drawAdvice(past ? null : advice);
  drawReview();
  Object.assign(byId("table").dataset, { ready: "yes", version: now.version, seen, turn: isMyTurn() && caughtUp ? "mine" : "other", over: now.over });
}

// Plays out what is new, one action after another.
function step() {
  clearTimeout(ui.timer);
  ui.timer = null;
  if (isCaughtUp()) return draw(false);
  ui.seen += 1;
  draw(true);
  // An entry may ask for a longer look at what it shows.
  const pace = entry(ui.seen - 1).pause || (still.matches ? PACE / 2 : PACE);
  if (!isCaughtUp() && !ui.paused) ui.timer = setTimeout(step, pace);
}

// On to what is new; but not past what asks for a longer look.
function onward() {
  clearTimeout(ui.timer);
  Object.assign(ui, { timer: null, paused: false });
  do ui.seen += 1; while (!isCaughtUp() && !entry(ui.seen - 1).pause);
  draw(false);
  if (!isCaughtUp() && !ui.paused) ui.timer = setTimeout(step, entry(ui.seen - 1).pause);
}

function take(now) {
  if (ui.now && now.version < ui.now.version) return;
  const first = ui.now === null;
  const changed = first || now.version !== ui.now.version;
  const isElsewhere = first || now.actions !== ui.now.actions || now.over !== ui.now.over;
  ui.now = now;
  if (isElsewhere) {
    Object.assign(ui, { advice: null, choice: null, past: null });
    Object.assign(review, { data: null, asked: false, run: review.run + 1 });
    byId("review-panel").hidden = true;
  }
  // Who watches players wants to see them play.
  const isShow = now.seat === null && !now.people.some(person => person);
  if (first && isShow) ui.seen = earlier();
  else if (first && !seats.resumed || ui.seen > all()) ui.seen = all();
  if (ui.seen < earlier()) ui.seen = earlier();
  seats.resumed = false;
  // One's own action is seen at once.
  if (ui.seen + 1 <= all() && entry(ui.seen).player === now.seat && now.seat !== null && !ui.timer) return step();
  // Nothing new: what is on the page stays, with its focus.
  if (!changed && (isCaughtUp() || ui.timer)) return;
  if (isCaughtUp()) return draw(false);
  draw(false);
  if (!ui.timer && !ui.paused) ui.timer = setTimeout(step, PACE / 2);
}

// A chance in percent, or points.
const worth = value => ui.now.unit === "chance" ? `${(100 * value).toFixed(1)} %` : value.toFixed(2).replace("-", "−");

function drawAdvice(advice) {
  byId("advice").hidden = !advice;
  if (!advice) return;
  // Not every game says what is likely to follow.
  const follows = advice.candidates.some(candidate => candidate.then.length > 0);
  const rows = advice.candidates.slice(0, 6).map((candidate, i) => element("tr", {},
    element("td", {}, candidate.words), element("td", { class: "n" }, worth(candidate.value)),
    element("td", { class: "n" }, i === 0 ? "best" : `−${worth(candidate.behind)}`), ...(follows ? [element("td", {}, candidate.then.join("; "))] : [])));
  const value = ui.now.unit === "chance" ? "Chance to win" : "Points expected";
  byId("advice").replaceChildren(element("table", {},
    element("thead", {}, element("tr", {}, ...["Action", value, "Loses", ...(follows ? ["Then"] : [])].map(name => element("th", {}, name)))),
    element("tbody", {}, ...rows)));
}

const pause = ms => new Promise(wake => setTimeout(wake, ms));

async function follow() {
  let stale = 0;
  for (;;) {
    const { here } = ui;
    let now;
    try {
      const after = ui.now === null ? "" : `?after=${ui.now.version}`;
      now = await ask(`${here}/state${after}`);
    } catch (error) {
      byId("trouble").textContent = error.status === 404 ? "There is no such table any more." : "The connection is lost; trying again …";
      byId("trouble").dataset.lost = "yes";
      if (error.status === 404) return;
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

async function request(what, body) {
  if (ui.busy) return null;
  ui.busy = true;
  byId("trouble").textContent = "";
  draw(false);
  try {
    return await ask(`${ui.here}/${what}`, body);
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
byId("typed").addEventListener("submit", async event => {
  event.preventDefault();
  await act(byId("notation").value.trim());
  if (!byId("trouble").textContent) byId("notation").value = "";
});
byId("resign").addEventListener("click", async () => {
  if (!confirm("Resign this game?")) return;
  const now = await request("resign", {});
  if (now) take(now);
});
// Everybody is told the own link; those at one screen go on together.
byId("again").addEventListener("click", async () => {
  const now = ui.now.next ? ui.now : await request("again", {});
  if (!now) return;
  const others = seats.here.filter(seat => seat.address !== ui.here);
  const states = await Promise.all(others.map(seat => ask(`${seat.address}/state`)));
  location.href = now.next + (states.length ? `#${states.map(state => state.next.split("/").pop()).join(",")}` : "");
});
byId("retry").addEventListener("click", async () => {
  const now = await request("retry", {});
  if (now) take(now);
});
byId("hint").addEventListener("click", hint);
byId("pause").addEventListener("click", () => {
  ui.paused = !ui.paused;
  clearTimeout(ui.timer);
  ui.timer = ui.paused ? null : setTimeout(step, 0);
  draw(false);
});
byId("skip").addEventListener("click", onward);
addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const button = { e: "end", u: "back", h: "hint", s: "skip", p: "pause", r: "review", ...(ui.past ? { ArrowLeft: "earlier", ArrowRight: "later" } : {}) }[event.key];
  if (event.key === "Escape" && ui.now) {
    if (ui.past) backToEnd();
    else { ui.choice = null; draw(false); }
  }
  if (button && !byId(button).hidden && !byId(button).disabled) { byId(button).click(); event.preventDefault(); }
});
let width = byId("board").clientWidth;
new ResizeObserver(() => {
  const wide = byId("board").clientWidth;
  if (wide !== width && ui.now) { width = wide; requestAnimationFrame(() => draw(false)); }
}).observe(byId("board"));
sitDown().then(follow);
