// The position after so many entries of the log. Nothing here knows the rules: what was done, and who
// won a trick, is in the log.

import { cardsIn } from "../../report/assets/cards.js";

/** @typedef {import("./types.d.ts").Done} Done */
/** @typedef {import("./types.d.ts").Position} Position */

/** @param {import("./types.d.ts").Game} game
 * @param {number} seen entries of the log
 * @returns {Position} */
export function positionAfter(game, seen) {
  const entries = game.log.slice(0, Math.max(1, seen - game.earlier));
  let start = entries.length - 1;
  while (entries[start].deal === undefined) start -= 1;
  const deal = entries[start];
  const none = () => Array(game.players).fill(0), hands = deal.hands || [];
  const round = deal.deal || 1;
  /** @type {Position} */
  const at = {
    round, hands: hands.map(hand => hand === null ? null : cardsIn(hand)), sizes: Array(game.players).fill(game.dealt),
    known: hands.map(() => []), pool: cardsIn(deal.pool), passed: [], received: [], newest: null,
    trick: [], won: null, last: null, points: none(), tricks: none(), totals: [...game.before], results: game.rounds.slice(0, round - 1), end: null,
  };
  for (const entry of entries.slice(start + 1)) advance(at, entry);
  for (const points of at.results) points.forEach((n, player) => { at.totals[player] += n; });
  return at;
}

/** @param {Done} entry
 * @returns {entry is import("./types.d.ts").Played} */
const isPlayed = entry => entry.card !== undefined;
/** @param {Done} entry
 * @returns {entry is import("./types.d.ts").Exchanged} */
const isExchanged = entry => entry.exchange !== undefined;
/** @param {Done} entry
 * @returns {entry is import("./types.d.ts").Won} */
const isWon = entry => entry.trick !== undefined;
/** @param {Done} entry
 * @returns {entry is import("./types.d.ts").Ended} */
const isEnded = entry => entry.end !== undefined;

/** @param {Position} at
 * @param {Done} entry */
function advance(at, entry) {
  if (isPlayed(entry)) {
    const { player, card } = entry, hand = at.hands[player];
    /** @param {string[]} cards */
    const without = cards => cards.filter(other => other !== card);
    if (entry.took) {
      at.pool = without(at.pool);
      at.known[player].push(card);
      if (hand) hand.push(card);
    } else {
      if (at.won) Object.assign(at, { trick: [], won: null });
      at.trick.push(entry);
      at.known[player] = without(at.known[player]);
      at.hands[player] = hand && without(hand);
    }
    at.sizes[player] += entry.took ? 1 : -1;
    at.newest = entry;
  } else if (entry.pass) {
    at.passed.push(entry.pass);
  } else if (isExchanged(entry)) {
    exchange(at, entry);
  } else if (isWon(entry)) {
    at.won = entry;
    at.last = { cards: at.trick, winner: entry.winner, trick: entry.trick };
    at.points[entry.winner] += entry.trick;
    at.tricks[entry.winner] += 1;
  } else if (isEnded(entry)) {
    at.end = entry;
    at.results = [...at.results, entry.points];
  }
}

/** Moves the passed cards, as far as they are seen. A card that went to a hidden hand is known to be there.
 * @param {Position} at
 * @param {import("./types.d.ts").Exchanged} entry */
function exchange(at, entry) {
  entry.exchange.forEach((text, giver) => {
    if (text === null) return;
    const cards = cardsIn(text), receiver = (giver + entry.by) % at.sizes.length, given = at.hands[giver], got = at.hands[receiver];
    if (given) at.hands[giver] = given.filter(card => !cards.includes(card));
    if (got) got.push(...cards);
    else at.known[receiver].push(...cards);
    // With one hand in sight, the cards that come to it are new.
    if (got && !given) at.received = cards;
  });
  at.passed = [];
}
