//! The features of a position, and the changes by each action of one player.
//!
//! A search asks about all actions of a position together, and most features are the same before and after. So
//! the features before are computed once, and each action yields only its deltas. An action moves one own
//! pirate: an opponent's features change only where that pirate leaves or enters a space in the reach of
//! theirs, and in how far they are behind in pips.
//!
//! `features::visit` makes one [`Extractor`] for a position, and asks it for the deltas of each action.

use super::deltas::FeatureDeltas;
use super::layout::*;
use super::masks::{BoardMasks, Mask, TrackMasks};
use super::own::Own;
use super::{Bits, FeatureSet};
use crate::evaluation::Afterstate;
use crate::rules::{Action, MAX_PIRATES, MAX_PLAYERS, Place};
use arrayvec::ArrayVec;

/// A position in the form from which the deltas of an action are computed.
#[derive(Clone, Debug)]
pub(super) struct Extractor<'a, M> {
    masks: TrackMasks<'a, M>,
    own: Own,
    /// The places of the opponents' pirates, each once: two pirates on one place have the
    /// same features, whichever player owns them.
    places: ArrayVec<OpponentPlace, MAX_OPPONENT_PLACES>,
    /// For each opponent in turn order its pips, and the bin of these less the own pips.
    pips: ArrayVec<(u32, usize), { MAX_PLAYERS - 1 }>,
    /// The features of the position.
    pub(super) set: FeatureSet,
}

/// Room for all pirates of five opponents, each on a different place.
const MAX_OPPONENT_PLACES: usize = (MAX_PLAYERS - 1) * MAX_PIRATES;

/// A place with opponents' pirates.
#[derive(Clone, Copy, Debug)]
struct OpponentPlace {
    place: Place,
    /// The words of the pirates there, as a set of their indices: a game of six has 49 words, fewer than 64.
    words: u64,
    /// The bit of a retreat from there.
    retreat: u64,
    /// The bits of the longest jump from there.
    jumps: u64,
}

/// The places that are in the list already, and the index of each there.
struct Listed<M> {
    places: M,
    index: [u8; 128],
}

impl<'a, M: Mask> Extractor<'a, M> {
    /// Computes the features of a position, and everything that does not depend on the action.
    #[inline(always)]
    pub(super) fn new(s: &Afterstate, board: &'a BoardMasks<M>) -> Extractor<'a, M> {
        let mut extractor = Extractor {
            masks: TrackMasks::new(board, s.track.occupancy().map(M::narrow)),
            own: Own::of(s),
            places: ArrayVec::new(),
            pips: ArrayVec::new(),
            set: FeatureSet::default(),
        };
        // The first words are the player's own.
        extractor.set.0[..OWN_WORDS].copy_from_slice(&extractor.own.words(&extractor.masks));
        let players = s.track.players();
        let mut listed = Listed {
            places: M::NONE,
            index: [0; 128],
        };
        // In turn order from the player who acted.
        for other in 0..players - 1 {
            let turn = s.seat + 1 + other;
            let player = if turn < players { turn } else { turn - players };
            extractor.add_opponent(s, OWN_WORDS + other * OTHER_WORDS, player, &mut listed);
        }
        extractor
    }

    /// Sets the words of one opponent, which begin at `base`, and lists the places of its pirates, as their features
    /// follow from the places.
    #[inline(always)]
    fn add_opponent(&mut self, s: &Afterstate, base: usize, player: usize, listed: &mut Listed<M>) {
        let words = &mut self.set.0[base..base + OTHER_WORDS];
        for (rank, &place) in s.track.pirates(player).iter().enumerate() {
            // Places are below 128, so `& 127` changes nothing; by it the compiler knows that the index is in range.
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
        // In a game with fewer than six pirates the missing ones count as home.
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

    /// Sets `deltas` to the changes by an action. Returns whether it wins; then there are no deltas.
    ///
    /// The own words are computed anew and compared. A word of an opponent's pirate changes only if the number of
    /// pirates on a space behind it changes (its retreat), or if a space ahead of it becomes occupied or empty
    /// (its longest jump). Most words are therefore not looked at.
    #[inline(always)]
    pub(super) fn deltas(&self, action: Action, deltas: &mut FeatureDeltas) -> bool {
        deltas.clear();
        let mut own = self.own;
        let mut masks = self.masks;
        let places = match action {
            Action::Advance { from, to, symbol } => {
                // The card goes to the discards, and can be drawn again after a reshuffle.
                own.hand = own.hand.without(symbol);
                own.supply += 1;
                Some((from, to))
            }
            Action::Retreat { from, to } => {
                // The same as `Track::draws`, as a retreat leads to a space with one or two pirates.
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
            // With the rearmost pirate on the boat all are home.
            if own.pirates.rearmost() == masks.board.boat {
                return true;
            }
            own.pips = own.pips + u32::from(from) - u32::from(to);
            masks = masks.step(from, to);
        }
        let words = own.words(&masks);
        deltas.words(&self.set.0[..OWN_WORDS], &words);
        // At most two spaces change: the one left and the one entered. `one` has those that became occupied or
        // empty, `any` those on which the number of pirates changed at all.
        let [one, two, three] = self.masks.changed(&masks);
        let any = one | two | three;
        for there in &self.places {
            let (place, before) = (there.place, there.retreat | there.jumps);
            let mut now = before;
            // A retreat leads to the nearest space behind with one or two pirates, so that three levels matter.
            if any & M::before(place) != M::NONE {
                now = masks.retreat(place) | there.jumps;
            }
            // A jump leads to an empty space ahead, so that only the first level matters.
            if one.ahead_of(place) != M::NONE {
                now = now & !there.jumps | masks.longest_jump(place);
            }
            if now != before {
                for word in Bits(there.words) {
                    deltas.word::<2>(word, before, now);
                }
            }
        }
        // The own pips may have changed, and with them how far each opponent is behind.
        for (other, &(pips, before)) in self.pips.iter().enumerate() {
            let word = OWN_WORDS + other * OTHER_WORDS + MAX_PIRATES;
            let first = 64 * word + HAND_SIZES + PIP_BINS;
            deltas.one(first + before, first + lead(pips, own.pips));
        }
        false
    }
}

/// The bin of how far an opponent with `pips` is behind the player with `own` pips.
#[inline(always)]
fn lead(pips: u32, own: u32) -> usize {
    lead_bin(pips as i32 - own as i32)
}
