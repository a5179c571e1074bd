//! Helpers of the policies that compare cards by rank.

use crate::rules::BLACK_QUEEN;
use tricks::{Card, Cards, best_card};

/// The rank of a card, from 0 for the two to 12 for the ace.
#[inline]
pub(super) fn rank(card: Card) -> i32 {
    i32::from(card.rank())
}

/// The highest card, the first of equals. There must be a card.
#[inline]
pub(super) fn highest(cards: Cards) -> Card {
    best_card(cards, rank)
}

/// The lowest card, the first of equals. There must be a card.
#[inline]
pub(super) fn lowest(cards: Cards) -> Card {
    best_card(cards, |card| -rank(card))
}

/// Whether a card is the queen of spades, or a spade that may catch her in another hand. Spades are the last suit,
/// so only the king and the ace of spades are above her.
#[inline]
pub(super) fn near_queen(others: Cards, card: Card) -> bool {
    card == BLACK_QUEEN || (card > BLACK_QUEEN && others.contains(BLACK_QUEEN))
}

/// The danger that a card takes a trick: the cards in other hands that it beats, minus those that beat it. For
/// example, the ten of diamonds has 2 - 1 = 1 if others hold the three, the nine and the king.
#[inline]
pub(super) fn danger(others: Cards, card: Card) -> i32 {
    let below = (others & Cards::below(card)).len() as i32;
    let above = (others & Cards::above(card)).len() as i32;
    below - above
}
