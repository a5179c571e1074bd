//! What a network sees of a situation: a few hundred yes-or-no features, about a hundred of them
//! true at a time.
//!
//! Everything is seen from the player who acted, and the opponents follow in turn order. Symbols
//! never appear by name, for boards are shuffled: the hand is laid onto the track instead, as the
//! spaces it can reach, the jumps it gives each pirate and the places where they end. Places count
//! by their distance to the boat, so that boards of other lengths look familiar near their end.
//!
//! Features stand in words of 64, a pirate's or a plane's in one word, so that most groups are a
//! shift and an or. Only what the seat may know is used: its hand, the sizes of the other hands,
//! and what lies open.

mod geometry;
mod layout;
mod sprint;
#[cfg(test)]
mod tests;

pub use layout::{Field, MAX_WORDS, count, fields, words};

use super::Situation;
use crate::cartagena::rules::{Cards, MAX_PIRATES, Place, SYMBOLS};
use geometry::{Geometry, Held, Mask};
use layout::*;
use sprint::sprint;

/// Changes whenever a feature does: a network trained on other features is of no use.
pub const VERSION: u32 = 1;

/// The features that are true, as bits; those of words the number of players has no use for are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureSet([u64; MAX_WORDS]);

impl Default for FeatureSet {
    fn default() -> Self {
        FeatureSet([0; MAX_WORDS])
    }
}

impl FeatureSet {
    /// The features of a situation.
    #[inline]
    pub fn of(situation: &Situation) -> FeatureSet {
        let mut set = FeatureSet::default();
        set.fill(situation);
        set
    }

    /// Becomes the features of a situation, whatever it was for the same number of players.
    #[inline]
    pub fn fill(&mut self, situation: &Situation) {
        if situation.track.boat() < 64 {
            self.extract::<u64>(situation);
        } else {
            self.extract::<u128>(situation);
        }
    }

    /// The features as words of 64.
    #[inline]
    pub fn words(&self) -> &[u64; MAX_WORDS] {
        &self.0
    }

    /// The numbers of the true features, ascending.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(word, &bits)| Bits(bits).map(move |bit| 64 * word + bit))
    }

    /// Whether a feature is true.
    pub fn contains(&self, feature: usize) -> bool {
        self.0[feature / 64] >> (feature % 64) & 1 == 1
    }

    fn extract<M: Mask>(&mut self, s: &Situation) {
        let geometry = Geometry::<M>::of(s);
        self.own(s, &geometry);
        let players = s.game.players;
        let own_pips = s.track.pips(s.seat);
        for other in 0..players - 1 {
            let turn = s.seat + 1 + other;
            let player = if turn >= players {
                turn - players
            } else {
                turn
            };
            self.other(
                s,
                &geometry,
                OWN_WORDS + other * OTHER_WORDS,
                player,
                own_pips,
            );
        }
    }

    #[inline]
    fn own<M: Mask>(&mut self, s: &Situation, geometry: &Geometry<M>) {
        let words = &mut self.0;
        let counts = s.hand.counts();
        let mut held = Held::<M>::new();
        let (mut once, mut twice) = (M::NONE, M::NONE);
        let (mut most, mut different) = (0, 0);
        for (symbol, &count) in counts.iter().enumerate() {
            if count > 0 {
                held.push(geometry.ahead[symbol], count);
                once = once.or(geometry.ahead[symbol]);
                different += 1;
                most = most.max(count);
                if count > 1 {
                    twice = twice.or(geometry.ahead[symbol]);
                }
            }
        }
        let mut landing = M::NONE;
        let mut longest = [0u8; SYMBOLS];
        let mut last = (Place::MAX, 0);
        for (rank, &place) in s.track.pirates(s.seat).iter().enumerate() {
            if place != last.0 {
                last = (place, geometry.place_and_retreat(s, place));
                if place != geometry.boat {
                    last.1 |= held.jumps(geometry.boat, place, &mut longest, &mut landing);
                }
            }
            words[rank] = last.1;
        }
        for word in &mut words[s.track.pirates_each()..MAX_PIRATES] {
            *word = 1 << BOAT;
        }

        let supply = u32::from(s.pile) + u32::from(s.discards.total());
        words[HELD] = geometry.plane(once)
            | 1 << (SPARE + 4 * usize::from(s.actions_left.min(2)) + usize::from(s.draws.min(3)))
            | low_pile(s.pile, supply) << (SPARE + 12);
        words[HELD_TWICE] = geometry.plane(twice) | 1 << (SPARE + hand_bin(s.hand.total()));
        words[LANDING] = geometry.plane(landing)
            | 1 << (SPARE + different)
            | 1 << (SPARE + 7 + usize::from(most.min(8)));
        words[OCCUPIED] = geometry.plane(M::narrow(geometry.crowd[0]))
            | 1 << (SPARE + pip_bin(s.track.pips(s.seat)));
        words[PAIRS] = geometry.plane(M::narrow(geometry.crowd[1]));
        words[FULL] = geometry.plane(M::narrow(geometry.crowd[2]));
        match sprint(s.track.pirates(s.seat), geometry.boat, held) {
            Ok(actions) => words[PAIRS] |= 1 << (SPARE + actions.min(SPRINT_ACTIONS) - 1),
            Err(pips) => words[FULL] |= 1 << (SPARE + pip_bin(pips)),
        }
        (words[CARD_JUMPS], words[CARD_COPIES]) = cards_by_jump(counts, longest);
        words[CARD_COPIES] |= unseen(s) << 30;
    }

    #[inline]
    fn other<M: Mask>(
        &mut self,
        s: &Situation,
        geometry: &Geometry<M>,
        base: usize,
        player: usize,
        own_pips: u32,
    ) {
        let words = &mut self.0[base..base + OTHER_WORDS];
        let mut last = (Place::MAX, 0);
        for (rank, &place) in s.track.pirates(player).iter().enumerate() {
            if place != last.0 {
                last = (place, geometry.place_and_retreat(s, place));
                if place != geometry.boat {
                    last.1 |= geometry.best_jump(place);
                }
            }
            words[rank] = last.1;
        }
        for word in &mut words[s.track.pirates_each()..MAX_PIRATES] {
            *word = 1 << BOAT;
        }
        let pips = s.track.pips(player);
        words[MAX_PIRATES] = 1 << hand_bin(s.hand_sizes[player])
            | 1 << (HAND_SIZES + pip_bin(pips))
            | 1 << (HAND_SIZES + PIP_BINS + lead_bin(pips as i32 - own_pips as i32));
    }
}

/// The numbers of the bits that are set, ascending.
pub(super) struct Bits(pub(super) u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// For the held symbols, from the one with the longest jump: that jump, and how many cards.
#[inline]
fn cards_by_jump(counts: [u8; SYMBOLS], longest: [u8; SYMBOLS]) -> (u64, u64) {
    let mut keys = [0u16; SYMBOLS];
    let mut len = 0;
    for &count in counts.iter().filter(|&&count| count > 0) {
        keys[len] = u16::from(longest[len]) << 8 | u16::from(count);
        len += 1;
    }
    keys.sort_unstable_by(|a, b| b.cmp(a));
    let (mut jumps, mut copies) = (0, 0);
    for (rank, &key) in keys[..len].iter().enumerate() {
        let jump = (key >> 8) as u8;
        if jump > 0 {
            jumps |= 1 << (rank * DISTANCES + distance_bin(jump));
        }
        copies |= 1 << (rank * 5 + usize::from(key & 0xff).min(5) - 1);
    }
    (jumps, copies)
}

/// How many cards of each symbol are unseen, from the rarest, in five bins each.
#[inline]
fn unseen(s: &Situation) -> u64 {
    let mut counts = Cards::deck()
        .saturating_minus(s.hand)
        .saturating_minus(s.discards)
        .counts();
    counts.sort_unstable();
    let mut bits = 0;
    for (rank, &count) in counts.iter().enumerate() {
        let bin = match count {
            0..=2 => 0,
            3..=6 => 1,
            7..=10 => 2,
            11..=13 => 3,
            _ => 4,
        };
        bits |= 1 << (rank * 5 + bin);
    }
    bits
}

/// Six flags for a draw pile that runs low, the last for nothing left to draw at all.
#[inline]
fn low_pile(pile: u8, supply: u32) -> u64 {
    u64::from(pile < 25)
        | u64::from(pile < 12) << 1
        | u64::from(pile < 6) << 2
        | u64::from(pile < 3) << 3
        | u64::from(pile == 0) << 4
        | u64::from(supply == 0) << 5
}
