//! The blueprint as a player.

use super::Player;
use super::tracker::Tracker;
use crate::equilibrium::Public;
use crate::equilibrium::blueprint::{Book, Distribution, draw};
use crate::rules::{Decision, Event, Seat, other};
use crate::view::{Asked, View};
use engine::rng::{Random, unit};
use std::sync::Arc;

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
        let shares = shares(&self.book, self.tracker.public(), view);
        let chosen = draw(&shares, unit(&mut self.random) as f32);
        let legal = chosen.filter(|&decision| view.allows(decision));
        legal.or_else(|| view.safe()).unwrap_or(Decision::Offer)
    }
}

/// What the blueprint does with a player's cards: decisions with their shares.
pub(super) fn shares(book: &Book, public: &Public, view: &View) -> Distribution {
    if let Some(winner) = public.settled() {
        let decision = certain(view, winner == view.player_number);
        return [(decision, 1.0)].into_iter().collect();
    }
    let mut points = [view.own_points; 2];
    points[other(view.player_number)] = view.their_points;
    let stakes = book.values().stakes_for(points, public.opener);
    book.strategy(&stakes).played(public, view.cards)
}

/// What to decide when it is certain who takes more tricks: the winner offers and accepts, since the
/// other may err, and the loser rejects.
fn certain(view: &View, wins: bool) -> Decision {
    match view.asked {
        Asked::Answer if wins => Decision::Accept,
        Asked::Answer => Decision::Reject,
        Asked::Card if wins && view.can_challenge => Decision::Offer,
        Asked::Card => view.safe().unwrap_or(Decision::Offer),
    }
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
