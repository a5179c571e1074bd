//! Sets of cards as bits: 16 for each suit, with 13 of them in use.

use super::card::{Card, Suit};
use std::fmt;
use std::ops::{BitAnd, BitOr, Not, Sub};

/// A set of cards. It is iterated in the order of cards: by suit, then by rank.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Cards(u64);

/// The bits of one suit's thirteen ranks.
const SUIT: u64 = 0x1fff;

impl Cards {
    pub const EMPTY: Cards = Cards(0);
    pub const ALL: Cards = Cards(SUIT | SUIT << 16 | SUIT << 32 | SUIT << 48);

    /// All cards of a suit.
    #[inline]
    pub const fn suit(suit: Suit) -> Cards {
        Cards(SUIT << (16 * suit as u32))
    }

    /// The four cards of a rank, as in [`Card::rank`].
    #[inline]
    pub const fn rank(rank: u8) -> Cards {
        Cards(0x0001_0001_0001_0001 << rank)
    }

    /// The cards of the same suit that beat a card.
    #[inline]
    pub const fn above(card: Card) -> Cards {
        // 2 << bit is the bit above the card's; one less covers the card and everything below it.
        Cards(Cards::suit(card.suit()).0 & !((2 << card.bit()) - 1))
    }

    /// The cards of the same suit that a card beats.
    #[inline]
    pub const fn below(card: Card) -> Cards {
        // One less than the card's bit covers all cards of lower bits; the suit cuts the other suits off.
        Cards(Cards::suit(card.suit()).0 & ((1 << card.bit()) - 1))
    }

    /// The number of cards in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the card is in the set.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.bit() & 1 == 1
    }

    #[inline]
    pub fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.bit();
    }

    /// Takes a card out; returns whether it was in the set.
    #[inline]
    pub fn remove(&mut self, card: Card) -> bool {
        let there = self.contains(card);
        self.0 &= !(1 << card.bit());
        there
    }

    /// The first card: the lowest of the first suit that has any.
    #[inline]
    pub const fn first(self) -> Option<Card> {
        match self.0 {
            0 => None,
            bits => Some(Card::at(bits.trailing_zeros())),
        }
    }

    /// The last card: the highest of the last suit that has any.
    #[inline]
    pub const fn last(self) -> Option<Card> {
        match self.0 {
            0 => None,
            bits => Some(Card::at(63 - bits.leading_zeros())),
        }
    }

    /// The lowest card of a suit.
    #[inline]
    pub const fn first_of(self, suit: Suit) -> Option<Card> {
        Cards(self.0 & Cards::suit(suit).0).first()
    }

    /// The highest card of a suit.
    #[inline]
    pub const fn last_of(self, suit: Suit) -> Option<Card> {
        Cards(self.0 & Cards::suit(suit).0).last()
    }

    /// The cards of a suit, as a bit for each rank.
    #[inline]
    pub(crate) const fn ranks_of(self, suit: Suit) -> u16 {
        (self.0 >> (16 * suit as u32)) as u16
    }

    /// The cards that may be played from this hand to a trick in which `led` was led: the cards of that suit,
    /// or all if there is none.
    #[inline]
    pub fn following(self, led: Suit) -> Cards {
        match self & Cards::suit(led) {
            Cards::EMPTY => self,
            suit => suit,
        }
    }
}

impl BitAnd for Cards {
    type Output = Cards;
    #[inline]
    fn bitand(self, other: Cards) -> Cards {
        Cards(self.0 & other.0)
    }
}

impl BitOr for Cards {
    type Output = Cards;
    #[inline]
    fn bitor(self, other: Cards) -> Cards {
        Cards(self.0 | other.0)
    }
}

impl Sub for Cards {
    type Output = Cards;
    #[inline]
    fn sub(self, other: Cards) -> Cards {
        Cards(self.0 & !other.0)
    }
}

impl Not for Cards {
    type Output = Cards;
    #[inline]
    fn not(self) -> Cards {
        // Within the cards that exist: a plain complement would set the three unused bits of each suit.
        Cards::ALL - self
    }
}

impl From<Card> for Cards {
    #[inline]
    fn from(card: Card) -> Cards {
        Cards(1 << card.bit())
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Cards {
        cards.into_iter().fold(Cards::EMPTY, |mut set, card| {
            set.insert(card);
            set
        })
    }
}

impl IntoIterator for Cards {
    type Item = Card;
    type IntoIter = Iter;
    #[inline]
    fn into_iter(self) -> Iter {
        Iter(self)
    }
}

/// The cards of a set, in order.
#[derive(Clone, Debug)]
pub struct Iter(Cards);

impl Iterator for Iter {
    type Item = Card;

    #[inline]
    fn next(&mut self) -> Option<Card> {
        let card = self.0.first()?;
        // Clears the lowest bit.
        self.0.0 &= self.0.0 - 1;
        Some(card)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Iter {}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, card) in self.into_iter().enumerate() {
            write!(f, "{}{card}", if i > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::{EIGHT, QUEEN};
    use std::collections::BTreeSet;

    #[test]
    fn a_deck_has_fifty_two_cards_in_order() {
        let deck: Vec<Card> = Cards::ALL.into_iter().collect();
        assert_eq!(deck.len(), 52);
        assert!(deck.is_sorted() && deck.iter().collect::<BTreeSet<_>>().len() == 52);
        for &card in &deck {
            assert_eq!(Card::new(card.suit(), card.rank()), card);
            assert_eq!(Cards::from(card).first(), Some(card));
            assert_eq!(Cards::from(card).last(), Some(card));
            let suit = Cards::suit(card.suit());
            assert_eq!(
                Cards::above(card) | Cards::below(card) | card.into(),
                suit,
                "{card}"
            );
            assert!(
                Cards::above(card)
                    .into_iter()
                    .all(|c| c.rank() > card.rank())
            );
        }
        assert_eq!(!Cards::EMPTY, Cards::ALL);
    }

    #[test]
    fn following_suit() {
        let hand: Cards = [
            Card::new(Suit::Clubs, 3),
            Card::new(Suit::Spades, QUEEN),
            Card::new(Suit::Spades, EIGHT),
        ]
        .into_iter()
        .collect();
        assert_eq!(hand.to_string(), "♣5 ♠8 ♠Q");
        assert_eq!(hand.following(Suit::Spades).to_string(), "♠8 ♠Q");
        assert_eq!(hand.following(Suit::Hearts), hand);
        assert_eq!((hand & Cards::rank(EIGHT)).to_string(), "♠8");
    }
}
