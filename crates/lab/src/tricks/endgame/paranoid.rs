//! One against all: alpha-beta with a transposition table.

use super::position::{Ending, distinct, key};
use arrayvec::ArrayVec;
use std::cmp::Reverse;
use std::collections::HashMap;
use tricks::{Card, Cards};

/// Cards in a hand at most.
const HAND: usize = 17;

/// The values between which a search must be exact.
#[derive(Clone, Copy)]
struct Window {
    alpha: f32,
    beta: f32,
}

impl Window {
    fn shifted(self, by: f32) -> Window {
        Window {
            alpha: self.alpha - by,
            beta: self.beta - by,
        }
    }

    fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

/// What is known of a position's value, and a good card.
#[derive(Clone, Copy)]
struct Known {
    least: f32,
    most: f32,
    card: Card,
}

/// A solver for one seat that takes all others to play against it. Values are changes from what is
/// banked, so that a position keeps its value whatever came before.
pub struct Paranoid {
    seat: usize,
    known: HashMap<u64, Known>,
    /// How often each card cut a search short, by whether the seat played it.
    cuts: [[u32; 64]; 2],
    nodes: u64,
}

impl Paranoid {
    /// A solver for a seat with an empty table.
    pub fn new(seat: usize) -> Paranoid {
        Paranoid {
            seat,
            known: HashMap::new(),
            cuts: [[0; 64]; 2],
            nodes: 0,
        }
    }

    /// Positions visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The final value for the seat if it plays its best and the others what is worst for it.
    pub fn solve<R: Ending>(&mut self, round: &R) -> f32 {
        let (alpha, beta) = round.reach(self.seat);
        round.banked(self.seat) + self.search(round, Window { alpha, beta })
    }

    fn search<R: Ending>(&mut self, round: &R, window: Window) -> f32 {
        self.nodes += 1;
        if round.to_act().is_none() {
            return round.value(self.seat) - round.banked(self.seat);
        }
        let (least, most) = round.reach(self.seat);
        if least >= window.beta || least == most {
            return least;
        }
        if most <= window.alpha {
            return most;
        }
        if !round.trick().is_empty() {
            return self.try_cards(round, window, None).map_or(0.0, |b| b.0);
        }
        let key = key(round);
        let before = self.known.get(&key).copied();
        if let Some(known) = before {
            if known.least >= window.beta || known.least == known.most {
                return known.least;
            }
            if known.most <= window.alpha {
                return known.most;
            }
        }
        let hint = before.map(|known| known.card);
        let Some((value, card)) = self.try_cards(round, window, hint) else {
            return 0.0;
        };
        let mut known = before.unwrap_or(Known { least, most, card });
        known.card = card;
        if value > window.alpha {
            known.least = known.least.max(value);
        }
        if value < window.beta {
            known.most = known.most.min(value);
        }
        self.known.insert(key, known);
        value
    }

    /// The value of the best card for who is to act, and the card.
    fn try_cards<R: Ending>(
        &mut self,
        round: &R,
        mut window: Window,
        hint: Option<Card>,
    ) -> Option<(f32, Card)> {
        let own = round.to_act() == Some(self.seat);
        let banked = round.banked(self.seat);
        let mut best: Option<(f32, Card)> = None;
        for card in self.ordered(distinct(round), own, hint) {
            let mut next = round.clone();
            next.act(card);
            let gained = next.banked(self.seat) - banked;
            let value = gained + self.search(&next, window.shifted(gained));
            if best.is_none_or(|best| if own { value > best.0 } else { value < best.0 }) {
                best = Some((value, card));
            }
            if own {
                window.alpha = window.alpha.max(value);
            } else {
                window.beta = window.beta.min(value);
            }
            if window.is_empty() {
                self.cuts[usize::from(own)][card.index()] += 1;
                break;
            }
        }
        best
    }

    /// The hint first, then by how often a card cut the search short.
    fn ordered(&self, cards: Cards, own: bool, hint: Option<Card>) -> ArrayVec<Card, HAND> {
        let cuts = &self.cuts[usize::from(own)];
        let mut cards: ArrayVec<Card, HAND> = cards.into_iter().collect();
        cards.sort_by_key(|&card| (Some(card) != hint, Reverse(cuts[card.index()])));
        cards
    }
}
