//! Hoard, then sprint: the strongest heuristic that is publicly described.
//!
//! Cards are worth more in the hand than a few spaces are on the track, for a card played late
//! jumps over all that stand in the way. So the player collects: it retreats onto pairs, which
//! draw two cards each, and places its pirates so that there are pairs to retreat onto. As soon
//! as a simulation brings all its pirates home with the hand alone, it plays them home, the
//! rearmost first.

use crate::evaluation::Afterstate;
use crate::race::greedy_with;
use crate::rules::{Action, ActionList, CELL, Game, SYMBOLS, Symbol};

/// What counts while hoarding, in spaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// A card in the hand.
    pub card: f32,
    /// A pirate that has left the cell.
    pub freed: f32,
    /// The share of the gain of the best retreat that is counted while actions of the turn are
    /// left. A pair that has to wait for the next turn counts nothing: others will have used it.
    pub option: f32,
    /// Cards in the hand from which on the player sprints even if they do not suffice.
    pub enough: u8,
}

/// The policy: see the module's description.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hoarder {
    weights: Weights,
}

impl Default for Hoarder {
    fn default() -> Hoarder {
        Hoarder::TUNED
    }
}

impl Hoarder {
    /// Tuned by matches against other baselines and between settings.
    pub const TUNED: Hoarder = Hoarder::new(Weights {
        card: 9.0,
        freed: 4.0,
        option: 1.0,
        enough: 24,
    });
    /// Cards and spaces, without a thought for what comes next.
    pub const PLAIN: Hoarder = Hoarder::new(Weights {
        card: 4.5,
        freed: 0.0,
        option: 0.0,
        enough: 24,
    });

    /// A policy with its own weights.
    pub const fn new(weights: Weights) -> Hoarder {
        Hoarder { weights }
    }

    pub const fn weights(&self) -> Weights {
        self.weights
    }

    /// The action among those that are legal for the seat that is to act; a pass if there are none.
    pub fn choose(&self, game: &Game, before: &Afterstate, legal: &ActionList) -> Action {
        if legal.is_empty() {
            return Action::Pass;
        }
        match self.sprint(game, before) {
            Some(first) => first,
            None => self.hoard(game, before, legal),
        }
    }

    /// The first action of the way home, if it is time for that.
    pub(super) fn sprint(&self, game: &Game, before: &Afterstate) -> Option<Action> {
        // Of several symbols that lead onto the boat the first of those held most.
        let prefer = |held, symbol: Symbol| (held, (SYMBOLS - symbol.index()) as u8);
        let mut sprint = greedy_with(game, before.track, before.seat, before.hand, prefer);
        let first = sprint.next()?;
        sprint.by_ref().for_each(drop);
        let supply = u16::from(before.pile) + u16::from(before.discards.total());
        let must = supply == 0 || before.hand.total() >= self.weights.enough;
        (sprint.is_home() || must).then_some(first)
    }

    fn hoard(&self, game: &Game, before: &Afterstate, legal: &ActionList) -> Action {
        let mut best = (f32::NEG_INFINITY, Action::Pass);
        for &action in legal {
            let worth = self.worth(game, &before.then(action));
            if worth > best.0 {
                best = (worth, action);
            }
        }
        best.1
    }

    /// How good it is to go on hoarding from here.
    pub(super) fn worth(&self, game: &Game, after: &Afterstate) -> f32 {
        let (seat, track) = (after.seat, &after.track);
        let mut worth = self.weights.card * f32::from(after.hand.total() + after.draws);
        worth -= track.pips(seat) as f32;
        // Cards that can still be drawn.
        let supply = after.pile + after.discards.total() - after.draws;
        let mut best = 0.0f32;
        for &place in track.pirates(seat) {
            if place == CELL {
                worth -= self.weights.freed;
            } else if (place != track.boat() || game.boat_retreat)
                && let Some(to) = track.retreat(place)
            {
                let draws = track.pirates_on(to).min(supply);
                let gain = self.weights.card * f32::from(draws) - f32::from(place - to);
                best = best.max(gain);
            }
        }
        let share = if after.actions_left > 0 {
            self.weights.option
        } else {
            0.0
        };
        worth + share * best
    }
}
