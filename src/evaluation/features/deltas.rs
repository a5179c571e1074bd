//! The features in which two sets differ: those to add to a network's sums, and those to subtract. `extractor` fills
//! them for each action, and the network's probe reads them.

use super::Bits;

/// The most bits of a word that are written without a branch on how many there are.
const AT_ONCE: usize = 4;
/// Room for a list. No set has more true features: the sum over [`super::fields`] is smaller.
const ROOM: usize = 512;

/// The features that became true, and those that became false.
#[derive(Clone, Debug)]
pub(in crate::evaluation) struct FeatureDeltas {
    added: List,
    removed: List,
}

impl Default for FeatureDeltas {
    fn default() -> Self {
        FeatureDeltas {
            added: List::EMPTY,
            removed: List::EMPTY,
        }
    }
}

impl FeatureDeltas {
    /// The numbers of the features that became true.
    #[inline(always)]
    pub fn added(&self) -> &[u16] {
        &self.added.features[..self.added.len]
    }

    /// The numbers of the features that became false.
    #[inline(always)]
    pub fn removed(&self) -> &[u16] {
        &self.removed.features[..self.removed.len]
    }

    /// Forgets the differences recorded so far.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.added.len = 0;
        self.removed.len = 0;
    }

    /// Records which features differ between two sets of at most 64 words.
    ///
    /// A mask of the words that differ is made first, without branches: a branch for each word could not be
    /// predicted.
    #[inline(always)]
    pub fn words(&mut self, before: &[u64], now: &[u64]) {
        // Bit w of `differ`: word w differs. A comparison gives 0 or 1, which is a shift and an or.
        let mut differ = 0;
        for (word, (before, now)) in before.iter().zip(now).enumerate() {
            differ |= u64::from(before != now) << word;
        }
        for word in Bits(differ) {
            self.word::<4>(word, before[word], now[word]);
        }
    }

    /// Records which features differ in one word. `USUAL`, at most four, is how many additions or removals cost no
    /// branch; more are correct, and slower.
    #[inline(always)]
    pub fn word<const USUAL: usize>(&mut self, word: usize, before: u64, now: u64) {
        const { assert!(USUAL <= AT_ONCE) };
        // Bits set now and not before are added, the reverse removed.
        let first = 64 * word as u16;
        self.added.bits::<USUAL>(first, now & !before);
        self.removed.bits::<USUAL>(first, before & !now);
    }

    /// Records that in a group with one true feature `now` is true in place of `before`. They may be the same.
    #[inline(always)]
    pub fn one(&mut self, before: usize, now: usize) {
        // Without a branch as well: an unchanged feature is written and not counted.
        self.added.last(now as u16, now != before);
        self.removed.last(before as u16, now != before);
    }
}

/// A list of features, with room for entries that are written and not counted.
#[derive(Clone, Debug)]
struct List {
    features: [u16; ROOM + AT_ONCE],
    len: usize,
}

impl List {
    /// The list before its first entry.
    const EMPTY: List = List {
        features: [0; ROOM + AT_ONCE],
        len: 0,
    };

    /// Appends the features of the set bits of a word; bit 0 is the feature `first`.
    ///
    /// `USUAL` entries are always written, whether there are that many bits or not. Only real ones are
    /// counted, so that up to `USUAL` bits no branch depends on their number (Langdale and Lemire 2019, "Parsing
    /// gigabytes of JSON per second").
    #[inline(always)]
    fn bits<const USUAL: usize>(&mut self, first: u16, mut bits: u64) {
        let count = bits.count_ones() as usize;
        // The remainder changes nothing, as a list is never full. By it the compiler knows that no entry lies outside.
        let start = self.len % ROOM;
        // Once `bits` is 0 the entries are garbage, beyond the new length.
        for entry in &mut self.features[start..start + USUAL] {
            *entry = first + bits.trailing_zeros() as u16;
            bits &= bits.wrapping_sub(1);
        }
        // More than `USUAL` bits are rare, so this branch is nearly always predicted.
        if count > USUAL {
            for entry in &mut self.features[start + USUAL..start + count] {
                *entry = first + bits.trailing_zeros() as u16;
                bits &= bits.wrapping_sub(1);
            }
        }
        self.len = start + count;
    }

    /// Writes a feature after the end of the list, and counts it only if `counts`.
    #[inline(always)]
    fn last(&mut self, feature: u16, counts: bool) {
        // The next entry overwrites it if it does not count.
        self.features[self.len % ROOM] = feature;
        self.len += usize::from(counts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::features::fields;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_differ(before: u64, now: u64, few in 0u32..64, word in 0usize..49) {
            for now in [now, before ^ 1 << few, before] {
                let mut deltas = [FeatureDeltas::default(), FeatureDeltas::default(), FeatureDeltas::default()];
                let mut words = [[few.into(); 49]; 2];
                [words[0][word], words[1][word]] = [before, now];
                deltas[0].words(&words[0], &words[1]);
                deltas[1].word::<4>(word, before, now);
                deltas[2].word::<2>(word, before, now);
                let list = |bits: u64| (0..64).filter(|i| bits >> i & 1 == 1).map(|i| 64 * word as u16 + i).collect::<Vec<_>>();
                for deltas in deltas {
                    prop_assert_eq!(deltas.added(), list(now & !before));
                    prop_assert_eq!(deltas.removed(), list(before & !now));
                }
            }
        }
    }

    /// A list holds all the features that can be true at once.
    #[test]
    fn there_is_room() {
        let most: usize = fields(6)
            .iter()
            .map(|field| field.most.min(field.len))
            .sum();
        assert!(most < ROOM, "{most}");
    }
}
