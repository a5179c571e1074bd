//! The features in which two sets differ.

use super::Bits;

/// The most bits of a word that are written without asking how many there are.
const AT_ONCE: usize = 4;
/// Room for a list. No set has so many true features: the sum over [`super::fields`] is below.
const ROOM: usize = 512;

/// The features that are true now and were not before, and the other way round.
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
    #[inline(always)]
    pub fn added(&self) -> &[u16] {
        &self.added.features[..self.added.len]
    }

    #[inline(always)]
    pub fn removed(&self) -> &[u16] {
        &self.removed.features[..self.removed.len]
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.added.len = 0;
        self.removed.len = 0;
    }

    /// Words of features, 64 at most, were something else before.
    ///
    /// Which of them differ is found out without branches, as it cannot be foreseen.
    #[inline(always)]
    pub fn words(&mut self, before: &[u64], now: &[u64]) {
        let mut differ = 0;
        for (word, (before, now)) in before.iter().zip(now).enumerate() {
            differ |= u64::from(before != now) << word;
        }
        for word in Bits(differ) {
            self.word::<4>(word, before[word], now[word]);
        }
    }

    /// A word of features was something else before. Up to `USUAL` features, at most four, are
    /// added or taken away without a branch.
    #[inline(always)]
    pub fn word<const USUAL: usize>(&mut self, word: usize, before: u64, now: u64) {
        const { assert!(USUAL <= AT_ONCE) };
        let first = 64 * word as u16;
        self.added.bits::<USUAL>(first, now & !before);
        self.removed.bits::<USUAL>(first, before & !now);
    }

    /// Another feature of a group is true than before, or the same.
    #[inline(always)]
    pub fn one(&mut self, before: usize, now: usize) {
        self.added.last(now as u16, now != before);
        self.removed.last(before as u16, now != before);
    }
}

#[derive(Clone, Debug)]
struct List {
    features: [u16; ROOM + AT_ONCE],
    len: usize,
}

impl List {
    const EMPTY: List = List {
        features: [0; ROOM + AT_ONCE],
        len: 0,
    };

    /// Appends the set bits of a word: a few are written whether they are there or not, and
    /// counted only if they are, so that no branch depends on how many there are (Langdale and
    /// Lemire 2019, "Parsing gigabytes of JSON per second").
    #[inline(always)]
    fn bits<const USUAL: usize>(&mut self, first: u16, mut bits: u64) {
        let count = bits.count_ones() as usize;
        // Never cut off: there is room. The compiler sees that no entry lies outside.
        let start = self.len % ROOM;
        for entry in &mut self.features[start..start + USUAL] {
            *entry = first + bits.trailing_zeros() as u16;
            bits &= bits.wrapping_sub(1);
        }
        if count > USUAL {
            for entry in &mut self.features[start + USUAL..start + count] {
                *entry = first + bits.trailing_zeros() as u16;
                bits &= bits.wrapping_sub(1);
            }
        }
        self.len = start + count;
    }

    #[inline(always)]
    fn last(&mut self, feature: u16, counts: bool) {
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
