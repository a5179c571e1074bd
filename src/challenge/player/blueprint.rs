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

    /// The tables.
    pub(super) fn book(&self) -> &Book {
        &self.book
    }

    /// The course of the hand.
    pub(super) fn tracker(&self) -> &Tracker {
        &self.tracker
    }

    /// Takes in what is seen.
    pub(super) fn see(&mut self, view: &View) {
        self.tracker.see(view);
    }

    /// Notes a decision.
    pub(super) fn decided(&mut self, decision: Decision) {
        self.tracker.decided(decision);
    }

    /// A legal decision, after the view was taken in.
    pub(super) fn choose(&mut self, view: &View) -> Decision {
        let public = self.tracker.public();
        let mut points = [view.own_points; 2];
        points[1 - view.player_number] = view.their_points;
        let stakes = self.book.values().stakes_for(points, public.opener);
        let strategy = self.book.strategy(&stakes);
        let shares = strategy.distribution(public, view.cards);
        let chosen = sample(&shares, &mut self.random);
        let legal = chosen.filter(|&decision| view.allows(decision));
        legal.or_else(|| view.safe()).unwrap_or(Decision::Offer)
    }
}

/// A decision drawn by its share; small shares are left out.
pub(super) fn sample(shares: &[(Decision, f32)], random: &mut Random) -> Option<Decision> {
    let kept = |share: f32| if share < LEAST { 0.0 } else { share };
    let sum: f32 = shares.iter().map(|&(_, share)| kept(share)).sum();
    let mut at = unit(random) as f32 * sum;
    for &(decision, share) in shares {
        at -= kept(share);
        if at < 0.0 {
            return Some(decision);
        }
    }
    shares.first().map(|&(decision, _)| decision)
}

impl Player for Blueprint {
    fn decide(&mut self, view: &View) -> Decision {
        self.tracker.see(view);
        let chosen = self.choose(view);
        self.tracker.decided(chosen);
        chosen
    }

    fn told(&mut self, _: Seat, event: Event) {
        self.tracker.told(event);
    }
}
