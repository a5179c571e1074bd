// Makes the position of a game after some entries of its log.

/** @typedef {import("./types.d.ts").Position} Position */
/** @typedef {import("./types.d.ts").Done} Done */

/** @type {Position} */
const BEFORE = { hand: 0, held: [null, null], left: [0, 0], table: [null, null], taken: null, done: false, tricks: [0, 0], points: [0, 0], challenge: null, acts: null };

/** The effect of each kind of entry on the position.
 * @type {Record<Done["what"], (now: Position, entry: Done) => void>} */
const HAPPENS = {
  deal(now, { hand, lead, hands, left, points, tricks, accepted }) {
    Object.assign(now, { hand, held: hands.map(cards => cards && [...cards]), left: [...left], points, tricks, challenge: accepted ? "accepted" : null, acts: lead });
    clear(now);
  },
  play(now, { player, card }) {
    if (now.done) clear(now);
    now.table[player] = card;
    now.left[player] -= 1;
    const held = now.held[player];
    if (held) held.splice(held.indexOf(card), 1);
    now.acts = 1 - player;
  },
  offer(now, { player }) { now.challenge = "offered"; now.acts = 1 - player; },
  // The player who made the offer acts next.
  accept(now, { player }) { now.challenge = "accepted"; now.acts = 1 - player; },
  reject(now) { now.challenge = "rejected"; now.acts = null; },
  trick(now, { by, tricks }) { Object.assign(now, { tricks, taken: by, done: true, acts: by }); },
  hand(now, { points }) { Object.assign(now, { points, acts: null }); },
  game(now, { points }) { Object.assign(now, { points, acts: null }); },
};

/** Clears the table. A finished trick stays on it until the next card is played.
 * @param {Position} now */
function clear(now) {
  now.table = [null, null];
  now.taken = null;
  now.done = false;
}

/** @param {Done[]} log @param {number} entries
 * @returns {Position} */
export function positionAfter(log, entries) {
  const now = structuredClone(BEFORE);
  for (const entry of log.slice(0, entries)) HAPPENS[entry.what](now, entry);
  return now;
}
