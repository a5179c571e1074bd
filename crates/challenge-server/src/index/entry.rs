//! An entry of an index: a game of a journal in 64 bytes, with its summary and the position of its line.

use super::super::summary::Summary;
use engine::rng::mix;

/// Bytes of an entry.
pub const SIZE: usize = 64;
const WORDS: usize = SIZE / 8;

/// A game of a journal.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexEntry {
    /// The game, without its players' names.
    pub summary: Summary,
    /// Whether its line has its players' names.
    pub has_names: bool,
    /// Where its line begins, in bytes.
    pub start: u64,
    /// How long its line is.
    pub length: u32,
}

/// Packs two numbers into a word.
fn two(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// The low and the high half of a word.
fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// A checksum of words in this order. The start value is `journal!` in ASCII.
fn checksum(words: &[u64]) -> u64 {
    // The rotation makes the order of the words count: swapping two words changes the sum.
    let step = |sum: u64, &word: &u64| mix(sum.rotate_left(7) ^ word);
    words.iter().fold(0x6a6f_7572_6e61_6c21, step)
}

impl IndexEntry {
    /// Its bytes: eight little-endian words. The last one is a checksum of the others.
    pub fn encode(&self) -> [u8; SIZE] {
        let summary = &self.summary;
        let [first, second] = summary.round.unwrap_or_default();
        let flags = [
            summary.winner == 1,
            summary.is_final,
            summary.by_challenge,
            summary.round.is_some(),
            self.has_names,
        ];
        // Word 6, upper half: flags in bits 0 to 4, the points of the two seats in bits 8 to 15 and 16 to 23.
        let bits = |sum, (i, &flag): (usize, &bool)| sum | u32::from(flag) << i;
        let [a, b] = summary.points.map(u32::from);
        let mut words = [
            summary.id,
            self.start,
            summary.teams[0],
            summary.teams[1],
            two(self.length, summary.hands),
            two(first, second),
            two(
                summary.faults,
                flags.iter().enumerate().fold(a << 8 | b << 16, bits),
            ),
            0,
        ];
        words[WORDS - 1] = checksum(&words[..WORDS - 1]);
        let mut bytes = [0; SIZE];
        for (part, word) in bytes.chunks_exact_mut(8).zip(words) {
            part.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Reads an entry; none if its checksum is wrong.
    pub fn decode(bytes: &[u8; SIZE]) -> Option<IndexEntry> {
        let mut words = [0; WORDS];
        for (word, part) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = u64::from_le_bytes(part.try_into().ok()?);
        }
        // A torn or overwritten entry is refused as a whole, before any field is used.
        if words[WORDS - 1] != checksum(&words[..WORDS - 1]) {
            return None;
        }
        let [length, hands] = halves(words[4]);
        let [faults, flags] = halves(words[6]);
        let is = |bit: u32| flags >> bit & 1 == 1;
        Some(IndexEntry {
            summary: Summary {
                id: words[0],
                teams: [words[2], words[3]],
                names: None,
                winner: usize::from(is(0)),
                is_final: is(1),
                points: [(flags >> 8) as u8, (flags >> 16) as u8],
                // A round of 0 : 0 and no round have the same word 5; flag 3 distinguishes them.
                round: is(3).then(|| halves(words[5])),
                hands,
                by_challenge: is(2),
                faults,
            },
            has_names: is(4),
            start: words[1],
            length,
        })
    }

    /// The checksum at its end.
    pub fn checksum(&self) -> u64 {
        let bytes = self.encode();
        let last = bytes.last_chunk().copied();
        u64::from_le_bytes(last.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_comes_back_and_a_damaged_one_does_not() {
        for round in [None, Some([3, 20])] {
            let entry = IndexEntry {
                summary: Summary {
                    id: 1 << 40,
                    teams: [7, u64::MAX],
                    winner: 1,
                    is_final: round.is_some(),
                    points: [10, 9],
                    round,
                    hands: 31,
                    by_challenge: round.is_none(),
                    faults: 2,
                    names: None,
                },
                has_names: true,
                start: 1 << 50,
                length: 9000,
            };
            let bytes = entry.encode();
            assert_eq!(IndexEntry::decode(&bytes), Some(entry));
            for i in 0..SIZE {
                let mut damaged = bytes;
                damaged[i] ^= 1;
                assert_eq!(IndexEntry::decode(&damaged), None, "byte {i}");
            }
        }
    }
}
