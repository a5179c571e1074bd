//! Helpers of the policies that compare cards by rank alone, whatever their suits.

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
