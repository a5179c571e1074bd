//! Cards and multisets of cards. Suits do not matter in this game, so a card is its rank.

use std::fmt;

pub const RANKS: usize = 13;

/// How many cards a player is dealt, which is the number of tricks of a hand.
pub const HAND_SIZE: usize = 5;

/// A card: its rank, from 1 to 13. Suits do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card of a rank from 1 to 13.
    pub const fn new(rank: u8) -> Option<Card> {
        if rank >= 1 && rank as usize <= RANKS {
            Some(Card(rank))
        } else {
            None
        }
    }

    /// The rank, from 1 to 13.
    pub const fn rank(self) -> u8 {
        self.0
    }

    /// All 13 cards, by ascending rank.
    pub fn all() -> impl DoubleEndedIterator<Item = Card> + ExactSizeIterator + Clone {
        (1..=RANKS as u8).map(Card)
    }

    /// The position of the rank's four bits in [`Cards`].
    const fn shift(self) -> u32 {
        4 * (self.0 as u32 - 1)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A multiset of cards, at most 15 of a rank: a hand, or what is left of the packs.
///
/// Four bits a rank in one word, so that sets are compared, hashed and copied as numbers.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cards(u64);

impl Cards {
    pub const EMPTY: Cards = Cards(0);

    /// `count` cards of every rank, at most 15.
    pub const fn of_each(count: u8) -> Cards {
        assert!(count <= 15);
        // A 1 in each of the 13 fields of four bits, times the count.
        Cards(0x1_1111_1111_1111 * count as u64)
    }

    /// How many cards of this rank there are.
    #[inline]
    pub const fn count(self, card: Card) -> u8 {
        (self.0 >> card.shift() & 15) as u8
    }

    /// Whether there is a card of this rank.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.count(card) > 0
    }

    /// The number of cards in the multiset.
    #[inline]
    pub const fn len(self) -> usize {
        // Neighbouring ranks are added to bytes; the multiplication sums all bytes in the highest one. No byte
        // overflows: the total is at most 13 · 15 = 195 < 256.
        let pairs = (self.0 & 0x0F0F_0F0F_0F0F_0F0F) + (self.0 >> 4 & 0x0F0F_0F0F_0F0F_0F0F);
        (pairs.wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize
    }

    /// Whether the multiset has no cards.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a card. There must be fewer than 15 of its rank.
    #[inline]
    pub const fn insert(&mut self, card: Card) {
        debug_assert!(self.count(card) < 15);
        self.0 += 1 << card.shift();
    }

    /// Removes a card. Returns whether it was there.
    #[inline]
    pub const fn remove(&mut self, card: Card) -> bool {
        let there = self.contains(card);
        if there {
            self.0 -= 1 << card.shift();
        }
        there
    }

    /// The same cards and one more.
    #[must_use]
    #[inline]
    pub const fn with(mut self, card: Card) -> Cards {
        self.insert(card);
        self
    }

    /// The same cards without one; `None` if it is not there.
    #[must_use]
    #[inline]
    pub const fn without(mut self, card: Card) -> Option<Cards> {
        if self.remove(card) { Some(self) } else { None }
    }

    /// Whether `others` has as many of every card.
    pub fn is_within(self, others: Cards) -> bool {
        let mut ranks = self.ranks();
        ranks.all(|card| self.count(card) <= others.count(card))
    }

    /// The cards left without `others`. Those of the others that are not there are ignored.
    #[must_use]
    pub fn minus(self, others: Cards) -> Cards {
        let mut left = self;
        for card in others.iter() {
            left.remove(card);
        }
        left
    }

    /// The cards of both. No rank may have more than 15.
    #[must_use]
    pub const fn plus(self, others: Cards) -> Cards {
        Cards(self.0 + others.0)
    }

    /// The lowest card; none in an empty multiset.
    #[inline]
    pub const fn lowest(self) -> Option<Card> {
        // The lowest field that is not 0, found by the lowest bit that is set.
        if self.0 == 0 {
            None
        } else {
            Card::new((self.0.trailing_zeros() / 4) as u8 + 1)
        }
    }

    /// The highest card; none in an empty multiset.
    #[inline]
    pub const fn highest(self) -> Option<Card> {
        if self.0 == 0 {
            None
        } else {
            Card::new(((63 - self.0.leading_zeros()) / 4) as u8 + 1)
        }
    }

    /// The lowest card above `card`: the cheapest one that wins a trick to which it was led.
    pub fn lowest_above(self, card: Card) -> Option<Card> {
        self.ranks().find(|&own| own > card)
    }

    /// All cards, ascending; equal ones follow one another.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Card> + Clone {
        Card::all().flat_map(move |card| std::iter::repeat_n(card, self.count(card).into()))
    }

    /// All ranks in the multiset, each once, ascending.
    pub fn ranks(self) -> impl DoubleEndedIterator<Item = Card> + Clone {
        Card::all().filter(move |&card| self.contains(card))
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Cards {
        cards.into_iter().fold(Cards::EMPTY, Cards::with)
    }
}

/// The ranks, descending: `12 9 8 8 1`.
impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, card) in self.iter().rev().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{card}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

/// Short names for cards in tests.
#[cfg(test)]
pub(crate) mod testing {
    use super::{Card, Cards};

    pub(crate) fn card(rank: u8) -> Card {
        Card::new(rank).unwrap()
    }

    pub(crate) fn cards(ranks: &[u8]) -> Cards {
        ranks.iter().map(|&rank| card(rank)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{card, cards};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranks_go_from_1_to_13() {
        assert_eq!(Card::new(0), None);
        assert_eq!(Card::new(14), None);
        assert_eq!(
            Card::all().map(Card::rank).collect::<Vec<_>>(),
            (1..=13).collect::<Vec<u8>>()
        );
    }

    #[test]
    fn two_packs_hold_104_cards() {
        assert_eq!(Cards::of_each(8).len(), 104);
        assert_eq!(Cards::of_each(15).len(), 195);
        assert_eq!(Cards::of_each(8).count(card(13)), 8);
    }

    #[test]
    fn a_set_is_shown_from_the_top() {
        let set = cards(&[8, 1, 12, 9, 8]);
        assert_eq!(set.to_string(), "12 9 8 8 1");
        assert_eq!(format!("{set:?}"), "[12 9 8 8 1]");
    }

    proptest! {
        #[test]
        fn a_set_is_a_sorted_list(mut ranks in prop::collection::vec(1u8..=13, 0..15), one in 1u8..=13) {
            let set = cards(&ranks);
            ranks.sort_unstable();
            prop_assert_eq!(set.iter().map(Card::rank).collect::<Vec<_>>(), ranks.clone());
            prop_assert_eq!(set.len(), ranks.len());
            prop_assert_eq!(set.lowest().map(Card::rank), ranks.first().copied());
            prop_assert_eq!(set.highest().map(Card::rank), ranks.last().copied());
            prop_assert_eq!(set.contains(card(one)), ranks.contains(&one));
            let place = ranks.iter().position(|&rank| rank == one);
            let without = place.map(|place| { let mut left = ranks.clone(); left.remove(place); left });
            prop_assert_eq!(set.without(card(one)), without.map(|left| cards(&left)));
            prop_assert!(set.minus(set.with(card(one))).is_empty());
            prop_assert_eq!(set.with(card(one)).minus(set), cards(&[one]));
        }

        #[test]
        fn minus_undoes_plus(a in prop::collection::vec(1u8..=13, 0..7), b in prop::collection::vec(1u8..=13, 0..7)) {
            prop_assert_eq!(cards(&a).plus(cards(&b)).minus(cards(&b)), cards(&a));
        }
    }
}
