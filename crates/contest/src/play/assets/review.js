// A game that is over: stepping through it, what its actions were worth, going on from an earlier position.

const review = { data: null, asked: false, run: 0, step: 0 };

const graded = { doubtful: "?!", mistake: "?", blunder: "??" };
const gradeMark = grade => grade ? [element("span", { class: `how how-${grade}`, title: grade, "aria-label": grade }, graded[grade])] : [];

// The position before action `n`, from 0; all cards lie open.
async function stepTo(n) {
  const last = (ui.now.game.earlier || 0) + ui.now.game.log.length, actions = Math.max(0, Math.min(n, ui.now.actions));
  const step = ++review.step, run = review.run;
  // While the slider moves, the places that it has left are not asked for.
  await pause(30);
  if (step !== review.step) return;
  try {
    const at = await ask(`${ui.here}/at/${actions}`);
    if (step !== review.step || run !== review.run) return;
    ui.past = { n: actions, now: { ...ui.now, over: at.to_move === null, to_move: at.to_move, game: at.game } };
  } catch (error) {
    byId("trouble").textContent = error.message;
    return;
  }
  ui.seen = last;
  draw(false);
}

function backToEnd() {
  review.step += 1;
  ui.past = null;
  byId("review-panel").hidden = true;
  draw(false);
}

async function beginReview() {
  byId("review-panel").hidden = false;
  if (!review.asked) {
    review.asked = true;
    followReview();
  }
  await stepTo(ui.now.actions);
  byId("review-panel").scrollIntoView({ block: "nearest", behavior: still.matches ? "auto" : "smooth" });
}

async function followReview() {
  const run = review.run;
  for (;;) {
    try {
      const data = await ask(`${ui.here}/review`, {});
      // The game has gone on meanwhile.
      if (run !== review.run) return;
      review.data = data;
    } catch (error) {
      if (run !== review.run) return;
      byId("trouble").textContent = error.message;
      review.asked = false;
      return;
    }
    drawReview();
    if (review.data.actions.length >= review.data.total) {
      byId("review-panel").dataset.ready = "yes";
      return;
    }
    await pause(700);
  }
}

const signed = value => `${value < 0 ? "−" : "+"}${worth(Math.abs(value))}`;

// What is said of the action that follows the position shown.
function verdict() {
  const judged = review.data && ui.past && review.data.actions[ui.past.n];
  if (!judged) return [ui.past && ui.past.n === ui.now.actions ? "The end of the game" : ""];
  const name = ui.now.names[judged.seat];
  const better = judged.best && judged.loss >= 0.005 ? `; better by ${worth(judged.loss)}: ${judged.best.words}` : "";
  const luck = judged.luck === null || Math.abs(judged.luck) < 0.005 ? "" : `; luck ${signed(judged.luck)}`;
  const value = judged.value === null ? "" : ` ${worth(judged.value)}`;
  return [`${name}: ${judged.taken.words}`, ...gradeMark(judged.grade), `${value}${better}${luck}`];
}

// What the game's part draws of the best action.
function bestOf(n) {
  const judged = review.data && review.data.actions[n];
  return judged && judged.picture ? { candidates: [{ picture: judged.picture }] } : null;
}

function accountsTable({ accounts, total, actions }) {
  const rows = accounts.map((account, seat) => element("tr", {}, element("th", { scope: "row" }, ui.now.names[seat]),
    ...[account.decisions, worth(account.rate), account.doubtful, account.mistakes, account.blunders,
      account.luck === null ? "–" : signed(account.luck)].map(value => element("td", { class: "n" }, String(value)))));
  const heads = ["", "Decisions", "Error rate", "?!", "?", "??", "Luck"];
  const progress = actions.length < total ? element("p", { class: "note", role: "status" }, `${actions.length} of ${total} actions looked at …`) : "";
  return [progress, element("div", { class: "wide-table", tabindex: 0, role: "region", "aria-label": "How everybody has played" }, element("table", {}, element("thead", {}, element("tr", {}, ...heads.map(name => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...rows)))];
}

// Each seat's own estimate at its decisions.
function curve({ actions, total, unit }) {
  const W = 640, H = 170, M = 8;
  const values = actions.map(judged => judged.value).filter(value => value !== null);
  const [low, high] = unit === "chance" ? [0, 1] : [Math.min(...values, 0), Math.max(...values, 1)];
  const x = n => M + (W - 2 * M) * n / Math.max(1, total), y = value => H - M - (H - 2 * M) * (value - low) / (high - low || 1);
  const root = shape("svg", { viewBox: `0 0 ${W} ${H}`, class: "curve", role: "img",
    "aria-label": unit === "chance" ? "Each player's chance to win, by its own knowledge, over the game" : "Points each player expected, by its own knowledge, over the game" });
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    const level = y(low + part * (high - low));
    root.append(shape("line", { x1: M, x2: W - M, y1: level, y2: level, class: "grid" }));
  }
  ui.now.names.forEach((name, seat) => {
    const own = actions.filter(judged => judged.seat === seat && judged.value !== null);
    const points = own.map(judged => `${x(judged.number).toFixed(1)},${y(judged.value).toFixed(1)}`).join(" ");
    root.append(shape("polyline", { points, class: `line p${seat + 1}` }));
    for (const judged of own) {
      if (!judged.grade) continue;
      const mark = shape("circle", { cx: x(judged.number), cy: y(judged.value), r: judged.grade === "blunder" ? 6 : judged.grade === "mistake" ? 5 : 3.5, class: `mark ${judged.grade} p${seat + 1}` },
        shape("title", {}, `${name}: ${judged.taken.words} ${graded[judged.grade]}`));
      mark.addEventListener("click", () => stepTo(judged.number));
      root.append(mark);
    }
  });
  if (ui.past) root.append(shape("line", { x1: x(ui.past.n), x2: x(ui.past.n), y1: 0, y2: H, class: "now" }));
  root.addEventListener("click", event => {
    const box = root.getBoundingClientRect();
    if (!event.target.closest(".mark")) stepTo(Math.round(((event.clientX - box.left) / box.width * W - M) / (W - 2 * M) * total));
  });
  const legend = element("p", { class: "curve-keys" }, ...ui.now.names.map((name, seat) => element("span", { class: `p${seat + 1}` }, name)));
  return [root, legend];
}

function mistakeList({ actions }) {
  const worst = actions.filter(judged => judged.grade).sort((a, b) => b.loss - a.loss).slice(0, 20);
  if (!worst.length) return [element("p", { class: "note" }, "No mistakes so far.")];
  return [element("ol", { class: "mistakes" }, ...worst.map(judged => {
    const button = element("button", { type: "button", "data-action": judged.number },
      `${judged.number + 1}. ${ui.now.names[judged.seat]}: ${judged.taken.words}`, ...gradeMark(judged.grade), ` −${worth(judged.loss)}`);
    button.addEventListener("click", () => stepTo(judged.number));
    return element("li", {}, button, element("span", { class: "note" }, ` better: ${judged.best ? judged.best.words : "–"}`));
  }))];
}

function drawReview() {
  const shown = !byId("review-panel").hidden;
  if (!shown || !ui.now) return;
  const n = ui.past ? ui.past.n : ui.now.actions;
  byId("step").max = ui.now.actions;
  byId("step").value = n;
  byId("step").setAttribute("aria-valuetext", `action ${n} of ${ui.now.actions}`);
  byId("verdict").replaceChildren(...verdict());
  byId("branch").hidden = ui.now.seat === null;
  if (!review.data) return;
  byId("accounts").replaceChildren(...accountsTable(review.data));
  byId("curve").replaceChildren(...curve(review.data));
  // A list that is being used is not exchanged under the fingers.
  if (!byId("mistakes").contains(document.activeElement)) byId("mistakes").replaceChildren(...mistakeList(review.data));
}

async function playOn() {
  try {
    const secret = seat => seat.address.split("/").pop();
    const others = seats.here.filter(seat => seat.address !== ui.here);
    const table = await ask(`${ui.here}/branch`, { actions: ui.past ? ui.past.n : ui.now.actions, with: others.map(secret) });
    const links = others.map(seat => table.links[seat.number].split("/").pop());
    location.href = table.links[ui.now.seat] + (links.length ? `#${links.join(",")}` : "");
  } catch (error) {
    byId("trouble").textContent = error.message;
  }
}

byId("review").addEventListener("click", beginReview);
byId("leave-review").addEventListener("click", backToEnd);
byId("step").addEventListener("input", event => stepTo(Number(event.target.value)));
byId("earlier").addEventListener("click", () => stepTo((ui.past ? ui.past.n : ui.now.actions) - 1));
byId("later").addEventListener("click", () => stepTo((ui.past ? ui.past.n : ui.now.actions) + 1));
byId("branch").addEventListener("click", playOn);
