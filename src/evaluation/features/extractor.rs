//! The features of a position, and what each action of one player changes about them.
//!
//! A search asks about all actions of a position together. Most features are those of the position
//! itself whatever the action, so they are computed once, and each action yields only its deltas.

use super::deltas::FeatureDeltas;
use super::layout::*;
use super::masks::{BoardMasks, Mask, TrackMasks};
use super::own::Own;
use super::{Bits, FeatureSet};
use crate::evaluation::Afterstate;
use crate::rules::{Action, MAX_PIRATES, MAX_PLAYERS, Place};
use arrayvec::ArrayVec;

/// A position with what the deltas of an action are computed from.
#[derive(Clone, Debug)]
pub(super) struct Extractor<'a, M> {
    masks: TrackMasks<'a, M>,
    own: Own,
    /// The places of the opponents' pirates, each once: two pirates on one place have the
    /// same features, whichever player owns them.
    places: ArrayVec<OpponentPlace, MAX_OPPONENT_PLACES>,
    /// The opponents' pips and the bins of how far behind they are, in turn order.
    pips: ArrayVec<(u32, usize), { MAX_PLAYERS - 1 }>,
    /// The features of the position.
    pub(super) set: FeatureSet,
}

const MAX_OPPONENT_PLACES: usize = (MAX_PLAYERS - 1) * MAX_PIRATES;

/// A place with opponents' pirates.
#[derive(Clone, Copy, Debug)]
struct OpponentPlace {
    place: Place,
    /// The words of the pirates there, a bit each: a game of six has 49 words.
    words: u64,
    /// Their feature for a retreat.
    retreat: u64,
    /// Their features for jumps.
    jumps: u64,
}

/// Which places are listed already, and where in the list.
struct Listed<M> {
    places: M,
    index: [u8; 128],
}

impl<'a, M: Mask> Extractor<'a, M> {
    #[inline(always)]
    pub(super) fn new(s: &Afterstate, board: &'a BoardMasks<M>) -> Extractor<'a, M> {
        let mut extractor = Extractor {
            masks: TrackMasks::new(board, s.track.occupancy().map(M::narrow)),
            own: Own::of(s),
            places: ArrayVec::new(),
            pips: ArrayVec::new(),
            set: FeatureSet::default(),
        };
        extractor.set.0[..OWN_WORDS].copy_from_slice(&extractor.own.words(&extractor.masks));
        let players = s.track.players();
        let mut listed = Listed {
            places: M::NONE,
            index: [0; 128],
        };
        for other in 0..players - 1 {
            let turn = s.seat + 1 + other;
            let player = if turn < players { turn } else { turn - players };
            extractor.add_opponent(s, OWN_WORDS + other * OTHER_WORDS, player, &mut listed);
        }
        extractor
    }

    #[inline(always)]
    fn add_opponent(&mut self, s: &Afterstate, base: usize, player: usize, listed: &mut Listed<M>) {
        let words = &mut self.set.0[base..base + OTHER_WORDS];
        for (rank, &place) in s.track.pirates(player).iter().enumerate() {
            let index = &mut listed.index[usize::from(place & 127)];
            if !listed.places.has(place) {
                listed.places = listed.places | M::only(place);
                *index = self.places.len() as u8;
                self.places.push(OpponentPlace {
                    place,
                    words: 0,
                    retreat: self.masks.retreat(place),
                    jumps: self.masks.longest_jump(place),
                });
            }
            let there = &mut self.places[usize::from(*index)];
            there.words |= 1 << (base + rank);
            words[rank] = self.masks.place(place) | there.retreat | there.jumps;
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

    /// Sets `deltas` to what an action changes; whether it wins instead.
    ///
    /// An action moves an own pirate, so an opponent's word changes only where the occupancy of a
    /// space behind its pirate changes (its retreat) or a space ahead of it is filled or left (its
    /// longest jump). The own words are computed anew and compared.
    #[inline(always)]
    pub(super) fn deltas(&self, action: Action, deltas: &mut FeatureDeltas) -> bool {
        deltas.clear();
        let mut own = self.own;
        let mut masks = self.masks;
        let places = match action {
            Action::Advance { from, to, symbol } => {
                own.hand = own.hand.without(symbol);
                own.supply += 1;
                Some((from, to))
            }
            Action::Retreat { from, to } => {
                // As `Track::draws`: one or two pirates stand there.
                let second = u32::from(masks.occupancy[1].has(to));
                own.draws = (1 + second).min(own.supply) as u8;
                Some((from, to))
            }
            Action::Pass => {
                own.actions_left = 0;
                None
            }
        };
        if let Some((from, to)) = places {
            own.actions_left -= 1;
            own.pirates.remove(from);
            own.pirates.insert(to);
            if own.pirates.rearmost() == masks.board.boat {
                return true;
            }
            own.pips = own.pips + u32::from(from) - u32::from(to);
            masks = masks.step(from, to);
        }
        let words = own.words(&masks);
        deltas.words(&self.set.0[..OWN_WORDS], &words);
        let [one, two, three] = self.masks.changed(&masks);
        let any = one | two | three;
        for there in &self.places {
            let (place, before) = (there.place, there.retreat | there.jumps);
            let mut now = before;
            if any & M::before(place) != M::NONE {
                now = masks.retreat(place) | there.jumps;
            }
            if one.ahead_of(place) != M::NONE {
                now = now & !there.jumps | masks.longest_jump(place);
            }
            if now != before {
                for word in Bits(there.words) {
                    deltas.word::<2>(word, before, now);
                }
            }
        }
        for (other, &(pips, before)) in self.pips.iter().enumerate() {
            let word = OWN_WORDS + other * OTHER_WORDS + MAX_PIRATES;
            let first = 64 * word + HAND_SIZES + PIP_BINS;
            deltas.one(first + before, first + lead(pips, own.pips));
        }
        false
    }
}

/// The bin of how far an opponent with so many pips is behind.
#[inline(always)]
fn lead(pips: u32, own: u32) -> usize {
    lead_bin(pips as i32 - own as i32)
}
