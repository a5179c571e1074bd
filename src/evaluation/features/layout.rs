//! The layout of all features, and the bins of the numbers among them. `own` and `extractor` set the bits by it.
//!
//! A feature is one bit: bit b of word w has the number 64 · w + b. The player who acted has 14 words, and each
//! opponent 7, in turn order: 21 words in a game of two, 49 in a game of six. Not all bits are used: there are 1,304
//! features with two players and 3,096 with six.
//!
//! Most words begin with 38 bits for *buckets* of places: bucket 0 is the cell, 37 the boat, and 37 − d a space at
//! the distance d from the boat. On boards of more than 36 spaces all spaces that are 36 or more away from the boat
//! share bucket 1. *Pips* are the places that all pirates of a player are away from the boat, summed.
//!
//! | word | bits | true at once | meaning |
//! |---|---|---|---|
//! | 0–5: an own pirate, the rearmost first | 0–37 | 1 | its place; the boat for a pirate that the game does not have |
//! | | 38–47 | ≤ 6 | distances of the jumps that held symbols give it: 1, 2, 3, 4, 5–6, 7–8, 9–11, 12–15, 16–20, 21+ |
//! | | 48 | ≤ 1 | a held symbol leads it onto the boat |
//! | | 49 | ≤ 1 | at least two held symbols do |
//! | | 50–56 | ≤ 1 of 50–63 | distance of its retreat to a space with one pirate: 1, 2, 3, 4–5, 6–8, 9–12, 13+ |
//! | | 57–63 | | the same to a space with two pirates |
//! | 6: `HELD` | 0–37 | any | empty spaces with a held symbol, and the boat if a card is held |
//! | | 38–49 | 1 | 38 + 4 · actions left (0, 1, 2+) + cards to be drawn (0, 1, 2, 3) |
//! | | 50–55 | any | the pile has fewer than 25, 12, 6, 3, 1 cards; pile and discards are empty |
//! | 7: `HELD_TWICE` | 0–37 | any | as in word 6, for symbols with at least two cards in the hand |
//! | | 38–57 | 1 | cards in the hand: 0 to 15, 16–17, 18–20, 21–25, 26+ |
//! | 8: `LANDING` | 0–37 | any | places where a card of the hand takes an own pirate |
//! | | 38–44 | 1 | different symbols in the hand, 0 to 6 |
//! | | 45–53 | 1 | most cards of one symbol in the hand: 0 to 7, 8+ |
//! | 9: `OCCUPIED` | 0–37 | any | spaces with at least one pirate, anybody's |
//! | | 38–62 | 1 | own pips, in bins of 9; the last is 216+ |
//! | 10: `PAIRS` | 0–37 | any | spaces with at least two pirates |
//! | | 38–57 | ≤ 1 | cards that the greedy way home takes: 1 to 19, 20+; none if the hand does not suffice |
//! | 11: `FULL` | 0–37 | any | spaces with three pirates |
//! | | 38–62 | ≤ 1 | pips left after the greedy way where the hand does not suffice, in bins of 9 |
//! | 12: `CARD_JUMPS` | 10r to 10r + 9 | ≤ 1 each | longest jump of the held symbol of rank r, binned as in 38–47 |
//! | 13: `CARD_COPIES` | 5r to 5r + 4 | ≤ 1 each | cards of the symbol of rank r: 1 to 4, 5+ |
//! | | 30 + 5r to 34 + 5r | 1 each | unseen cards of the symbol of rank r: 0–2, 3–6, 7–10, 11–13, 14+ |
//! | 14 + 7k to 19 + 7k: a pirate of opponent k | 0–37 | 1 | its place |
//! | | 38–47 | ≤ 1 | the longest jump that any of the six symbols gives it |
//! | | 48 | ≤ 1 | some symbol leads it onto the boat |
//! | | 49 | ≤ 1 | at least three symbols do |
//! | | 50–63 | ≤ 1 | its retreat, as for own pirates |
//! | 20 + 7k: opponent k | 0–19 | 1 | cards in its hand, in the bins of word 7 |
//! | | 20–44 | 1 | its pips, in bins of 9 |
//! | | 45–63 | 1 | its pips less the own ones, in bins of 8 from −76 on: bin 9 is −4 to 3 |
//!
//! Held symbols have ranks 0 to 5 by the longest jump that they give an own pirate, the longest first; unseen ones by
//! the number of their cards, the rarest first.

use crate::rules::{MAX_PIRATES, MAX_PLAYERS, SYMBOLS};

/// Buckets of places: 0 is the cell, 37 the boat, between them 37 less the distance to the boat. The contest's
/// board has 36 spaces, so that each place has a bucket.
pub(super) const BUCKETS: usize = 38;
/// The bucket of the boat.
pub(super) const BOAT: usize = BUCKETS - 1;
/// The first bit of a word that the buckets leave free.
pub(super) const SPARE: usize = BUCKETS;
/// Bits for the jumps of a pirate: ten distances and two for the boat.
pub(super) const JUMPS: usize = 12;
pub(super) const DISTANCES: usize = 10;
/// The first bit of a pirate's retreat: seven distances if it draws one card, seven if it draws two.
pub(super) const RETREAT: usize = SPARE + JUMPS;
pub(super) const RETREAT_DISTANCES: usize = 7;
// The numbers of bins: of hand sizes, of pips, of a player's pips less another's, of actions of the greedy way home.
pub(super) const HAND_SIZES: usize = 20;
pub(super) const PIP_BINS: usize = 25;
pub(super) const LEAD_BINS: usize = 19;
pub(super) const SPRINT_ACTIONS: usize = 20;

/// The number of words of the player who acted.
pub(super) const OWN_WORDS: usize = 14;
/// The number of words of each opponent: one a pirate, and one for the player.
pub(super) const OTHER_WORDS: usize = MAX_PIRATES + 1;
/// The number of words in a game of six.
pub const MAX_WORDS: usize = OWN_WORDS + (MAX_PLAYERS - 1) * OTHER_WORDS;

// Words of the player who acted; see the table. Words 0 to 5 are its pirates.
pub(super) const HELD: usize = 6;
pub(super) const HELD_TWICE: usize = 7;
pub(super) const LANDING: usize = 8;
pub(super) const OCCUPIED: usize = 9;
pub(super) const PAIRS: usize = 10;
pub(super) const FULL: usize = 11;
pub(super) const CARD_JUMPS: usize = 12;
pub(super) const CARD_COPIES: usize = 13;

/// The number of words of features in a game of `players` players.
pub const fn words(players: usize) -> usize {
    OWN_WORDS + (players - 1) * OTHER_WORDS
}

/// The number of bits in these words. Unused ones count: a network has weights for them, which stay without effect.
pub const fn count(players: usize) -> usize {
    64 * words(players)
}

/// A group of features. At most `most` of them are true at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The number of the first feature.
    pub start: usize,
    /// How many features there are.
    pub len: usize,
    /// How many of them can be true together.
    pub most: usize,
}

/// Every group of features; together they hold each feature in use once.
///
/// The groups bound the sum of the weights of true features: in a one-hot group only the largest weight can
/// count. So a network that plays can use small integers (see `NetworkEvaluator::new`).
pub fn fields(players: usize) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut field = |word: usize, bit: usize, len: usize, most: usize| {
        fields.push(Field {
            start: 64 * word + bit,
            len,
            most,
        });
    };
    // The rows of the table above, mostly in its order.
    for pirate in 0..MAX_PIRATES {
        field(pirate, 0, BUCKETS, 1);
        field(pirate, SPARE, DISTANCES, SYMBOLS);
        field(pirate, SPARE + DISTANCES, 2, 2);
        field(pirate, RETREAT, 2 * RETREAT_DISTANCES, 1);
    }
    for plane in [HELD, HELD_TWICE] {
        field(plane, 0, BUCKETS, BUCKETS);
    }
    // Actions left and cards to be drawn are one group, the flags of a low pile can all be true.
    field(HELD, SPARE, 12, 1);
    field(HELD, SPARE + 12, 6, 6);
    field(HELD_TWICE, SPARE, HAND_SIZES, 1);
    // Each jump has one landing, and each pirate stands on one space. The number of buckets bounds both as well.
    field(LANDING, 0, BUCKETS, MAX_PIRATES * SYMBOLS);
    field(LANDING, SPARE, 7, 1);
    field(LANDING, SPARE + 7, 9, 1);
    field(OCCUPIED, 0, BUCKETS, MAX_PIRATES * players);
    field(OCCUPIED, SPARE, PIP_BINS, 1);
    // Two pirates make a pair and three a full space, so that few spaces can be such.
    field(PAIRS, 0, BUCKETS, MAX_PIRATES * players / 2);
    field(FULL, 0, BUCKETS, MAX_PIRATES * players / 3);
    field(PAIRS, SPARE, SPRINT_ACTIONS, 1);
    field(FULL, SPARE, PIP_BINS, 1);
    // Ten bits for each of six ranks fill 60 of 64. Five bits for each leave room for both kinds of counts in one word.
    for rank in 0..SYMBOLS {
        field(CARD_JUMPS, rank * DISTANCES, DISTANCES, 1);
        field(CARD_COPIES, rank * 5, 5, 1);
        field(CARD_COPIES, 30 + rank * 5, 5, 1);
    }
    // An opponent's hand is hidden: its pirates have one jump, the longest, in place of one for each held symbol.
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

/// The bin of a jump's distance, from 0 to 31: 1, 2, 3, 4, 5–6, 7–8, 9–11, 12–15, 16–20, 21 and more. Bins grow
/// with the distance, so that ten of them cover the longest board.
const DISTANCE_BINS: [u8; 32] = [
    0, 0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
];

/// The bit of a pirate's jump of this length; 0 for no jump (length 0).
#[inline(always)]
pub(super) fn jump_bit(jump: u8) -> u64 {
    // A table in place of a branch: 0 wraps around to the last entry, which has no bit.
    const BITS: [u64; 256] = jump_bits();
    BITS[usize::from(jump.wrapping_sub(1))]
}

/// The bits of the jumps 1, 2, …, N − 1, and 0 in the last entry, which stands for no jump.
pub(super) const fn jump_bits<const N: usize>() -> [u64; N] {
    let mut bits = [0; N];
    let mut i = 0;
    // Jump i + 1 is at index i. All jumps from 31 on are in the last bin, as 21 to 30 are.
    while i + 1 < N {
        let known = if i < 30 { i + 1 } else { 31 };
        bits[i] = 1 << (SPARE + DISTANCE_BINS[known] as usize);
        i += 1;
    }
    bits
}

/// The bit of a symbol with `count` cards (5 stands for 5 or more); 0 without a card.
#[inline(always)]
pub(super) fn copies_bit(count: u8) -> u64 {
    // A table in place of a branch, as in `jump_bit`.
    const BITS: [u8; 256] = {
        let mut bits = [16; 256];
        [bits[0], bits[1], bits[2], bits[3], bits[4]] = [0, 1, 2, 4, 8];
        bits
    };
    u64::from(BITS[usize::from(count)])
}

/// The bin of a retreat's distance: 1, 2, 3, 4–5, 6–8, 9–12, 13 and more.
#[inline]
pub(super) fn retreat_bin(distance: u8) -> usize {
    // Distance 0 only comes up where the result is masked out.
    const BINS: [u8; 16] = [0, 0, 1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6];
    usize::from(BINS[distance.min(15) as usize])
}

/// The bin of a number of cards: one each up to 15, then wider ones.
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

/// The bin of a number of pips: 9 pips each, and everything from 216 on in the last.
#[inline]
pub(super) fn pip_bin(pips: u32) -> usize {
    (pips as usize / 9).min(PIP_BINS - 1)
}

/// The bin of an opponent's pips less the own ones: 19 bins of 8, the first and the last open. −4 to 3 is the
/// middle one.
#[inline]
pub(super) fn lead_bin(lead: i32) -> usize {
    // 19 · 8 = 152 values from −76 to 75. Made positive first: a division of negative numbers rounds towards 0.
    ((lead + 76).clamp(0, 151) / 8) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups do not overlap, and they lie within the words.
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
