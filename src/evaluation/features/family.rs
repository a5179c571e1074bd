//! A position and those after each of one player's actions: what they share is computed once.

use super::changes::Changes;
use super::geometry::{Geometry, Mask, Passage};
use super::layout::*;
use super::own::Own;
use super::{Bits, FeatureSet, Situation};
use crate::rules::{Action, MAX_PIRATES, MAX_PLAYERS, Place};
use arrayvec::ArrayVec;

/// A position in parts.
#[derive(Clone, Debug)]
pub(super) struct Family<'a, M> {
    geometry: Geometry<'a, M>,
    own: Own,
    /// Where the opponents' pirates stand.
    spots: ArrayVec<Spot, MAX_SPOTS>,
    /// The opponents' pips and how far behind they are, in turn order.
    pips: ArrayVec<(u32, usize), { MAX_PLAYERS - 1 }>,
    /// The features.
    pub(super) set: FeatureSet,
}

const MAX_SPOTS: usize = (MAX_PLAYERS - 1) * MAX_PIRATES;

/// A place with opponents' pirates, of which the same is seen.
#[derive(Clone, Copy, Debug)]
struct Spot {
    place: Place,
    /// Which words stand for them.
    words: u64,
    /// Their feature for a retreat.
    retreat: u64,
    /// Their features for jumps.
    jumps: u64,
}

/// Which places have been looked at, and which spots they are.
struct Known<M> {
    places: M,
    spots: [u8; 128],
}

impl<'a, M: Mask> Family<'a, M> {
    #[inline(always)]
    pub(super) fn new(s: &Situation, passage: &'a Passage<M>) -> Family<'a, M> {
        let mut family = Family {
            geometry: Geometry::new(passage, s.track.crowd().map(M::narrow)),
            own: Own::of(s),
            spots: ArrayVec::new(),
            pips: ArrayVec::new(),
            set: FeatureSet::default(),
        };
        family.set.0[..OWN_WORDS].copy_from_slice(&family.own.words(&family.geometry));
        let players = s.game.players;
        let mut known = Known {
            places: M::NONE,
            spots: [0; 128],
        };
        for other in 0..players - 1 {
            let turn = s.seat + 1 + other;
            let player = if turn < players { turn } else { turn - players };
            family.other(s, OWN_WORDS + other * OTHER_WORDS, player, &mut known);
        }
        family
    }

    #[inline(always)]
    fn other(&mut self, s: &Situation, base: usize, player: usize, known: &mut Known<M>) {
        let words = &mut self.set.0[base..base + OTHER_WORDS];
        for (rank, &place) in s.track.pirates(player).iter().enumerate() {
            let number = &mut known.spots[usize::from(place & 127)];
            if !known.places.has(place) {
                known.places = known.places | M::only(place);
                *number = self.spots.len() as u8;
                self.spots.push(Spot {
                    place,
                    words: 0,
                    retreat: self.geometry.retreat(place),
                    jumps: self.geometry.longest_jump(place),
                });
            }
            let spot = &mut self.spots[usize::from(*number)];
            spot.words |= 1 << (base + rank);
            words[rank] = self.geometry.place(place) | spot.retreat | spot.jumps;
        }
        for word in &mut words[s.track.pirates_each()..MAX_PIRATES] {
            *word = 1 << BOAT;
        }
        let pips = s.track.pips(player);
        let lead = lead(pips, self.own.pips);
        self.pips.push((pips, lead));
        words[MAX_PIRATES] = 1 << hand_bin(s.hand_sizes[player])
            | 1 << (HAND_SIZES + pip_bin(pips))
            | 1 << (HAND_SIZES + PIP_BINS + lead);
    }

    /// Sets `changes` to what an action changes; whether it wins instead.
    #[inline(always)]
    pub(super) fn changes(&self, action: Action, changes: &mut Changes) -> bool {
        changes.clear();
        let mut own = self.own;
        let mut geometry = self.geometry;
        let places = match action {
            Action::Advance { from, to, symbol } => {
                own.hand = own.hand.without(symbol);
                own.supply += 1;
                Some((from, to))
            }
            Action::Retreat { from, to } => {
                let one_more = u32::from(geometry.crowd[1].has(to));
                own.draws = (1 + one_more).min(own.supply) as u8;
                Some((from, to))
            }
            Action::Pass => {
                own.actions_left = 0;
                None
            }
        };
        if let Some((from, to)) = places {
            own.actions_left -= 1;
            own.pirates.leave_from(from);
            own.pirates.enter(to);
            if own.pirates.rearmost() == geometry.passage.boat {
                return true;
            }
            own.pips = own.pips + u32::from(from) - u32::from(to);
            geometry = geometry.step(from, to);
        }
        let words = own.words(&geometry);
        changes.words(&self.set.0[..OWN_WORDS], &words);
        let [one, two, three] = self.geometry.changed(&geometry);
        let crowded = one | two | three;
        for spot in &self.spots {
            let (place, before) = (spot.place, spot.retreat | spot.jumps);
            let mut now = before;
            if crowded & M::before(place) != M::NONE {
                now = geometry.retreat(place) | spot.jumps;
            }
            if one.ahead_of(place) != M::NONE {
                now = now & !spot.jumps | geometry.longest_jump(place);
            }
            if now != before {
                for word in Bits(spot.words) {
                    changes.word::<2>(word, before, now);
                }
            }
        }
        for (other, &(pips, before)) in self.pips.iter().enumerate() {
            let word = OWN_WORDS + other * OTHER_WORDS + MAX_PIRATES;
            let first = 64 * word + HAND_SIZES + PIP_BINS;
            changes.one(first + before, first + lead(pips, own.pips));
        }
        false
    }
}

/// The bin of how far an opponent with so many pips is behind.
#[inline(always)]
fn lead(pips: u32, own: u32) -> usize {
    lead_bin(pips as i32 - own as i32)
}
