// The viewer of games in a report's page: keeps the game and the position that are shown, and draws them.

import { buttonById, byId, dataIn, element } from "../../../../../arena/src/report/assets/dom.js";
import { addressed, replayControls } from "../../../../../arena/src/report/assets/replay_controls.js";
import { drawBoard, slide } from "./board.js";
import { counted, fillFilters, filtered, markAction, showActions, showGames, SHOWN } from "./list.js";
import { caption, curve, hand, piles } from "./panels.js";
import { unrolled, wordOf } from "./rules.js";

const PAUSE = 900;
const data = /** @type {import("./types.d.ts").Games} */ (dataIn("games-data"));
/** The state of the page: `game` is an index into all games, `list` has the games that the filters let through,
 * `shown` is how many of them the list shows, and `curve` is the curve of the analysis. */
const view = {
  game: -1, list: /** @type {number[]} */ ([]), shown: SHOWN,
  unrolled: /** @type {import("./types.d.ts").Unrolled} */ ({ actions: [], positions: [], boat: 0 }),
  curve: /** @type {ReturnType<typeof curve>} */ (null),
};

const actionsOf = () => view.unrolled.actions.length;

/** The position as JSON. Tests read it from the page and compare it with the rules.
 * @param {import("./types.d.ts").State} state @param {import("./types.d.ts").Game} game @param {boolean} over */
function described(state, game, over) {
  return JSON.stringify({
    places: state.places, hands: state.hands.map(wordOf), discards: wordOf(state.discards), pile: state.pile,
    to_move: state.toMove + 1, taken: state.taken, out: state.left, winner: over ? game.w : 0,
  });
}

/** @param {number} number @param {boolean} forward */
function drawPosition(number, forward) {
  const { unrolled } = view;
  const game = data.games[view.game], state = unrolled.positions[number];
  const board = byId("board");
  const picture = drawBoard(game, unrolled.boat, state, unrolled.actions[number - 1], Math.max(300, board.clientWidth));
  board.replaceChildren(picture.root);
  if (forward) slide(picture);
  byId("caption").replaceChildren(...caption(data, game, unrolled, number));
  byId("hands").replaceChildren(...game.p.map((_, player) => hand(data, game, unrolled, number, player)));
  byId("piles").replaceChildren(...piles(state));
  byId("judgement").hidden = !game.x;
  view.curve = curve(game, unrolled, number, byId("curve").clientWidth);
  if (view.curve) byId("curve").replaceChildren(view.curve.root);
  markAction(number);
  byId("stage").dataset.state = described(state, game, number === actionsOf());
}

const controls = replayControls({
  pause: PAUSE,
  draw: drawPosition,
  address: number => `game=${encodeURIComponent(data.games[view.game].id)}&action=${number}`,
  follow,
  other: otherGame,
});

/** @param {number} index */
function open(index, number = 0, linked = true) {
  view.game = index;
  const game = data.games[index];
  view.unrolled = unrolled(game);
  byId("game-title").replaceChildren(`Game ${game.id} `, element("small", {}, `${game.p.length} players, ${counted(game.turns, "turn")}`));
  showActions(game, view.unrolled, controls.jump);
  showList();
  controls.open(actionsOf(), number, linked);
}

function showList() {
  showGames(data, view.list, view.game, view.shown, index => { open(index); byId("stage").focus({ preventScroll: true }); },
    shown => { view.shown = shown; showList(); });
  const at = view.list.indexOf(view.game);
  buttonById("game-before").disabled = at <= 0;
  buttonById("game-after").disabled = at < 0 ? view.list.length === 0 : at + 1 >= view.list.length;
}

/** @param {number} by */
function otherGame(by) {
  const at = view.list.indexOf(view.game);
  const to = view.list[at < 0 ? 0 : at + by];
  if (to !== undefined) open(to);
}

/** Opens the game that the page's address names, as in `#game=ID&action=N`. Returns whether it names one.
 * @returns {boolean} */
function follow() {
  const named = addressed(data.games, "game", "action");
  if (!named) return false;
  open(named[0], named[1], false);
  byId("stage").scrollIntoView({ block: "start" });
  byId("stage").focus({ preventScroll: true });
  return true;
}

function begin() {
  fillFilters(data);
  byId("grades").textContent = data.grades.map(([name, loss]) => `${name} from ${100 * loss} %`).join(", ");
  view.list = filtered(data);
  if (matchMedia("(max-width: 1000px)").matches) document.querySelector(".picker")?.removeAttribute("open");
  if (!data.games.length) return;
  for (const id of ["by-program", "by-players", "by-winner", "by-faults"]) {
    byId(id).addEventListener("change", () => { view.list = filtered(data); view.shown = SHOWN; showList(); });
  }
  byId("game-before").addEventListener("click", () => otherGame(-1));
  byId("game-after").addEventListener("click", () => otherGame(1));
  byId("curve").addEventListener("click", event => {
    if (view.curve) controls.jump(view.curve.actionAt(event.clientX - view.curve.root.getBoundingClientRect().left));
  });
  if (!follow()) open(0, 0, false);
  let width = byId("board").clientWidth;
  new ResizeObserver(() => {
    const now = byId("board").clientWidth;
    if (now !== width) { width = now; drawPosition(controls.number, false); }
  }).observe(byId("board"));
  byId("viewer").dataset.ready = "yes";
}

begin();
