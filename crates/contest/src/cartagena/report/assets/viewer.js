// The replay: which game and position is shown, and how to get to others.

// A failure is written where tests, and whoever looks at the page's source, can see it.
addEventListener("error", event => { document.documentElement.dataset.error = event.message; });

const PAUSE = 900;
const data = JSON.parse(byId("games-data").textContent);
const view = { game: -1, number: 0, unrolled: null, list: [], shown: SHOWN, timer: 0 };

const actionsOf = () => view.unrolled.actions.length;

// The position as text, for tests.
function described(state, game, over) {
  return JSON.stringify({
    places: state.places, hands: state.hands.map(wordOf), discards: wordOf(state.discards), pile: state.pile,
    to_move: state.toMove + 1, taken: state.taken, out: state.left, winner: over ? game.w : 0,
  });
}

function drawPosition(forward) {
  const { unrolled, number } = view;
  const game = data.games[view.game], state = unrolled.positions[number];
  const board = byId("board");
  const picture = drawBoard(game, unrolled.boat, state, unrolled.actions[number - 1], Math.max(300, board.clientWidth));
  board.replaceChildren(picture);
  if (forward) slide(picture);
  byId("caption").replaceChildren(...caption(data, game, unrolled, number));
  byId("hands").replaceChildren(...game.p.map((_, player) => hand(data, game, unrolled, number, player)));
  byId("piles").replaceChildren(...piles(state));
  byId("slider").value = number;
  byId("position").textContent = `${number} / ${actionsOf()}`;
  byId("first").disabled = byId("before").disabled = number === 0;
  byId("last").disabled = byId("after").disabled = number === actionsOf();
  byId("judgement").hidden = !game.x;
  if (game.x) byId("curve").replaceChildren(curve(game, unrolled, number, byId("curve").clientWidth));
  markAction(number);
  byId("stage").dataset.state = described(state, game, number === actionsOf());
}

function link() {
  const game = data.games[view.game];
  // Browsers refuse this when it is done very often; then the address is late, and no more.
  try { history.replaceState(null, "", `#game=${encodeURIComponent(game.id)}&action=${view.number}`); } catch { /* see above */ }
}

function go(number, linked = true) {
  const to = Math.max(0, Math.min(actionsOf(), number));
  const forward = to === view.number + 1;
  view.number = to;
  drawPosition(forward);
  if (linked) link();
}

function open(index, number = 0, linked = true) {
  view.game = index;
  const game = data.games[index];
  view.unrolled = unrolled(game);
  byId("slider").max = actionsOf();
  byId("game-title").replaceChildren(`Game ${game.id} `, html("small", {}, `${game.p.length} players, ${game.turns} turns`));
  showActions(game, view.unrolled, n => { stop(); go(n); });
  showList();
  view.number = -1;
  go(number, linked);
}

function showList() {
  showGames(data, view.list, view.game, view.shown, index => { stop(); open(index); byId("stage").focus({ preventScroll: true }); },
    shown => { view.shown = shown; showList(); });
  const at = view.list.indexOf(view.game);
  byId("game-before").disabled = at <= 0;
  byId("game-after").disabled = at < 0 ? view.list.length === 0 : at + 1 >= view.list.length;
}

function otherGame(by) {
  const at = view.list.indexOf(view.game);
  const to = view.list[at < 0 ? 0 : at + by];
  if (to !== undefined) { stop(); open(to); }
}

function stop() {
  clearTimeout(view.timer);
  view.timer = 0;
  byId("play").textContent = "play";
}

function play() {
  if (view.timer) return stop();
  byId("play").textContent = "pause";
  if (view.number === actionsOf()) go(0);
  const next = () => {
    go(view.number + 1);
    if (view.number === actionsOf()) stop();
    else view.timer = setTimeout(next, PAUSE);
  };
  view.timer = setTimeout(next, PAUSE / 3);
}

const KEYS = {
  ArrowLeft: () => { stop(); go(view.number - 1); },
  ArrowRight: () => { stop(); go(view.number + 1); },
  Home: () => { stop(); go(0); },
  End: () => { stop(); go(actionsOf()); },
  " ": play,
  ArrowUp: () => otherGame(-1),
  ArrowDown: () => otherGame(1),
};

function pressed(event) {
  const act = KEYS[event.key];
  const on = event.target;
  if (!act || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // Whatever has a use of its own for the key keeps it.
  if (on.matches("select, input:not(#slider)") || (event.key === " " && on.matches("button, summary, a"))) return;
  // Elsewhere in the page only what would not have scrolled it.
  const inside = byId("viewer").contains(on);
  if (!inside && !(event.key === "ArrowLeft" || event.key === "ArrowRight")) return;
  if (!inside && on !== document.body) return;
  event.preventDefault();
  act();
}

// `#game=ID&action=N`; says whether the address named a game.
function follow() {
  const named = new URLSearchParams(location.hash.slice(1));
  const index = data.games.findIndex(g => g.id === named.get("game"));
  if (index < 0) return false;
  stop();
  open(index, Number(named.get("action")) || 0, false);
  byId("stage").scrollIntoView({ block: "start" });
  byId("stage").focus({ preventScroll: true });
  return true;
}

function begin() {
  fillFilters(data);
  byId("grades").textContent = data.grades.map(([name, loss]) => `${name} from ${100 * loss} %`).join(", ");
  view.list = filtered(data);
  if (matchMedia("(max-width: 1000px)").matches) document.querySelector(".picker").open = false;
  if (!data.games.length) return;
  for (const id of ["by-program", "by-players", "by-winner", "by-faults"]) {
    byId(id).addEventListener("change", () => { view.list = filtered(data); view.shown = SHOWN; showList(); });
  }
  const clicks = {
    first: KEYS.Home, before: KEYS.ArrowLeft, play, after: KEYS.ArrowRight, last: KEYS.End,
    "game-before": KEYS.ArrowUp, "game-after": KEYS.ArrowDown,
  };
  for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener("click", act);
  byId("slider").addEventListener("input", event => { stop(); go(+event.target.value); });
  byId("curve").addEventListener("click", event => {
    const picture = byId("curve").firstElementChild;
    stop();
    go(picture.actionAt(event.clientX - picture.getBoundingClientRect().left));
  });
  addEventListener("keydown", pressed);
  addEventListener("hashchange", follow);
  if (!follow()) open(0, 0, false);
  let width = byId("board").clientWidth;
  new ResizeObserver(() => {
    const now = byId("board").clientWidth;
    if (now !== width) { width = now; drawPosition(false); }
  }).observe(byId("board"));
  byId("viewer").dataset.ready = "yes";
}

begin();
