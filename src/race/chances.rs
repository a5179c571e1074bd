//! The race home with draws: the best chance of a player to be home within a number of own actions, while the
//! others stand still, as in the bear-off of backgammon. `runme --explain` shows these chances; the search does not
//! use them.
//!
//! With P(position, n) for the best chance to be home within n actions (expectimax; Michie 1966, "Game-playing and
//! game-learning automata"):
//!
//! ```text
//! P(everyone home, n) = 1
//! P(position, 0)      = 0 otherwise
//! P(position, n)      = max over actions of Σ over draws: chance · P(position after both, n − 1)
//! ```
//!
//! All actions and all draws are looked at, with a table of positions. The result is exact as long as no other
//! player's pirates come or go where the own ones pass, and as far as [`DrawPool`] is exact about two draws.
//! Otherwise it is an estimate of how fast the hand is.

use super::{Finder, others};
use crate::belief::DrawPool;
use crate::rules::{Action, ActionList, Game, SYMBOLS};
use crate::view::View;
use std::collections::HashMap;

/// Computes these chances for one position.
pub struct Chances<'a> {
    game: &'a Game,
    view: View,
    pool: DrawPool,
    /// Finds ways home with the hand alone, and counts the positions looked at.
    finder: Finder<'a>,
    /// The chances that were found, by position and actions left.
    known: HashMap<(Key, u8), f64>,
}

/// Identifies a position: the own pirates, the hand and the discards; the bits of the draw pool's counts; and the
/// size of the pile. The pool does not follow from the rest: after a reshuffle it depends on which cards were the
/// last of the old pile.
type Key = (u128, [u64; SYMBOLS], u8);

/// The most that rounding may take off the chance of a certain win.
const ROUNDING: f64 = 1e-12;

impl<'a> Chances<'a> {
    /// The chances of the seat of a view, which draws from `pool`. At most `nodes` positions are looked at in all.
    pub fn new(game: &'a Game, view: &View, pool: DrawPool, nodes: u32) -> Chances<'a> {
        Chances {
            game,
            view: *view,
            pool,
            finder: Finder {
                game,
                seat: view.seat,
                others: others(&view.track, view.seat),
                nodes,
                failed: HashMap::new(),
            },
            known: HashMap::new(),
        }
    }

    /// The best chance to bring every pirate home within `actions` own actions; none once the positions are
    /// used up.
    pub fn within(&mut self, actions: u8) -> Option<f64> {
        self.solve(self.view, self.pool, actions)
    }

    /// P(position, `left`), with the position as a view and its pool of draws; none once the positions are used up.
    fn solve(&mut self, view: View, pool: DrawPool, left: u8) -> Option<f64> {
        if view.track.is_home(view.seat) {
            return Some(1.0);
        }
        if least(&view) > left {
            return Some(0.0);
        }
        let key = (self.key(&view, &pool), left);
        if let Some(&chance) = self.known.get(&key) {
            return Some(chance);
        }
        // A way with the hand alone is certain, and cheaper to find than an average over all draws.
        self.finder.nodes = self.finder.nodes.checked_sub(1)?;
        let mut way = Vec::new();
        let surely = self.finder.solve(&view.track, view.hand, left, &mut way)?;
        let chance = if surely {
            1.0
        } else {
            self.best(&view, pool, left)?
        };
        self.known.insert(key, chance);
        Some(chance)
    }

    /// The chance after the best action.
    fn best(&mut self, view: &View, pool: DrawPool, left: u8) -> Option<f64> {
        let mut actions = ActionList::new();
        self.game
            .actions(&view.track, view.seat, view.hand, &mut actions);
        let mut best = 0.0f64;
        for action in actions {
            let mut chance = 0.0;
            let draws = match action {
                Action::Retreat { to, .. } => view.draws(to),
                _ => 0,
            };
            for (drawn, part) in pool.outcomes(view.discards, draws) {
                let mut next = *view;
                next.take(action, drawn);
                // The others stand still, so that it does not matter where a turn ends.
                next.taken = 0;
                let pool = pool.after_draw(drawn, view.discards);
                chance += part * self.solve(next, pool, left - 1)?;
            }
            // Nothing is better than a certain win, and rounding must not hide it.
            best = best.max(chance);
            if best > 1.0 - ROUNDING {
                return Some(1.0);
            }
        }
        Some(best)
    }

    /// The position, exactly: see [`Key`].
    fn key(&self, view: &View, pool: &DrawPool) -> Key {
        let cards = view.discards.counts().into_iter();
        let key = cards.fold(self.finder.key(&view.track, view.hand), |key, count| {
            key << 7 | u128::from(count)
        });
        (key, pool.counts().map(f64::to_bits), pool.pile())
    }
}

/// A lower bound on the number of actions: an advance for each pirate that is out, and retreats for the cards that
/// are missing, each of which draws at most two. Three pirates and no card take 3 + 2 = 5 actions at least.
fn least(view: &View) -> u8 {
    let out = (view.track.pirates_each() - view.track.home(view.seat)) as u8;
    out + out.saturating_sub(view.hand.total()).div_ceil(2)
}
