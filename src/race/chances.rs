//! The race home with draws: how likely a player is home within so many own actions, at best, while the
//! others stand still. It is what the bear-off is in backgammon.
//!
//! Own actions are maximised over, draws averaged over (expectimax; Michie 1966, "Game-playing and
//! game-learning automata"), every action and every draw, with a table of positions. It is exact as long as
//! nobody else's pirates come or go where the own ones pass, and as what [`DrawPool`] says of two draws is; else it
//! tells what the hand is good for.

use super::{Finder, others};
use crate::belief::DrawPool;
use crate::rules::{Action, ActionList, Game, SYMBOLS};
use crate::view::View;
use std::collections::HashMap;

/// Finds these chances for one position.
pub struct Chances<'a> {
    game: &'a Game,
    view: View,
    pool: DrawPool,
    /// Finds ways home with the hand alone, and counts the positions looked at.
    finder: Finder<'a>,
    /// By position and actions left.
    known: HashMap<(Key, u8), f64>,
}

/// The own pirates, the hand and the discards; what may be drawn as bits, for after a reshuffle it depends on
/// which cards were the old pile's last; and the size of the pile.
type Key = (u128, [u64; SYMBOLS], u8);

/// What rounding may take off a certain win.
const ROUNDING: f64 = 1e-12;

impl<'a> Chances<'a> {
    /// For the seat that sees a position, which may draw from the pool; no more than `nodes` positions are
    /// looked at in all.
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

    /// The best chance to bring every pirate home within so many own actions; none once the positions are
    /// used up.
    pub fn within(&mut self, actions: u8) -> Option<f64> {
        self.solve(self.view, self.pool, actions)
    }

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
                // The turns of others change nothing, so that it does not matter where one ends.
                next.taken = 0;
                let pool = pool.after_draw(drawn, view.discards);
                chance += part * self.solve(next, pool, left - 1)?;
            }
            best = best.max(chance);
            if best > 1.0 - ROUNDING {
                return Some(1.0);
            }
        }
        Some(best)
    }

    fn key(&self, view: &View, pool: &DrawPool) -> Key {
        let cards = view.discards.counts().into_iter();
        let key = cards.fold(self.finder.key(&view.track, view.hand), |key, count| {
            key << 7 | u128::from(count)
        });
        (key, pool.counts().map(f64::to_bits), pool.pile())
    }
}

/// No fewer actions bring everyone home: an advance for each pirate, and retreats for the cards that are
/// wanting, of which each draws two at most.
fn least(view: &View) -> u8 {
    let out = (view.track.pirates_each() - view.track.home(view.seat)) as u8;
    out + out.saturating_sub(view.hand.total()).div_ceil(2)
}
