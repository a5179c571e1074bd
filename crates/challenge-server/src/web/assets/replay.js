// Makes the positions of a game from its list of events. It knows no rules: the list has all that happens.

/** @typedef {import("./types.d.ts").Position} Position */
/** @typedef {import("./types.d.ts").GameEvent} GameEvent */

/** @type {Position} */
const START = {
  hand: 0, cards: [[], []], states: [[], []], table: [null, null], tricks: [0, 0], points: [0, 0],
  round: null, acts: null, challenge: null, kind: "", text: "", fault: false, winner: null,
};

/** Marks the first card of that rank which the player still holds.
 * @param {Position} position @param {number} player @param {number} rank @param {string} as */
function mark(position, player, rank, as) {
  const { cards, states } = position;
  const at = cards[player].findIndex((card, i) => card === rank && states[player][i] === "hand");
  if (at >= 0) states[player][at] = as;
}

/** Changes the state of all cards whose state is `from`.
 * @param {Position} position @param {string} from @param {string} to */
function turn(position, from, to) {
  for (const states of position.states) states.forEach((state, i) => { if (state === from) states[i] = to; });
}

/** The effect of each kind of move on the position.
 * @type {Record<string, (position: Position, by: number, move: GameEvent, names: string[]) => void>} */
const MOVES = {
  play_card(position, by, move, names) {
    mark(position, by, move.card, "table");
    position.table[by] = move.card;
    position.text = `${names[by]} plays ${move.card}`;
  },
  offer_challenge(position, by, _, names) {
    position.challenge = "offered";
    position.text = `${names[by]} challenges`;
  },
  accept_challenge(position, by, _, names) {
    position.challenge = "accepted";
    position.text = `${names[by]} accepts: this hand decides the game`;
  },
  reject_challenge(position, by, _, names) {
    position.challenge = "rejected";
    position.text = `${names[by]} rejects the challenge`;
  },
  illegal_move(position, by, move, names) {
    position.fault = true;
    position.text = `${names[by]} errs: ${move.reason}`;
  },
};

/** The effect of each kind of event on the position.
 * @type {Record<string, (position: Position, event: GameEvent, names: string[]) => void>} */
const EVENTS = {
  new_hand(position, event, names) {
    position.hand += 1;
    position.cards = [event.player0_hand, event.player1_hand];
    const [first, second] = position.cards;
    position.states = [first.map(() => "hand"), second.map(() => "hand")];
    position.table = [null, null];
    position.tricks = [0, 0];
    position.challenge = null;
    position.acts = event.next_player;
    position.text = `Hand ${position.hand}: ${names[event.next_player]} leads`;
  },
  player_move(position, event, names) {
    const by = event.moving_player;
    position.acts = by;
    const move = MOVES[event.move.type];
    if (move) move(position, by, event.move, names);
    else position.text = `${names[by]}: ${event.move.type}`;
  },
  penalty_result(position, event, names) {
    turn(position, "table", "hand");
    position.table = [null, null];
    const lost = [event.player0_removed_card, event.player1_removed_card];
    for (const player of [0, 1]) mark(position, player, lost[player], player === event.penalized_player ? "cost" : "gain");
    position.text += `. ${names[0]} loses ${lost[0]}, ${names[1]} loses ${lost[1]}`;
    position.fault = true;
  },
  trick_over(position, event, names) {
    turn(position, "table", "taken");
    position.table = [null, null];
    position.tricks = [event.player0_tricks, event.player1_tricks];
    position.acts = event.won_by ?? null;
    position.text = event.won_by === undefined ? "The trick is tied" : `${names[event.won_by]} takes the trick`;
  },
  new_hand_score(position, event, names) {
    /** @type {[number, number]} */
    const points = [event.player0_score, event.player1_score];
    const winner = [0, 1].find(player => points[player] > position.points[player]);
    position.points = points;
    position.acts = null;
    position.text = winner === undefined ? "The hand is tied: no points" : `${names[winner]} has the point`;
  },
  final_game_result(position, event, names) {
    position.points = [event.player0_score, event.player1_score];
    position.acts = null;
    position.winner = event.winner;
    position.text = `${names[event.winner]} wins the game`;
  },
  new_round_score(position, event) {
    position.round = [event.player0_score, event.player1_score];
    position.acts = null;
    position.text = `The round stands ${event.player0_score} : ${event.player1_score}`;
  },
};

/** The position after each event. A fault and its penalty make one position.
 * @param {GameEvent[]} entries @param {string[]} names */
export function positionsOf(entries, names) {
  /** @type {Position[]} */
  const positions = [];
  let before = START;
  entries.forEach((event, i) => {
    const position = structuredClone(before);
    const goesOn = event.type === "penalty_result" && entries[i - 1]?.move?.type === "illegal_move";
    if (!goesOn) Object.assign(position, { fault: false, text: "" });
    position.kind = event.type;
    const act = EVENTS[event.type];
    if (act) act(position, event, names);
    if (goesOn) positions.pop();
    positions.push(position);
    before = position;
  });
  return positions;
}
