//! The blueprint as a player.

use super::Player;
use super::tracker::Tracker;
use crate::challenge::equilibrium::blueprint::Book;
use crate::challenge::rules::{Decision, Event, Seat};
use crate::challenge::view::View;
use crate::random::{Random, unit};
use std::sync::Arc;

/// Shares below this are not played: what is left of a strategy's first, unlearned decisions.
const LEAST: f32 = 0.1;

/// Plays the blueprint of the score, and nothing else.
pub struct Blueprint {
    book: Arc<Book>,
    tracker: Tracker,
    random: Random,
}

impl Blueprint {
    /// With its tables and the generator of its mixed decisions.
    pub fn new(book: Arc<Book>, random: Random) -> Blueprint {
        Blueprint {
            book,
            tracker: Tracker::default(),
            random,
        }
    }

    fn choose(&mut self, view: &View) -> Decision {
        let public = self.tracker.public();
        let mut points = [view.own_points; 2];
        points[1 - view.player_number] = view.their_points;
        let stakes = self.book.values().stakes_for(points, public.opener);
        let strategy = self.book.strategy(&stakes);
        let shares = strategy.distribution(public, view.cards);
        let kept = |share: f32| if share < LEAST { 0.0 } else { share };
        let sum: f32 = shares.iter().map(|&(_, share)| kept(share)).sum();
        let mut at = unit(&mut self.random) as f32 * sum;
        for &(decision, share) in &shares {
            at -= kept(share);
            if at < 0.0 {
                return decision;
            }
        }
        shares[0].0
    }
}

impl Player for Blueprint {
    fn decide(&mut self, view: &View) -> Decision {
        self.tracker.see(view);
        let chosen = self.choose(view);
        let decision = match view.safe() {
            Some(safe) if !view.allows(chosen) => safe,
            _ => chosen,
        };
        self.tracker.decided(decision);
        decision
    }

    fn told(&mut self, _: Seat, event: Event) {
        self.tracker.told(event);
    }
}
