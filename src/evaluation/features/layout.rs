//! Which feature stands where, and the bins that numbers fall into.

use crate::rules::{MAX_PIRATES, MAX_PLAYERS, SYMBOLS};

/// Buckets of places: 0 the cell, 37 the boat, between them 37 less the distance to the boat.
pub(super) const BUCKETS: usize = 38;
pub(super) const BOAT: usize = BUCKETS - 1;
/// First bit of the part of a word that the places leave free.
pub(super) const SPARE: usize = BUCKETS;
/// Bits for the jumps of a pirate: ten distances and two for the boat.
pub(super) const JUMPS: usize = 12;
pub(super) const DISTANCES: usize = 10;
/// First bit of a pirate's retreat: seven distances for each number of cards.
pub(super) const RETREAT: usize = SPARE + JUMPS;
pub(super) const RETREAT_DISTANCES: usize = 7;
pub(super) const HAND_SIZES: usize = 20;
pub(super) const PIP_BINS: usize = 25;
pub(super) const LEAD_BINS: usize = 19;
pub(super) const SPRINT_ACTIONS: usize = 20;

/// Words of the player itself.
pub(super) const OWN_WORDS: usize = 14;
/// Words of each opponent.
pub(super) const OTHER_WORDS: usize = MAX_PIRATES + 1;
/// Words of a game of six.
pub const MAX_WORDS: usize = OWN_WORDS + (MAX_PLAYERS - 1) * OTHER_WORDS;

pub(super) const HELD: usize = 6;
pub(super) const HELD_TWICE: usize = 7;
pub(super) const LANDING: usize = 8;
pub(super) const OCCUPIED: usize = 9;
pub(super) const PAIRS: usize = 10;
pub(super) const FULL: usize = 11;
pub(super) const CARD_JUMPS: usize = 12;
pub(super) const CARD_COPIES: usize = 13;

/// The number of words of features in a game of so many players.
pub const fn words(players: usize) -> usize {
    OWN_WORDS + (players - 1) * OTHER_WORDS
}

/// The number of features in a game of so many players.
pub const fn count(players: usize) -> usize {
    64 * words(players)
}

/// A group of features of which at most `most` are true at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub start: usize,
    /// How many there are.
    pub len: usize,
    /// How many can be true together.
    pub most: usize,
}

/// Every group of features; together they hold each feature in use once.
///
/// From the groups follows the largest sum that the weights of true features can reach.
pub fn fields(players: usize) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut field = |word: usize, bit: usize, len: usize, most: usize| {
        fields.push(Field {
            start: 64 * word + bit,
            len,
            most,
        });
    };
    for pirate in 0..MAX_PIRATES {
        field(pirate, 0, BUCKETS, 1);
        field(pirate, SPARE, DISTANCES, SYMBOLS);
        field(pirate, SPARE + DISTANCES, 2, 2);
        field(pirate, RETREAT, 2 * RETREAT_DISTANCES, 1);
    }
    for plane in [HELD, HELD_TWICE] {
        field(plane, 0, BUCKETS, BUCKETS);
    }
    field(HELD, SPARE, 12, 1);
    field(HELD, SPARE + 12, 6, 6);
    field(HELD_TWICE, SPARE, HAND_SIZES, 1);
    field(LANDING, 0, BUCKETS, MAX_PIRATES * SYMBOLS);
    field(LANDING, SPARE, 7, 1);
    field(LANDING, SPARE + 7, 9, 1);
    field(OCCUPIED, 0, BUCKETS, MAX_PIRATES * players);
    field(OCCUPIED, SPARE, PIP_BINS, 1);
    field(PAIRS, 0, BUCKETS, MAX_PIRATES * players / 2);
    field(FULL, 0, BUCKETS, MAX_PIRATES * players / 3);
    field(PAIRS, SPARE, SPRINT_ACTIONS, 1);
    field(FULL, SPARE, PIP_BINS, 1);
    for rank in 0..SYMBOLS {
        field(CARD_JUMPS, rank * DISTANCES, DISTANCES, 1);
        field(CARD_COPIES, rank * 5, 5, 1);
        field(CARD_COPIES, 30 + rank * 5, 5, 1);
    }
    for other in 0..players - 1 {
        let base = OWN_WORDS + other * OTHER_WORDS;
        for pirate in 0..MAX_PIRATES {
            field(base + pirate, 0, BUCKETS, 1);
            field(base + pirate, SPARE, DISTANCES, 1);
            field(base + pirate, SPARE + DISTANCES, 2, 2);
            field(base + pirate, RETREAT, 2 * RETREAT_DISTANCES, 1);
        }
        let word = base + MAX_PIRATES;
        field(word, 0, HAND_SIZES, 1);
        field(word, HAND_SIZES, PIP_BINS, 1);
        field(word, HAND_SIZES + PIP_BINS, LEAD_BINS, 1);
    }
    fields
}

const DISTANCE_BINS: [u8; 32] = [
    0, 0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
];

/// A pirate's feature for a jump; none for no jump.
#[inline(always)]
pub(super) fn jump_bit(jump: u8) -> u64 {
    const BITS: [u64; 256] = jump_bits();
    BITS[usize::from(jump.wrapping_sub(1))]
}

/// The features of the jumps from 1 on, and none for the last.
pub(super) const fn jump_bits<const N: usize>() -> [u64; N] {
    let mut bits = [0; N];
    let mut i = 0;
    while i + 1 < N {
        let known = if i < 30 { i + 1 } else { 31 };
        bits[i] = 1 << (SPARE + DISTANCE_BINS[known] as usize);
        i += 1;
    }
    bits
}

/// The feature of a symbol with so many cards, up to five; none for no card.
#[inline(always)]
pub(super) fn copies_bit(count: u8) -> u64 {
    const BITS: [u8; 256] = {
        let mut bits = [16; 256];
        [bits[0], bits[1], bits[2], bits[3], bits[4]] = [0, 1, 2, 4, 8];
        bits
    };
    u64::from(BITS[usize::from(count)])
}

#[inline]
pub(super) fn retreat_bin(distance: u8) -> usize {
    const BINS: [u8; 16] = [0, 0, 1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6];
    usize::from(BINS[distance.min(15) as usize])
}

#[inline]
pub(super) fn hand_bin(cards: u8) -> usize {
    match cards {
        0..=15 => usize::from(cards),
        16..=17 => 16,
        18..=20 => 17,
        21..=25 => 18,
        _ => 19,
    }
}

#[inline]
pub(super) fn pip_bin(pips: u32) -> usize {
    (pips as usize / 9).min(PIP_BINS - 1)
}

/// How far the other is behind, in pips: bins of 8, the middle one around 0.
#[inline]
pub(super) fn lead_bin(lead: i32) -> usize {
    ((lead + 76).clamp(0, 151) / 8) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups do not overlap and fit the words.
    #[test]
    fn fields_are_disjoint() {
        for players in 2..=6 {
            let mut used = vec![false; count(players)];
            for field in fields(players) {
                for used in &mut used[field.start..field.start + field.len] {
                    assert!(!*used, "{field:?} overlaps another");
                    *used = true;
                }
            }
        }
    }
}
