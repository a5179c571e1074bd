// A trick-taking game at a table: hands around it, the trick in the middle, the own cards to click on.

import { byId, element, refill } from "../../../../../arena/src/report/assets/dom.js";
import { fullName, isCaughtUp, ui } from "../../../../../tables/src/assets/state.js";
import { act, isPlainKey, open } from "../../../../../tables/src/assets/table.js";
import { say, sayWith } from "../../../../../tables/src/assets/texts.js";
import { called, cardBack, cardFace, cardInline, cardsIn, sorted } from "../../report/assets/cards.js";
import { positionAfter } from "./position.js";

/** @typedef {import("../../../../../tables/src/assets/types.d.ts").Now<import("./types.d.ts").Game>} Now */
/** @typedef {import("./types.d.ts").Position} Position */
/** @typedef {import("./types.d.ts").Done} Done */
/** What may be done with cards: `best` is the one that advice lights up, `taken` the one that a review shows as played.
 * @typedef {{ open: boolean, best: string | null, taken: string | null }} Options */

called.card = card => say("tricks-card", { suit: card[0], rank: Number(card[1]) || card[1] });

/** @param {Now} now @param {number} player */
const shortName = (now, player) => player === now.seat ? say("you") : now.names[player];
/** The same where there may be too little room for it.
 * @param {Now} now @param {number} player */
const headName = (now, player) => player === now.seat ? say("you") : fullName(now, player);
/** Who it is, for sentences that are another one for oneself.
 * @param {Now} now @param {number} player */
const who = (now, player) => ({ own: player === now.seat ? "yes" : "no", name: now.names[player] });

/** Where a seat is drawn: the own one, or for onlookers the first, is at the bottom, and play goes clockwise.
 * @param {Now} now @param {number} player */
function angleOf(now, player) {
  const n = now.game.players;
  return Math.PI / 2 + 2 * Math.PI * ((player - (now.seat ?? 0) + n) % n) / n;
}

/** Puts a node into this direction from the middle, so far out; by its middle, or by its outer edge.
 * @param {HTMLElement} node @param {number} angle @param {[number, number]} out @param {boolean} byEdge */
function placed(node, angle, [x, y], byEdge) {
  // What stands at the edge fills the corners too.
  const cos = byEdge ? Math.max(-1, Math.min(1, 1.2 * Math.cos(angle))) : Math.cos(angle);
  const sin = Math.sin(angle), edge = byEdge ? 50 : 0;
  node.style.left = `${(50 + x * cos).toFixed(1)}%`;
  node.style.top = `${(50 + y * sin).toFixed(1)}%`;
  node.style.translate = `${(-50 - edge * cos).toFixed(1)}% ${(-50 - edge * sin).toFixed(1)}%`;
  return node;
}

/** The class of a card that is marked.
 * @param {string} card @param {Options} options */
const markOf = (card, { best, taken }) => `${card === best ? "best" : ""} ${card === taken ? "did" : ""}`;

/** A card that can be chosen: a button with its name in words.
 * @param {Now} now @param {string} card @param {Options} options */
function cardButton(now, card, options) {
  const { open: isOpen } = options, isLegal = now.game.legal.includes(card);
  const button = element("button", {
    type: "button", class: `pick ${isOpen ? isLegal ? "legal" : "dim" : ""} ${markOf(card, options)}`, "data-card": card,
    disabled: !(isOpen && isLegal),
  }, element("span", { class: "for-readers" }, isOpen && isLegal ? `${say(now.game.taking ? "tricks-take" : now.game.passing !== null ? "tricks-pass" : "tricks-play")} ` : ""), cardFace(card));
  button.addEventListener("click", () => act(card));
  return button;
}

/** Rows of a hand: two where one would be too narrow to touch.
 * @param {string[]} cards @param {number} width @param {number} card its width */
function rowsOf(cards, width, card) {
  const step = (width - card) / Math.max(1, cards.length - 1);
  if (step >= 30 || cards.length < 8) return [cards];
  const half = Math.ceil(cards.length / 2);
  return [cards.slice(0, half), cards.slice(half)];
}

/** @param {Now} now @param {Position} at @param {Options} options */
function ownHand(now, at, options) {
  const cards = sorted(now.seat === null ? [] : at.hands[now.seat] || []);
  const group = element("div", { class: "own-hand", role: "group", "aria-label": say("tricks-own-hand", { n: cards.length }) });
  // A review needs no cards that are large enough for a finger.
  const width = byId("board").clientWidth - 8, usual = width < 480 ? 58 : Math.max(74, Math.min(120, innerHeight / 10));
  const isSmall = ui.past !== null && !options.open && innerWidth <= 900, card = isSmall ? innerHeight < 560 ? 34 : 40 : usual;
  for (const row of isSmall ? [cards] : rowsOf(cards, width, card)) {
    const line = element("div", { class: "row-of-cards" });
    line.style.setProperty("--card", `${card}px`);
    line.style.setProperty("--step", `${Math.min(card + 6, (width - card) / Math.max(1, row.length - 1)).toFixed(1)}px`);
    line.append(...row.map(card => {
      const button = cardButton(now, card, { ...options, open: options.open && !now.game.taking });
      button.classList.toggle("chosen", at.passed.includes(card));
      button.classList.toggle("got", at.received.includes(card) && !at.trick.length && !at.last);
      return button;
    }));
    group.append(line);
  }
  return group;
}

/** @param {Now} now @param {Position} at @param {number} player @param {Options} options */
function seatPlate(now, at, player, options) {
  const turn = isCaughtUp() && !now.over && now.to_move === player;
  const known = player !== now.seat && at.hands[player] || at.known[player];
  const backs = element("span", { class: "backs", "aria-hidden": "true" },
    ...Array.from({ length: player === now.seat ? 0 : Math.max(0, at.sizes[player] - known.length) }, cardBack));
  const open = player === now.seat ? [] : sorted(known).map(card => {
    const node = cardInline(card);
    if (now.to_move === player) node.className += ` ${markOf(card, options)}`;
    return node;
  });
  return element("div", { class: `plate ${turn ? "turn" : ""}`, "data-seat": player },
    element("b", {}, fullName(now, player)), element("span", { class: "note" }, `${say("count-cards", { n: at.sizes[player] })}, ${say("count-points", { n: at.points[player] })}`),
    ...(player === now.seat ? [] : [backs, element("span", { class: "open" }, ...open)]));
}

/** @param {Now} now @param {Position} at @param {boolean} isNew */
function trickCards(now, at, isNew) {
  return at.trick.map(({ player, card }) => {
    const isBest = at.won && at.won.winner === player;
    const node = element("div", { class: `played ${at.won ? isBest ? "wins" : "gone" : ""} ${isNew && at.newest?.card === card && !at.won ? "new" : ""}` }, cardFace(card));
    return placed(node, angleOf(now, player), now.game.players > 4 ? [15, 16] : [12, 14], false);
  });
}

/** The open cards that are taken one after another.
 * @param {Now} now @param {Position} at @param {Options} options */
function openPool(now, at, options) {
  const pool = element("div", { class: "pool", role: "group", "aria-label": say("tricks-pool") });
  pool.append(...sorted(at.pool).map(card => cardButton(now, card, { ...options, open: options.open && now.game.taking })));
  return pool;
}

/** @param {Now} now @param {Position} at @param {import("./types.d.ts").Ended} end */
function roundOver(now, at, end) {
  const points = now.names.map((_, player) => element("tr", {}, element("th", { scope: "row" }, headName(now, player)),
    element("td", { class: "n" }, `+${end.points[player]}`), element("td", { class: "n" }, String(at.totals[player]))));
  return element("div", { class: "round-over" }, element("b", {}, say("tricks-round-over", { n: at.round })), moonText(now, end),
    element("table", {}, element("thead", {}, element("tr", {}, ...["", say("tricks-round"), say("tricks-all")].map(name => element("th", { scope: "col" }, name)))), element("tbody", {}, ...points)));
}

/** Where all points of a round turn around.
 * @param {Now} now @param {import("./types.d.ts").Ended} end */
function moonText(now, end) {
  const moon = end.taken.findIndex((taken, player) => taken !== end.points[player] && end.points[player] === 0);
  return moon < 0 ? "" : ` ${say("tricks-moon", who(now, moon))}`;
}

/** @param {Now} now @param {number} seen @param {import("../../../../../tables/src/assets/types.d.ts").Drawing<string>} drawing */
function drawTable(now, seen, { isNew, open: isOpen, advice, marked }) {
  const { game } = now, at = positionAfter(game, seen);
  const best = marked ? marked.better : advice && advice.candidates.length ? advice.candidates[0].picture : null;
  const options = { open: isOpen, best, taken: marked && marked.taken ? marked.taken.card : null };
  const felt = element("div", { class: `felt of${game.players}` });
  for (const player of now.names.keys()) {
    const angle = angleOf(now, player), plate = placed(seatPlate(now, at, player, options), angle, [49, 48.5], true);
    plate.classList.toggle("aside", Math.abs(Math.cos(angle)) > 0.5);
    felt.append(plate);
  }
  if (at.pool.length) felt.append(openPool(now, at, options));
  else if (at.end) felt.append(roundOver(now, at, at.end));
  else felt.append(...trickCards(now, at, isNew));
  const hand = now.seat === null ? [] : [ownHand(now, at, options)];
  byId("board").replaceChildren(felt, ...hand);
  refill("players", scoreTable(now, at));
  refill("piles", ...lastTrick(now, at), ...allRounds(now, at));
  byId("ask").replaceChildren();
}

/** @param {Now} now @param {Position} at */
function scoreTable(now, at) {
  const rows = now.names.map((_, player) => element("tr", { class: isCaughtUp() && now.to_move === player ? "turn" : null },
    element("th", { scope: "row" }, headName(now, player)), ...[at.tricks[player], at.points[player], at.totals[player]].map(n => element("td", { class: "n" }, String(n)))));
  return element("div", {}, element("table", { class: "scores" }, element("caption", {}, say("tricks-goal", { n: at.round, goal: now.game.goal, low: now.game.low ? "yes" : "no" })),
    element("thead", {}, element("tr", {}, ...["", say("tricks-tricks"), say("tricks-points"), say("tricks-all")].map(name => element("th", { scope: "col" }, name)))), element("tbody", {}, ...rows)));
}

/** @param {Now} now @param {Position} at */
function lastTrick(now, at) {
  const { last } = at;
  if (!last) return [element("div", { class: "note" }, say("tricks-none"))];
  const cards = last.cards.map(({ player, card }) => element("span", { class: player === last.winner ? "wins" : null, title: shortName(now, player) }, cardInline(card)));
  return [element("div", { class: "last-trick" }, element("b", {}, `${say("tricks-last")} `), ...cards, say("tricks-won-by", { ...who(now, last.winner), n: last.trick }))];
}

/** @param {Now} now @param {Position} at */
function allRounds(now, at) {
  if (!at.results.length) return [];
  const isOpen = byId("piles").querySelector("details[open]") !== null;
  const rows = at.results.map((points, n) => element("tr", {}, element("th", { scope: "row" }, String(n + 1)), ...points.map(n => element("td", { class: "n" }, String(n)))));
  return [element("details", { open: isOpen }, element("summary", {}, say("tricks-all-rounds")), element("div", { class: "scroll" }, element("table", { class: "scores" },
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, say("tricks-round")), ...now.names.map((_, player) => element("th", { scope: "col" }, headName(now, player))))), element("tbody", {}, ...rows))))];
}

/** @param {Now} now @param {Done} done */
function said(now, done) {
  if (done.deal !== undefined) return [element("b", {}, say("tricks-dealt", { n: done.deal }))];
  if (done.trick !== undefined && done.winner !== undefined) return [say("tricks-did-win", { ...who(now, done.winner), n: done.trick })];
  if (done.end !== undefined && done.points) {
    const points = done.points.map((n, player) => `${shortName(now, player)}: ${n}`).join(", ");
    const moon = moonText(now, /** @type {import("./types.d.ts").Ended} */ (done));
    return [`${say("tricks-round-over", { n: done.end })}: ${points}${moon && "."}`, moon];
  }
  if (done.pass && done.player !== null) return sayWith("tricks-did-pass", { card: cardInline(done.pass) }, who(now, done.player));
  if (done.exchange !== undefined && done.by !== undefined) return exchanged(now, done.exchange, done.by);
  if (done.card === undefined || done.player === null) return [];
  return sayWith(done.took ? "tricks-did-take" : "tricks-did-play", { card: cardInline(done.card) }, who(now, done.player));
}

/** What one's own seat got, or only that cards were passed.
 * @param {Now} now @param {(string | null)[]} cards by giver @param {number} by */
function exchanged(now, cards, by) {
  const { players } = now.game;
  if (now.seat === null) return [say("tricks-passed")];
  const giver = (now.seat + players - by) % players, got = cards[giver];
  const shown = element("span", {}, ...cardsIn(got || "").map(cardInline));
  return sayWith("tricks-did-get", { cards: shown }, { name: now.names[giver] });
}
/** A picture of the rules: some cards in order, and the one that takes the trick.
 * @param {{ cards: string, winner?: number }} example */
const drawExample = ({ cards, winner }) => element("div", { class: "example" }, ...cards.split(" ").map((card, i) => element("span", { class: i === winner ? "played wins" : "played" }, cardFace(card))));

/** @param {Done} done */
const begins = done => done.deal !== undefined;

/** @param {Now} now */
function dueText(now) {
  const { game } = now;
  if (game.passing !== null) {
    const chosen = positionAfter(game, ui.seen).passed.length;
    return say("tricks-due-pass", { n: 3 - chosen, name: now.names[game.passing] });
  }
  if (game.taking) return say("tricks-due-take");
  const at = positionAfter(game, ui.past ? game.earlier + game.log.length : ui.seen);
  if (!at.trick.length || at.won) return say("tricks-due-lead");
  const suit = at.trick[0].card[0];
  return say(game.legal.every(card => card[0] === suit) ? "tricks-due-follow" : "tricks-due-any", { suit });
}

/** @param {Now} now */
const overText = now => now.winner === null ? say("tricks-shared") : "";

// The arrows go from card to card; Enter, or a space, plays the one in focus.
addEventListener("keydown", event => {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!by || !isPlainKey(event)) return;
  const cards = [...byId("board").querySelectorAll("button.legal")].filter(card => card instanceof HTMLElement);
  if (!cards.length) return;
  const at = cards.findIndex(card => card === document.activeElement);
  cards[at < 0 ? 0 : (at + by + cards.length) % cards.length].focus();
  event.preventDefault();
});

open({ drawTable, said, begins, dueText, overText, drawExample, guide: ["board", "players", "buttons", "log"] });
