//! What a linear scorer may go by: the network's inputs, and what deterministic programs look at beside them.
//!
//! A program that takes the first of equals prefers a suit, and one that plays high to win and low otherwise does two things with one
//! input. The network, which knows players who think, needs neither; a linear scorer has no other way to say so.

use super::{CARD_INPUTS, Inputs, MAX_CHOICES, OF_GAME};
use crate::{Cards, Suit};
use arrayvec::ArrayVec;

/// Where the suits stand in a row, after the inputs.
pub(super) const SUIT: usize = CARD_INPUTS;

// Where products of inputs stand. *Rank* is of 12, *length* that of the own suit in quarters, *middle* how far from the middle a rank
// is; *last* is whether nobody plays to the trick any more, *left* how much of the hand is, *game* the first input that the game defines.
pub(super) const RANK_WINS: usize = SUIT + Suit::ALL.len();
pub(super) const RANK_LAST: usize = RANK_WINS + 1;
pub(super) const WINS_LAST: usize = RANK_LAST + 1;
pub(super) const RANK_WINS_LAST: usize = WINS_LAST + 1;
pub(super) const MIDDLE_MIDDLE: usize = RANK_WINS_LAST + 1;
pub(super) const RANK_BOSS: usize = MIDDLE_MIDDLE + 1;
pub(super) const RANK_LENGTH: usize = RANK_BOSS + 1;
pub(super) const LENGTH_LENGTH: usize = RANK_LENGTH + 1;
pub(super) const RANK_CERTAIN: usize = LENGTH_LENGTH + 1;
pub(super) const RANK_LEFT: usize = RANK_CERTAIN + 1;
pub(super) const WINS_LENGTH: usize = RANK_LEFT + 1;
pub(super) const RANK_GAME: usize = WINS_LENGTH + 1;

/// Numbers for a card.
pub(crate) const WIDTH: usize = RANK_GAME + 1;

/// What is known of a card that may be chosen, or what each of it is worth.
pub(crate) type Row = [f32; WIDTH];

/// The rows of the cards of a choice, in their order.
#[inline(always)]
pub(crate) fn rows(inputs: &Inputs, legal: Cards) -> ArrayVec<Row, MAX_CHOICES> {
    let last = f32::from(u8::from(inputs.shared[2] == 0.0));
    let left = inputs.shared[0];
    let cards = inputs.cards().iter().zip(legal);
    let rows = cards.map(|(card, legal)| {
        let mut row = [0.0; WIDTH];
        row[..CARD_INPUTS].copy_from_slice(card);
        row[SUIT + legal.suit() as usize] = 1.0;
        let [rank, length] = [card[0], card[1]];
        let [boss, wins, certain] = [card[9], card[11], card[12]];
        let middle = 2.0 * rank - 1.0;
        row[RANK_WINS] = rank * wins;
        row[RANK_LAST] = rank * last;
        row[WINS_LAST] = wins * last;
        row[RANK_WINS_LAST] = rank * wins * last;
        row[MIDDLE_MIDDLE] = middle * middle;
        row[RANK_BOSS] = rank * boss;
        row[RANK_LENGTH] = rank * length;
        row[LENGTH_LENGTH] = length * length;
        row[RANK_CERTAIN] = rank * certain;
        row[RANK_LEFT] = rank * left;
        row[WINS_LENGTH] = wins * length;
        row[RANK_GAME] = rank * card[OF_GAME];
        row
    });
    rows.collect()
}

/// The weights of a scorer that knows the inputs alone.
pub(crate) fn widened(inputs: &[f32; CARD_INPUTS]) -> Row {
    let mut row = [0.0; WIDTH];
    row[..CARD_INPUTS].copy_from_slice(inputs);
    row
}
