//! Sets of places as bit masks, in a word as wide as the board needs. The rules find the end of a move by them: the
//! next empty space ahead, the nearest pirates behind.

use super::board::Place;

/// A set of places, bit `p` for place `p`. Boards of up to 62 spaces (the boat is place 63) fit a machine
/// word, which halves the work.
///
/// For example, with pirates on places 2 and 8 the set is 0b1_0000_0100: the next place after 2 is 8, and
/// the last one before 8 is 2.
pub(super) trait Mask: Copy {
    /// The mask of a long board, cut down to this word. Places beyond the word must be empty.
    fn narrow(mask: u128) -> Self;
    /// The lowest place of the set after `from`. There must be one.
    fn next(self, from: Place) -> Place;
    /// The highest place of the set before `from`.
    fn last_before(self, from: Place) -> Option<Place>;
}

macro_rules! mask {
    ($word:ty) => {
        impl Mask for $word {
            #[inline]
            fn narrow(mask: u128) -> $word {
                mask as $word
            }

            #[inline]
            fn next(self, from: Place) -> Place {
                // Keeps the bits above `from` and counts the zeros below the lowest of them.
                (self & (<$word>::MAX << (from + 1))).trailing_zeros() as Place
            }

            #[inline]
            fn last_before(self, from: Place) -> Option<Place> {
                // Keeps the bits below `from`; the highest of them is the word's width less its leading zeros.
                let before = self & ((1 << from) - 1);
                let top = <$word>::BITS - 1;
                (before != 0).then(|| (top - before.leading_zeros()) as Place)
            }
        }
    };
}

mask!(u64);
mask!(u128);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_widths_agree() {
        let mask = 0x8000_0000_0010_0104_u128;
        for from in 0..63 {
            assert_eq!(u64::narrow(mask).next(from), mask.next(from));
            assert_eq!(u64::narrow(mask).last_before(from), mask.last_before(from));
        }
        assert_eq!(mask.next(2), 8);
        assert_eq!(mask.last_before(8), Some(2));
        assert_eq!(mask.last_before(2), None);
    }
}
