//! Sets of up to five cards, addressed by their numbers: hands without order, in which a rank may come several
//! times. The tables of the opening have an entry for each.

use challenge::deals::orders;
use challenge::equilibrium::{HandTables, Multisets};
use challenge::rules::{Card, Cards, RANKS};

/// The sets of up to five cards, and the links between them. Ranks count from 0 here.
pub(super) struct Sets(HandTables);

/// The card of a rank that counts from 0.
pub(super) fn card(rank: usize) -> Card {
    Card::new(rank as u8 + 1).expect("there are 13 ranks")
}

/// The rank of a card, from 0.
pub(super) fn rank(card: Card) -> usize {
    usize::from(card.rank()) - 1
}

impl Sets {
    pub fn new() -> Sets {
        Sets(HandTables::new())
    }

    /// The sets of a size, each at its number.
    pub fn all(&self, size: usize) -> &[Cards] {
        self.0.all(size)
    }

    /// The number of sets of a size.
    pub fn count(&self, size: usize) -> usize {
        self.all(size).len()
    }

    /// The number of a set.
    pub fn number(cards: Cards) -> usize {
        Multisets::index(cards)
    }

    /// For each set of a size, the number of the set that has one more card of this rank.
    pub fn plus(&self, size: usize, rank: usize) -> &[u16] {
        self.0.plus(size, card(rank))
    }

    /// For each set of a size, the number of ways to draw it from `left` cards of each rank, equal
    /// cards in order: the product over its ranks of `left (left − 1) …`, one factor for each card.
    /// Two cards of a rank with eight left can be drawn in 8 · 7 = 56 ways.
    pub fn ways(&self, left: &[f64; RANKS], size: usize) -> Vec<f32> {
        let of = |cards: &Cards| {
            let falling = |card: Card| -> f64 {
                let left = left[rank(card)];
                let taken = 0..cards.count(card);
                // A set with more cards than are left has a factor of 0.
                taken.map(|i| (left - f64::from(i)).max(0.0)).product()
            };
            cards.ranks().map(falling).product::<f64>() as f32
        };
        self.all(size).iter().map(of).collect()
    }

    /// For every own set: `factor · Σ over the other's sets of reach · ways to draw both`.
    pub fn weigh(
        &self,
        left: &[f64; RANKS],
        sizes: (usize, usize),
        reach: &[f32],
        factor: f64,
    ) -> Vec<f32> {
        self.0.weigh_all(left, sizes, reach, factor)
    }
}

/// The reach of a hand at the deal, `1 / Π count!` over its ranks. [`Sets::ways`] counts equal
/// cards in order; this divides their orders out again.
pub(super) fn dealt(cards: Cards) -> f32 {
    1.0 / orders(cards) as f32
}

/// The product of two vectors, element by element.
pub(super) fn product(one: &[f32], two: &[f32]) -> Vec<f32> {
    one.iter().zip(two).map(|(one, two)| one * two).collect()
}
