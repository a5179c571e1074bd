// The page of a game: its replay, or its score while it is under way.

import { byId, dataIn, element } from "../../../../arena/src/report/assets/dom.js";
import { replayControls } from "../../../../arena/src/report/assets/replay_controls.js";
import { ask } from "./common.js";
import { positionsOf } from "./replay.js";

/** @typedef {import("./types.d.ts").Position} Position */
/** @typedef {import("./types.d.ts").GameData} GameData */

const PAUSE = 1100;
const id = Number(location.pathname.split("/").pop());
const view = { names: ["", ""], positions: /** @type {Position[]} */ ([]) };

/** @param {number} rank @param {string} state */
const card = (rank, state) => element("span", { class: `card ${state}` }, rank);

/** @param {Position} position @param {number} player */
function drawPlayer(position, player) {
  /** @param {string} title @param {number} value */
  const count = (title, value) => element("span", {}, `${title} `, element("b", {}, value));
  const counts = element("div", { class: "counts" }, count("tricks", position.tricks[player]), count("points", position.points[player]));
  if (position.round) counts.append(count("games of the round", position.round[player]));
  const who = element("div", { class: "who" }, element("b", { title: view.names[player] }, view.names[player]),
    element("small", {}, player === 0 ? "player 0, led the first hand" : "player 1"), counts);
  const cards = position.cards[player].map((rank, i) => card(rank, position.states[player][i]));
  const node = byId(`player-${player}`);
  node.className = position.acts === player ? "player acts" : "player";
  node.replaceChildren(who, element("div", { class: "cards" }, ...cards));
}

/** @param {Position} position */
function drawCaption(position) {
  const caption = byId("caption");
  caption.className = position.fault ? "caption fault" : position.kind === "final_game_result" ? "caption won" : "caption";
  caption.replaceChildren(position.text);
  if (position.challenge) caption.append(element("span", { class: "tag challenge" }, `challenge ${position.challenge}`));
}

/** The position as text, for tests.
 * @param {Position} position */
function described(position) {
  /** @param {number} player */
  const held = player => position.cards[player].filter((_, i) => position.states[player][i] === "hand");
  const { hand, table, tricks, points, round, challenge, winner, fault } = position;
  return JSON.stringify({ hand, held: [held(0), held(1)], table, tricks, points, round, challenge, winner, fault });
}

/** @param {number} number */
function draw(number) {
  const position = view.positions[number];
  for (const player of [0, 1]) drawPlayer(position, player);
  byId("table").replaceChildren(...position.table.map(rank => rank === null ? element("span", { class: "slot" }) : card(rank, "")));
  drawCaption(position);
  for (const button of byId("hands").querySelectorAll("button")) {
    button.setAttribute("aria-current", String(Number(button.dataset.hand) === position.hand));
  }
  byId("stage").dataset.state = described(position);
}

const controls = replayControls({
  pause: PAUSE,
  draw,
  address: number => String(number),
  follow() { if (view.positions.length) controls.go(numberInAddress()); },
  // As on the contest's own page, automatic play goes on after a step forward and stops after a step back.
  playsOn: true,
});

const numberInAddress = () => Number(location.hash.slice(1)) || 0;

/** @param {GameData} game */
function replay({ entries = [], players }) {
  view.names = players;
  view.positions = positionsOf(entries, players);
  if (!view.positions.length) return;
  byId("live").hidden = true;
  byId("stage").hidden = false;
  const firsts = view.positions.flatMap((position, i) => position.kind === "new_hand" ? [[position.hand, i]] : []);
  byId("hands").replaceChildren(...firsts.map(([hand, at]) => {
    const button = element("button", { type: "button", "data-hand": hand }, `hand ${hand}`);
    button.addEventListener("click", () => controls.jump(at));
    return element("li", {}, button);
  }));
  controls.open(view.positions.length - 1, numberInAddress());
  byId("stage").focus({ preventScroll: true });
  document.documentElement.dataset.ready = "yes";
}

/** @param {GameData} game */
function underWay({ live, players }) {
  if (!live) return;
  byId("live").hidden = false;
  const [a, b] = players;
  byId("live-text").textContent = `Under way: ${a} ${live.points[0]} : ${live.points[1]} ${b}, hand ${live.hand}, `
    + `tricks ${live.tricks[0]} : ${live.tricks[1]}${live.in_challenge ? ", for the game" : ""}`;
}

/** @param {GameData} game */
function isVoid({ players }) {
  byId("live").hidden = false;
  byId("live-text").textContent = `${players[0]} against ${players[1]} is void: the server stopped during the game.`;
  byId("live-note").hidden = true;
  document.documentElement.dataset.ready = "yes";
}

/** Asks for the game again until it is over or void. */
async function waitForEnd() {
  const answer = await ask(`/api/games/${id}`);
  if (!answer || answer.status !== 200 || !shown(answer.data)) setTimeout(waitForEnd, 1500);
}

/** Shows a game. Returns whether it is over or void.
 * @param {GameData} game */
function shown(game) {
  if (game.entries) replay(game);
  else if (game.void) isVoid(game);
  else underWay(game);
  return Boolean(game.entries || game.void);
}

if (!shown(/** @type {GameData} */ (dataIn("game-data")))) waitForEnd();
