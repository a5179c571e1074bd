//! A position and those after each of one player's actions: what they share is computed once.

use super::changes::Changes;
use super::geometry::{Geometry, Jumps, Mask, Passage};
use super::layout::*;
use super::own::Own;
use super::{FeatureSet, Situation};
use crate::cartagena::rules::{Action, MAX_PIRATES, MAX_PLAYERS, Place};
use arrayvec::ArrayVec;

/// A position in parts.
#[derive(Clone, Debug)]
pub(super) struct Family<'a, M> {
    geometry: Geometry<'a, M>,
    own: Own,
    /// The opponents' pirates in turn order.
    rivals: ArrayVec<Rival<M>, MAX_RIVALS>,
    /// The opponents' pips, in turn order.
    pips: ArrayVec<u32, { MAX_PLAYERS - 1 }>,
    /// The features.
    pub(super) set: FeatureSet,
}

const MAX_RIVALS: usize = (MAX_PLAYERS - 1) * MAX_PIRATES;

/// An opponent's pirate, and when what is seen of it changes.
#[derive(Clone, Copy, Debug)]
struct Rival<M> {
    place: Place,
    /// Which word stands for it.
    word: u8,
    jumps: Jumps<M>,
    /// Spaces that decide about its retreat, by how many pirates they hold.
    retreat: M,
}

impl<'a, M: Mask> Family<'a, M> {
    #[inline(always)]
    pub(super) fn new(s: &Situation, passage: &'a Passage<M>) -> Family<'a, M> {
        let mut family = Family {
            geometry: Geometry::new(passage, s.track.crowd().map(M::narrow)),
            own: Own::of(s),
            rivals: ArrayVec::new(),
            pips: ArrayVec::new(),
            set: FeatureSet::default(),
        };
        family.set.0[..OWN_WORDS].copy_from_slice(&family.own.words(&family.geometry));
        let players = s.game.players;
        for other in 0..players - 1 {
            let turn = s.seat + 1 + other;
            let player = if turn < players { turn } else { turn - players };
            family.other(s, OWN_WORDS + other * OTHER_WORDS, player);
        }
        family
    }

    #[inline(always)]
    fn other(&mut self, s: &Situation, base: usize, player: usize) {
        let words = &mut self.set.0[base..base + OTHER_WORDS];
        let mut last: Option<Rival<M>> = None;
        let mut seen = 0;
        for (rank, &place) in s.track.pirates(player).iter().enumerate() {
            let mut rival = match last {
                Some(rival) if rival.place == place => rival,
                _ => {
                    let jumps = self.geometry.jumps(place);
                    seen = self.geometry.place_and_retreat(place)
                        | self.geometry.longest_jump(place, &jumps);
                    Rival {
                        place,
                        word: 0,
                        jumps,
                        retreat: self.geometry.retreats_over(place),
                    }
                }
            };
            rival.word = (base + rank) as u8;
            self.rivals.push(rival);
            last = Some(rival);
            words[rank] = seen;
        }
        for word in &mut words[s.track.pirates_each()..MAX_PIRATES] {
            *word = 1 << BOAT;
        }
        let pips = s.track.pips(player);
        self.pips.push(pips);
        words[MAX_PIRATES] = 1 << hand_bin(s.hand_sizes[player])
            | 1 << (HAND_SIZES + pip_bin(pips))
            | 1 << (HAND_SIZES + PIP_BINS + lead(pips, self.own.pips));
    }

    /// Sets `changes` to what an action changes; whether it wins instead.
    #[inline(always)]
    pub(super) fn changes(&self, action: Action, changes: &mut Changes) -> bool {
        changes.clear();
        let mut own = self.own;
        let mut geometry = self.geometry;
        // What a card that led to the space filled leads to now.
        let mut beyond = 0;
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
            if let Some(symbol) = action.card() {
                beyond = geometry.ahead[symbol.index()].ahead_of(to).first().end() + to;
            }
        }
        let words = own.words(&geometry);
        for (word, &now) in words.iter().enumerate() {
            changes.word(word, self.set.0[word], now);
        }
        let (was, is) = (self.geometry.crowd[0], geometry.crowd[0]);
        let (emptied, filled) = (was & !is, is & !was);
        let crowded = self.geometry.retreats() ^ geometry.retreats()
            | self.geometry.crowd[1] ^ geometry.crowd[1];
        for rival in &self.rivals {
            let jumps = &rival.jumps;
            // A jump that ends farther ahead counts if it is now the longest, one that ends
            // earlier if it was.
            let further = M::all_if(beyond >= jumps.longest);
            let matters = rival.retreat & crowded
                | jumps.passed & emptied
                | jumps.landings & filled & further;
            if matters != M::NONE {
                let word = usize::from(rival.word);
                let now = geometry.place_and_retreat(rival.place)
                    | geometry.longest_jump(rival.place, &geometry.jumps(rival.place));
                changes.word(word, self.set.0[word], now);
            }
        }
        for (other, &pips) in self.pips.iter().enumerate() {
            let word = OWN_WORDS + other * OTHER_WORDS + MAX_PIRATES;
            let first = 64 * word + HAND_SIZES + PIP_BINS;
            let [before, now] = [self.own.pips, own.pips].map(|own| first + lead(pips, own));
            changes.one(before, now);
        }
        false
    }
}

/// The bin of how far an opponent with so many pips is behind.
#[inline(always)]
fn lead(pips: u32, own: u32) -> usize {
    lead_bin(pips as i32 - own as i32)
}
