//! Playing cards: four suits of thirteen.

use std::fmt;

/// A suit. The order serves sorting alone: there are no trumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// All four suits, in the order of [`Suit`].
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["♣", "♦", "♥", "♠"][*self as usize])
    }
}

/// The rank of the eight, as in [`Card::rank`].
pub const EIGHT: u8 = 6;
/// The rank of the queen, as in [`Card::rank`].
pub const QUEEN: u8 = 10;
/// The number of ranks of a suit.
pub const RANKS: u8 = 13;

/// A card. Cards are ordered by suit, then by rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card of a suit with a rank from 0, the two, to 12, the ace.
    ///
    /// # Panics
    /// If the rank is 13 or more.
    pub const fn new(suit: Suit, rank: u8) -> Card {
        assert!(rank < RANKS);
        // Sixteen places a suit: the suit and the rank are cut out by shifts, and a suit of a set is 16 bits of
        // a word.
        Card((suit as u8) << 4 | rank)
    }

    #[inline]
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 >> 4) as usize & 3]
    }

    /// The rank, from 0 for the two to 12 for the ace.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 & 15
    }

    /// A number below 64, for tables. It is also the place of the card's bit in a [`Cards`](super::Cards).
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(super) const fn bit(self) -> u32 {
        self.0 as u32
    }

    /// The card of a bit that is in use: the inverse of [`Card::bit`].
    #[inline]
    pub(super) const fn at(bit: u32) -> Card {
        Card(bit as u8)
    }
}

const SUIT_LETTERS: [char; 4] = ['c', 'd', 'h', 's'];
const RANK_LETTERS: &str = "23456789tjqka";

impl Card {
    /// The letter of the suit and that of the rank: `d9`, `st`.
    pub fn code(self) -> String {
        let rank = usize::from(self.rank());
        let suit = SUIT_LETTERS[self.suit() as usize];
        format!("{suit}{}", &RANK_LETTERS[rank..=rank])
    }

    /// The card with this code, in lower case; none if it is not a code.
    pub fn from_code(code: &str) -> Option<Card> {
        let mut letters = code.chars();
        let suit = letters.next()?;
        let suit = SUIT_LETTERS.iter().position(|&letter| letter == suit)?;
        let rank = letters.next().and_then(|rank| RANK_LETTERS.find(rank))?;
        // A third letter makes it no code, even if the first two are one.
        let whole = letters.next().is_none();
        whole.then(|| Card::new(Suit::ALL[suit], rank as u8))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 13] = [
            "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A",
        ];
        write!(f, "{}{}", self.suit(), NAMES[self.rank() as usize])
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
