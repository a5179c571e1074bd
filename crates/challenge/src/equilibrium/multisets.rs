//! Numbers for multisets of ranks, dense from 0, so that tables can be indexed by hands.

use crate::rules::{Card, Cards};

/// Binomial coefficients `C(n, k)` for `n` up to 18 and `k` up to 6.
const CHOOSE: [[u16; 7]; 19] = {
    let mut table = [[0; 7]; 19];
    let mut n = 0;
    // Pascal's triangle, in loops that a constant allows.
    while n < 19 {
        table[n][0] = 1;
        let mut k = 1;
        while n > 0 && k < 7 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of multisets of `size` elements out of `kinds` kinds, `C(kinds + size − 1, size)`: 91 of two cards
/// out of 13 ranks.
pub const fn count(kinds: usize, size: usize) -> usize {
    CHOOSE[kinds + size - 1][size] as usize
}

/// The number of a multiset among those of its size. Kinds count from 0 and come in ascending order.
///
/// This is the combinatorial number system (Knuth, TAOCP 4A, 7.2.1.3): elements `c_0 < c_1 < …` get the number
/// `C(c_0, 1) + C(c_1, 2) + …`. A multiset becomes such a set if each element's position is added to it. The kinds
/// 0, 0, 2 are the set 0, 1, 4 and have the number `C(0,1) + C(1,2) + C(4,3) = 4`.
pub fn index(ascending: impl Iterator<Item = usize>) -> usize {
    ascending
        .enumerate()
        .map(|(place, kind)| usize::from(CHOOSE[kind + place][place + 1]))
        .sum()
}

/// The cards of a multiset in ascending order, as [`Cards::iter`]; faster for few cards.
pub fn ascending(cards: Cards) -> impl Iterator<Item = Card> {
    let mut left = cards;
    std::iter::from_fn(move || {
        let card = left.lowest()?;
        left.remove(card);
        Some(card)
    })
}

/// All multisets of one size of the 13 ranks, in the order of [`Multisets::index`].
#[derive(Clone, Debug)]
pub struct Multisets {
    all: Vec<Cards>,
}

impl Multisets {
    /// All multisets of `size` cards, at most 5.
    pub fn new(size: usize) -> Multisets {
        // The highest card varies slowest: that is the order of the numbers.
        fn extend(highest: u8, left: usize, cards: Cards, all: &mut Vec<Cards>) {
            if left == 0 {
                all.push(cards);
                return;
            }
            for card in Card::all().take(usize::from(highest)) {
                extend(card.rank(), left - 1, cards.with(card), all);
            }
        }
        let mut all = Vec::with_capacity(count(13, size));
        extend(13, size, Cards::EMPTY, &mut all);
        Multisets { all }
    }

    /// The number of a multiset among those of its size.
    pub fn index(cards: Cards) -> usize {
        index(ascending(cards).map(|card| usize::from(card.rank()) - 1))
    }

    /// The multisets, each at the index of its number.
    pub fn all(&self) -> &[Cards] {
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_in_order() {
        for (size, expected) in [(0, 1), (1, 13), (2, 91), (3, 455), (4, 1820), (5, 6188)] {
            let sets = Multisets::new(size);
            assert_eq!(sets.all().len(), expected);
            assert_eq!(count(13, size), expected);
            for (number, &cards) in sets.all().iter().enumerate() {
                assert_eq!(cards.len(), size);
                assert!(ascending(cards).eq(cards.iter()));
                assert_eq!(Multisets::index(cards), number, "{cards}");
            }
        }
    }
}
