//! The policy of a hoarder: collect cards, then sprint.
//!
//! A card is worth more in the hand than a few spaces are on the track, because a card played late jumps
//! over all spaces of its symbol that are taken by then. So the player collects: it retreats onto pairs,
//! which draw two cards each, and places its pirates so that there are pairs to retreat onto. As soon as a
//! simulation brings all its pirates home with the hand alone, it plays them home, the rearmost first.
//!
//! While it collects it takes the action that leads to the greatest worth, in spaces:
//!
//! ```text
//! worth = card · (cards held and drawn) - spaces to go - freed · (pirates in the cell)
//!         + option · (gain of the best retreat from there)
//! ```
//!
//! The gain of a retreat is card · (cards it draws) - (spaces it goes back). The last term counts only
//! while the turn has actions left.
//!
//! For example, with the weights of [`Hoarder::TUNED`] and the last term aside, a retreat over 5 spaces onto
//! a pair gains 2 · 9 - 5 = 13. An advance gains its length, less 9 for the card, plus 4 if it leaves
//! the cell: only one over more than 22 spaces is better, or one over more than 18 from the cell.

use crate::evaluation::Afterstate;
use crate::race::greedy_with;
use crate::rules::{Action, ActionList, CELL, Game, SYMBOLS, Symbol};

/// The weights of a hoarder's values, in spaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// The value of a card in the hand.
    pub card: f32,
    /// The value of a pirate that has left the cell.
    pub freed: f32,
    /// The share of the best retreat's gain that counts while the turn has actions left. At the end of the
    /// turn it counts nothing: others will have used the pair by the next one.
    pub option: f32,
    /// With this many cards the player sprints even if they do not suffice.
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
    /// Counts cards and spaces alone, without the next retreat and the pirates in the cell.
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

    /// The weights by which it values positions.
    pub const fn weights(&self) -> Weights {
        self.weights
    }

    /// The action that the seat to act takes among `legal`, its legal ones; a pass if there are none.
    pub fn choose(&self, game: &Game, before: &Afterstate, legal: &ActionList) -> Action {
        if legal.is_empty() {
            return Action::Pass;
        }
        match self.sprint(game, before) {
            Some(first) => first,
            None => self.hoard(game, before, legal),
        }
    }

    /// The first action of the way home; none if the player goes on hoarding.
    pub(super) fn sprint(&self, game: &Game, before: &Afterstate) -> Option<Action> {
        // If several symbols lead onto the boat, it plays the one of which it holds most cards; among equals the
        // first in their order.
        let prefer = |held, symbol: Symbol| (held, (SYMBOLS - symbol.index()) as u8);
        let mut sprint = greedy_with(game, before.track, before.seat, before.hand, prefer);
        let first = sprint.next()?;
        // Simulates the rest of the way; only the first action is taken now, and the next decision asks again.
        sprint.by_ref().for_each(drop);
        let supply = u16::from(before.pile) + u16::from(before.discards.total());
        // A player also sprints if no card is left to collect, or if it has enough of them.
        let must = supply == 0 || before.hand.total() >= self.weights.enough;
        (sprint.is_home() || must).then_some(first)
    }

    /// The action with the greatest worth, for a player that goes on collecting.
    fn hoard(&self, game: &Game, before: &Afterstate, legal: &ActionList) -> Action {
        let mut best = (f32::NEG_INFINITY, Action::Pass);
        for &action in legal {
            let worth = self.worth(game, &before.then(action));
            // Only a better action replaces the best, so the first of equals is taken. `evidence` relies on that.
            if worth > best.0 {
                best = (worth, action);
            }
        }
        best.1
    }

    /// The value of a position for a player that goes on hoarding, in spaces; see the module.
    pub(super) fn worth(&self, game: &Game, after: &Afterstate) -> f32 {
        let (seat, track) = (after.seat, &after.track);
        let mut worth = self.weights.card * f32::from(after.hand.total() + after.draws);
        worth -= track.pips(seat) as f32;
        // Cards that can still be drawn later in this turn: `pile` counts the pending draws as well.
        let supply = after.pile + after.discards.total() - after.draws;
        // No retreat at all gains nothing, and a bad one need not be taken.
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
        // The best retreat counts only if this turn can still take it.
        let share = if after.actions_left > 0 {
            self.weights.option
        } else {
            0.0
        };
        worth + share * best
    }
}
