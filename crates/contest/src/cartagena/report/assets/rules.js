// Replays the recorded actions of a game for the page of a report. Records are checked before they come here, so the
// only rules needed are how places, cards and turns change.

export const SYMBOLS = "bdghks";
/** The names of the symbols. A page in another language replaces them by its own.
 * @type {Record<string, string>} */
export const NAMES = { b: "bottle", d: "dagger", g: "gun", h: "hat", k: "keys", s: "skull" };
const ACTIONS_A_TURN = 3;
const DECK = 102;

/** @typedef {import("./types.d.ts").Action} Action */
/** @typedef {import("./types.d.ts").Cards} Cards */
/** @typedef {import("./types.d.ts").State} State */
/** @typedef {import("./types.d.ts").Game} Game */

/** The numbers of cards in a word of letters.
 * @param {string} word
 * @returns {Cards} */
const cardsOf = word => {
  /** @type {Cards} */
  const cards = Object.fromEntries([...SYMBOLS].map(s => [s, 0]));
  for (const s of word) cards[s] += 1;
  return cards;
};
/** @param {Cards} cards */
export const wordOf = cards => [...SYMBOLS].map(s => s.repeat(cards[s])).join("");
/** @param {Cards} cards */
export const total = cards => [...SYMBOLS].reduce((sum, s) => sum + cards[s], 0);

/** Reads an action, such as `24.3+bk`: player 2 goes back from 4 to 3 and draws a bottle and keys.
 * @param {string} word
 * @returns {Action} */
function parseAction(word) {
  const [, player, from, to, card, drawn] =
    /^(\d)(?:-|(\d+)\.(\d+)([bdghks]?)(?:\+([bdghks]+))?)$/.exec(word) || [];
  if (from === undefined) return { player: +player - 1, pass: true, from: 0, to: 0, card: "", drawn: "" };
  return { player: +player - 1, from: +from, to: +to, card, drawn: drawn || "" };
}

/** The position after the deal.
 * @param {Game} game
 * @returns {State} */
function startOf(game) {
  const hands = game.hands.map(cardsOf);
  const dealt = hands.reduce((sum, hand) => sum + total(hand), 0);
  return {
    places: game.p.map(() => Array(game.n).fill(0)),
    hands, discards: cardsOf(""), pile: DECK - dealt,
    toMove: 0, taken: 0, left: game.p.map(() => false),
  };
}

/** @param {State} state
 * @returns {State} */
const copyOf = state => ({
  ...state,
  places: state.places.map(p => [...p]),
  hands: state.hands.map(h => ({ ...h })),
  discards: { ...state.discards },
  left: [...state.left],
});

/** @param {State} state */
function endTurn(state) {
  state.taken = 0;
  state.toMove = (state.toMove + 1) % state.places.length;
}

/** Ends the turns of players who have left the game, until another one is to move. With one player left the game is
 * over, and nothing happens.
 * @param {State} state */
function skip(state) {
  if (state.left.filter(left => !left).length < 2) return;
  while (state.left[state.toMove]) endTurn(state);
}

/** Changes the position by an action.
 * @param {State} state
 * @param {Action} action
 * @param {number} boat */
function advance(state, action, boat) {
  const hand = state.hands[action.player];
  if (action.pass) {
    endTurn(state);
    return;
  }
  const places = state.places[action.player];
  places[places.indexOf(action.from)] = action.to;
  places.sort((a, b) => a - b);
  if (action.card) {
    hand[action.card] -= 1;
    state.discards[action.card] += 1;
  } else {
    if (action.drawn.length > state.pile) {
      // The pile ran out during the draw, and the discards became the new pile.
      state.pile += total(state.discards);
      state.discards = cardsOf("");
    }
    state.pile -= action.drawn.length;
    for (const card of action.drawn) hand[card] += 1;
  }
  state.taken += 1;
  if (places[0] !== boat && state.taken === ACTIONS_A_TURN) endTurn(state);
}

/** Removes players who forfeited before the action with this number (from 1): their cards are discarded, and their
 * turns are skipped.
 * @param {State} state
 * @param {Game} game
 * @param {number} number
 * @returns {number} the turns that had no action: the referee counts them */
function punish(state, game, number) {
  let turns = 0;
  skip(state);
  for (const fault of (game.f || []).filter(f => f.forfeit && f.a === number)) {
    const player = fault.p - 1;
    for (const s of SYMBOLS) state.discards[s] += state.hands[player][s];
    state.hands[player] = cardsOf("");
    state.left[player] = true;
    if (state.taken === 0) turns += 1;
    endTurn(state);
    skip(state);
  }
  return turns;
}

/** The actions of a game, and its positions: position i is the one after i actions.
 * @param {Game} game
 * @returns {import("./types.d.ts").Unrolled} */
export function unrolled(game) {
  const actions = game.a ? game.a.split(" ").map(parseAction) : [];
  const boat = game.board.length + 1;
  const state = startOf(game);
  let turn = 1 + punish(state, game, 1);
  const positions = [copyOf(state)];
  actions.forEach((action, i) => {
    if (i > 0 && state.taken === 0) turn += 1;
    action.turn = turn;
    action.nth = state.taken + 1;
    advance(state, action, boat);
    turn += punish(state, game, i + 2);
    positions.push(copyOf(state));
  });
  return { actions, positions, boat };
}
