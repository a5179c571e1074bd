//! The inputs of habits ([`crate::belief`]): the network's inputs, the card's suit, and products of inputs.
//!
//! The suits and products are for opponents that are fixed programs. A program that takes the first of equal cards
//! prefers a suit. A program that plays high to win and low otherwise uses rank in two ways. The network needs no
//! inputs for this, since players who think do not play so, and its hidden units can form products. A linear scorer
//! can express such a rule only by an input that is the product itself.

use super::{CARD_INPUTS, Inputs, MAX_CHOICES, OF_GAME};
use crate::{Cards, Suit};
use arrayvec::ArrayVec;

/// The first of four inputs that say the card's suit, after the network's.
pub(super) const SUIT: usize = CARD_INPUTS;

// The products, by name. *Rank* is from 0 to 1 and *length* in quarters, as among the inputs; *middle* is the
// distance from the middle rank, from -1 to 1. *Last* is 1 if nobody plays to the trick after this player,
// *left* how much of the hand is left, *game* the first input that the game defines.
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

/// The number of inputs of a card.
pub(crate) const WIDTH: usize = RANK_GAME + 1;

/// The inputs of a card, or a weight for each.
pub(crate) type Row = [f32; WIDTH];

/// The rows of the cards of a choice, in their order.
#[inline(always)]
pub(crate) fn rows(inputs: &Inputs, legal: Cards) -> ArrayVec<Row, MAX_CHOICES> {
    // Shared inputs, which a scorer of single cards sees only as products: 2 later players, 0 hand left.
    let last = f32::from(u8::from(inputs.shared[2] == 0.0));
    let left = inputs.shared[0];
    let cards = inputs.cards().iter().zip(legal);
    let rows = cards.map(|(card, legal)| {
        let mut row = [0.0; WIDTH];
        row[..CARD_INPUTS].copy_from_slice(card);
        row[SUIT + legal.suit() as usize] = 1.0;
        // 0 rank, 1 length, 9 boss, 11 wins, 12 certain.
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

/// The weights of a scorer of the network's inputs, extended to a row: suits and products get 0.
pub(crate) fn widened(inputs: &[f32; CARD_INPUTS]) -> Row {
    let mut row = [0.0; WIDTH];
    row[..CARD_INPUTS].copy_from_slice(inputs);
    row
}
