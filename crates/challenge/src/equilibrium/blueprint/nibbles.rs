//! A list of numbers of four bits in little memory. More than half of them are 0.
//!
//! A bit for each place is set if its number is not 0. Only these numbers are kept, one after the other, two to a byte.
//! A number's position among them is the count of set bits before its own: a rank query on a bit vector (Jacobson
//! 1989). To count quickly, every eighth word has the count of all before it. Example: with the numbers 0, 7, 0, 3
//! the bits 1 and 3 are set, and 7 and 3 are kept; before bit 3 one bit is set, so the number in place 3 is the
//! second one, 3. An opening takes 2.5 MB of bits and 1.6 to 4.3 MB of numbers in place of 10 MB.

use std::io::{self, Read};

/// Words of 64 places between two counts.
const WORDS: usize = 8;
/// The bytes of a word's places.
const BYTES: usize = 32;

/// A list of numbers from 0 to 15.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nibbles {
    /// The bit `place % 64` of word `place / 64`: whether the number in `place` is not 0.
    masks: Vec<u64>,
    /// For every [`WORDS`] words the set bits before them.
    counts: Vec<u32>,
    /// The numbers that are not 0, two to a byte, the first in the lower bits.
    numbers: Vec<u8>,
    /// The length of the list as bytes.
    len: usize,
}

impl Nibbles {
    /// The list with two numbers to a byte, the first in the lower bits.
    pub fn of(bytes: &[u8]) -> Nibbles {
        Nibbles::read(&mut &*bytes, bytes.len()).expect("bytes in memory can be read")
    }

    /// The same list, made of the next `len` bytes of `from`.
    ///
    /// # Errors
    /// If there are fewer, or they cannot be read.
    pub fn read(from: &mut impl Read, len: usize) -> io::Result<Nibbles> {
        let mut nibbles = Nibbles {
            masks: Vec::with_capacity(len.div_ceil(BYTES)),
            counts: Vec::with_capacity(len.div_ceil(BYTES * WORDS)),
            // The most there can be, given back below: a list that grows would be copied again and again.
            numbers: Vec::with_capacity(len),
            len,
        };
        let mut count = 0;
        for number in 0..len.div_ceil(BYTES) {
            if number.is_multiple_of(WORDS) {
                nibbles.counts.push(count);
            }
            let mut word = [0; BYTES];
            from.read_exact(&mut word[..BYTES.min(len - BYTES * number)])?;
            let mut mask = 0;
            let both = word.iter().flat_map(|byte| [byte & 15, byte >> 4]);
            for (place, nibble) in both.enumerate().filter(|&(_, nibble)| nibble != 0) {
                mask |= 1 << place;
                match count % 2 {
                    0 => nibbles.numbers.push(nibble),
                    // The last byte has room for one more.
                    _ => *nibbles.numbers.last_mut().unwrap_or(&mut 0) |= nibble << 4,
                }
                count += 1;
            }
            nibbles.masks.push(mask);
        }
        nibbles.numbers.shrink_to_fit();
        Ok(nibbles)
    }

    /// The number in a place; 0 beyond the end.
    pub fn get(&self, place: usize) -> u8 {
        let (word, bit) = (place / 64, 1u64 << (place % 64));
        let Some(&mask) = self.masks.get(word).filter(|&mask| mask & bit != 0) else {
            return 0;
        };
        // The set bits before this one: up to its block, in the block's words before its own, and in its own word.
        let block = word / WORDS;
        let whole = self.masks[block * WORDS..word]
            .iter()
            .map(|mask| mask.count_ones());
        let own = (mask & (bit - 1)).count_ones();
        let number = (self.counts[block] + whole.sum::<u32>() + own) as usize;
        self.numbers[number / 2] >> (4 * (number % 2)) & 15
    }

    /// The list with two numbers to a byte, the first in the lower bits.
    pub fn bytes(&self) -> Vec<u8> {
        let pair = |byte: usize| self.get(2 * byte) | self.get(2 * byte + 1) << 4;
        (0..self.len).map(pair).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        /// A list reads as it was given, sparse or dense, of any length.
        #[test]
        fn a_list_reads_as_it_was_given(
            bytes in vec(prop_oneof![3 => Just(0u8), 1 => 0..16u8, 1 => any::<u8>()], 0..1_500)
        ) {
            let nibbles = Nibbles::of(&bytes);
            for (number, byte) in bytes.iter().enumerate() {
                prop_assert_eq!(nibbles.get(2 * number), byte & 15);
                prop_assert_eq!(nibbles.get(2 * number + 1), byte >> 4);
            }
            prop_assert_eq!(nibbles.get(2 * bytes.len()), 0);
            prop_assert_eq!(nibbles.bytes(), bytes);
        }
    }
}
