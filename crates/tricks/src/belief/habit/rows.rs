//! What a habit may go by: the network's inputs, and what deterministic programs look at beside them.
//!
//! A program that takes the first of equals prefers a suit, and one that plays high to win and low otherwise does two things with one
//! input. The network, which knows players who think, needs neither; a linear scorer has no other way to say so.

use crate::network::{CARD_INPUTS, Inputs, MAX_CHOICES, OF_GAME};
use crate::{Cards, Suit};
use arrayvec::ArrayVec;

/// Numbers for a card.
pub(super) const WIDTH: usize = CARD_INPUTS + Suit::ALL.len() + PRODUCTS;
/// Products of inputs among them.
const PRODUCTS: usize = 12;

/// What is known of a card that may be chosen.
pub(super) type Row = [f32; WIDTH];

/// The rows of the cards of a choice, in their order.
#[inline(always)]
pub(super) fn rows(inputs: &Inputs, legal: Cards) -> ArrayVec<Row, MAX_CHOICES> {
    // Whether nobody plays to the trick any more.
    let last = f32::from(u8::from(inputs.shared[2] == 0.0));
    let left = inputs.shared[0];
    let cards = inputs.cards().iter().zip(legal);
    let rows = cards.map(|(card, legal)| {
        let mut row = [0.0; WIDTH];
        let (known, more) = row.split_at_mut(CARD_INPUTS);
        known.copy_from_slice(card);
        let (suit, products) = more.split_at_mut(Suit::ALL.len());
        suit[legal.suit() as usize] = 1.0;
        let [rank, length] = [card[0], card[1]];
        let [boss, wins, certain] = [card[9], card[11], card[12]];
        let middle = 2.0 * rank - 1.0;
        products.copy_from_slice(&[
            rank * wins,
            rank * last,
            wins * last,
            rank * wins * last,
            middle * middle,
            rank * boss,
            rank * length,
            length * length,
            rank * certain,
            rank * left,
            wins * length,
            // The first input that the game defines.
            rank * card[OF_GAME],
        ]);
        row
    });
    rows.collect()
}
