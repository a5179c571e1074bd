//! Everyone for itself.

use super::position::{Ending, distinct, key};
use std::collections::HashMap;
use tricks::MAX_PLAYERS;

/// A number for each seat.
type Values = [f32; MAX_PLAYERS];

/// A solver in which each seat plays what is best for itself, and the lowest card of equally good
/// ones.
#[derive(Default)]
pub struct MaxN {
    known: HashMap<u64, Values>,
    nodes: u64,
}

impl MaxN {
    /// A solver with an empty table.
    pub fn new() -> MaxN {
        MaxN::default()
    }

    /// Positions visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The final value for each seat.
    pub fn solve<R: Ending>(&mut self, round: &R) -> Values {
        let mut values = self.search(round);
        for (seat, value) in values.iter_mut().enumerate().take(round.players()) {
            *value += round.banked(seat);
        }
        values
    }

    /// How much each seat's value will change.
    fn search<R: Ending>(&mut self, round: &R) -> Values {
        self.nodes += 1;
        if round.to_act().is_none() {
            return std::array::from_fn(|seat| {
                if seat < round.players() {
                    round.value(seat) - round.banked(seat)
                } else {
                    0.0
                }
            });
        }
        if !round.trick().is_empty() {
            return self.try_cards(round);
        }
        let key = key(round);
        if let Some(values) = self.known.get(&key) {
            return *values;
        }
        let values = self.try_cards(round);
        self.known.insert(key, values);
        values
    }

    fn try_cards<R: Ending>(&mut self, round: &R) -> Values {
        let mut best = [0.0; MAX_PLAYERS];
        let Some(actor) = round.to_act() else {
            return best;
        };
        let (_, most) = round.reach(actor);
        let mut tried = false;
        for card in distinct(round) {
            let mut next = round.clone();
            next.act(card);
            let mut values = self.search(&next);
            for (seat, value) in values.iter_mut().enumerate().take(round.players()) {
                *value += next.banked(seat) - round.banked(seat);
            }
            if !tried || values[actor] > best[actor] {
                best = values;
            }
            tried = true;
            // Nothing can be better (Korf 1991, immediate pruning).
            if best[actor] >= most {
                break;
            }
        }
        best
    }
}
