//! Helpers for the tests of several modules: random hands, and games in which players see what they would in a contest.

use crate::deals;
use crate::rules::{Cards, Decision, Deck, Event, Game, GameOptions, Hand, Seat};
use crate::view::{View, ViewContext};
use engine::rng::{Random, below};
use std::time::Duration;

/// Plays hands out by random decisions. `visit` is shown each position with the decisions before it, the last one
/// included.
pub fn random_hands(count: usize, rng: &mut Random, mut visit: impl FnMut(&Hand, &[Decision])) {
    for round in 0..count {
        let mut hand = Hand::new(deals::fresh(rng), round % 2);
        let mut log = Vec::new();
        visit(&hand, &log);
        while hand.to_act().is_some() {
            let decision = any(hand.legal(), rng);
            log.push(decision);
            hand.decide(decision).unwrap();
            visit(&hand, &log);
        }
    }
}

/// One of these decisions.
pub fn any(legal: impl Iterator<Item = Decision>, rng: &mut Random) -> Decision {
    let legal: Vec<Decision> = legal.collect();
    legal[below(rng, legal.len())]
}

/// The next two hands of a deck, which is shuffled once it is used up.
pub fn next(deck: &mut Deck, rng: &mut Random) -> [Cards; 2] {
    deck.deal().unwrap_or_else(|| {
        *deck = deals::shuffled(rng);
        deck.deal().unwrap()
    })
}

/// A game at a table.
pub struct Table {
    pub game: Game,
    pub context: ViewContext,
}

impl Table {
    pub fn new(game_id: u64, opponent_id: u64, remaining: Duration) -> Table {
        Table {
            game: Game::new(GameOptions::default()),
            context: ViewContext {
                game_id,
                opponent_id,
                remaining,
            },
        }
    }

    /// The view of the player to act; none once the game is over. `deal` gives the next hands.
    pub fn view(&mut self, deal: impl FnOnce() -> [Cards; 2]) -> Option<View> {
        if self.game.needs_deal() {
            self.game.deal(deal());
        }
        View::of(&self.game, &self.context)
    }

    /// Takes a decision. Returns its events, each with the players that hear of it.
    pub fn decide(&mut self, decision: Decision) -> Vec<(Seat, Event)> {
        let mover = self.game.to_act();
        let events = self.game.decide(decision).unwrap();
        // Private events go only to the player who acted.
        let heard = events.into_iter().flat_map(|event| {
            let hears = move |&seat: &Seat| Some(seat) == mover || !event.is_private();
            (0..2).filter(hears).map(move |seat| (seat, event))
        });
        heard.collect()
    }
}
