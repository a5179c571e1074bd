//! The six symbols, and multisets of cards that bear them: hands, discards and draws.

use std::fmt;

/// Number of different symbols.
pub const SYMBOLS: usize = 6;
/// Cards of each symbol in the deck.
pub const COPIES: u8 = 17;
/// Cards in the deck.
pub const DECK: usize = SYMBOLS * COPIES as usize;

/// A symbol, on a space of the board and on the cards that lead there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Symbol {
    Bottle,
    Dagger,
    Gun,
    Hat,
    Keys,
    Skull,
}

impl Symbol {
    /// Every symbol, in the order of their names.
    pub const ALL: [Symbol; SYMBOLS] = [
        Symbol::Bottle,
        Symbol::Dagger,
        Symbol::Gun,
        Symbol::Hat,
        Symbol::Keys,
        Symbol::Skull,
    ];

    /// Position in [`Symbol::ALL`], from 0 to 5.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name the contest's interface uses.
    pub const fn name(self) -> &'static str {
        match self {
            Symbol::Bottle => "bottle",
            Symbol::Dagger => "dagger",
            Symbol::Gun => "gun",
            Symbol::Hat => "hat",
            Symbol::Keys => "keys",
            Symbol::Skull => "skull",
        }
    }

    /// The first letter of its name; all are different.
    pub const fn letter(self) -> char {
        self.name().as_bytes()[0] as char
    }

    /// The symbol of a name, in large or small letters; `key` is one of [`Symbol::Keys`].
    pub fn named(word: &[u8]) -> Option<Symbol> {
        let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
        let found = Symbol::ALL.into_iter().find(|s| is(s.name()));
        found.or_else(|| is("key").then_some(Symbol::Keys))
    }

    /// The symbol of a [`letter`](Symbol::letter).
    pub fn of_letter(letter: char) -> Option<Symbol> {
        Symbol::ALL.into_iter().find(|s| s.letter() == letter)
    }

    /// All names, for messages.
    pub fn names() -> String {
        Symbol::ALL.map(Symbol::name).join(", ")
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A multiset of cards: how many of each symbol.
///
/// A word with one byte for each symbol, so that copying, comparing and summing cost an instruction or two.
/// No count may exceed 255, as a byte would overflow into the next one; a deck has 17.
///
/// For example, two bottles and a gun, the symbols 0 and 2, are 0x01_00_02.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Cards(u64);

impl Cards {
    pub const NONE: Cards = Cards(0);

    /// All cards of the game, [`COPIES`] of each symbol.
    pub const fn deck() -> Cards {
        Cards::from_counts([COPIES; SYMBOLS])
    }

    /// Cards with the given count of each symbol, in the order of [`Symbol::ALL`].
    pub const fn from_counts(counts: [u8; SYMBOLS]) -> Cards {
        // The two highest bytes stay 0.
        let [a, b, c, d, e, f] = counts;
        Cards(u64::from_le_bytes([a, b, c, d, e, f, 0, 0]))
    }

    /// The count of each symbol.
    #[inline]
    pub const fn counts(self) -> [u8; SYMBOLS] {
        let [a, b, c, d, e, f, _, _] = self.0.to_le_bytes();
        [a, b, c, d, e, f]
    }

    /// How many cards of one symbol.
    #[inline]
    pub const fn count(self, symbol: Symbol) -> u8 {
        (self.0 >> (8 * symbol as u32)) as u8
    }

    /// How many cards in all (at most 255).
    #[inline]
    pub const fn total(self) -> u8 {
        // The product adds the word to itself shifted by 0 to 7 bytes, so its highest byte is the sum of all.
        (self.0.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// With one more card of `symbol`.
    #[inline]
    #[must_use]
    pub const fn with(self, symbol: Symbol) -> Cards {
        Cards(self.0 + (1 << (8 * symbol as u32)))
    }

    /// With one card of `symbol` fewer; there must be one.
    #[inline]
    #[must_use]
    pub const fn without(self, symbol: Symbol) -> Cards {
        debug_assert!(self.count(symbol) > 0);
        Cards(self.0 - (1 << (8 * symbol as u32)))
    }

    #[inline]
    #[must_use]
    pub const fn plus(self, other: Cards) -> Cards {
        // Byte by byte: no sum of two counts overflows.
        Cards(self.0 + other.0)
    }

    /// The cards less `other`, which must be contained in them.
    #[inline]
    #[must_use]
    pub const fn minus(self, other: Cards) -> Cards {
        debug_assert!(self.contains(other));
        Cards(self.0 - other.0)
    }

    /// The cards less `other`; no count falls below 0.
    #[must_use]
    pub fn saturating_minus(self, other: Cards) -> Cards {
        // The counts one by one, as a byte below zero would borrow from the next one.
        let mut counts = self.counts();
        for (count, less) in counts.iter_mut().zip(other.counts()) {
            *count = count.saturating_sub(less);
        }
        Cards::from_counts(counts)
    }

    /// Whether every card of `other` is here.
    pub const fn contains(self, other: Cards) -> bool {
        let (a, b) = (self.counts(), other.counts());
        // A loop by hand, as a `const fn` cannot use iterators.
        let mut i = 0;
        while i < SYMBOLS {
            if a[i] < b[i] {
                return false;
            }
            i += 1;
        }
        true
    }

    /// The symbols that are present, in order.
    #[inline]
    pub fn symbols(self) -> impl Iterator<Item = Symbol> {
        Symbol::ALL.into_iter().filter(move |&s| self.count(s) > 0)
    }

    /// Every card, in the order of the symbols.
    pub fn iter(self) -> impl Iterator<Item = Symbol> {
        Symbol::ALL
            .into_iter()
            .flat_map(move |s| std::iter::repeat_n(s, self.count(s) as usize))
    }

    /// The counts as one word, with a byte for each symbol. Two multisets are equal if and only if these are.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }
}

impl FromIterator<Symbol> for Cards {
    fn from_iter<I: IntoIterator<Item = Symbol>>(iter: I) -> Self {
        iter.into_iter().fold(Cards::NONE, Cards::with)
    }
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        for (i, symbol) in self.symbols().enumerate() {
            let gap = if i == 0 { "" } else { ", " };
            write!(f, "{gap}{} {symbol}", self.count(symbol))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cards({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_totals() {
        let cards: Cards = [Symbol::Hat, Symbol::Skull, Symbol::Hat]
            .into_iter()
            .collect();
        assert_eq!(cards.total(), 3);
        assert_eq!(cards.count(Symbol::Hat), 2);
        assert_eq!(cards.to_string(), "2 hat, 1 skull");
        assert_eq!(format!("{cards:?}"), "Cards(2 hat, 1 skull)");
        assert_eq!(Cards::deck().total() as usize, DECK);
        assert_eq!(
            Cards::deck().minus(cards).plus(cards),
            Cards::deck(),
            "taking away and putting back"
        );
        assert!(!cards.contains(Cards::NONE.with(Symbol::Gun)));
        assert_eq!(cards.iter().collect::<Cards>(), cards);
    }
}
