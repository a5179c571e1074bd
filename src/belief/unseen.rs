//! The belief in numbers, for display: where the cards that a seat does not see are expected to be. `sample` takes
//! the expected counts of the next draw from here as well.

use super::super::rules::{Cards, SYMBOLS, Symbol};
use super::sample::{Belief, Case};
use std::fmt;

/// Expected numbers of cards by symbol.
type Expected = [f64; SYMBOLS];

/// The expected whereabouts of the cards that a seat does not see.
#[derive(Clone, Debug, PartialEq)]
pub struct Unseen {
    /// For every other player the seat from 0, the size of the hand, and its expected cards.
    pub hands: Vec<(usize, u8, Expected)>,
    /// Cards in the draw pile.
    pub pile: u8,
    /// Expected cards in the draw pile.
    pub drawn: Expected,
    /// Expected unseen cards that were in hands at the last reshuffle.
    pub old: Expected,
    /// Expected unseen cards that were not.
    pub new: Expected,
    /// How many hypotheses about the plays since the last reshuffle fit the own hand, among those kept.
    pub hypotheses: usize,
}

impl Belief {
    /// The expected old and new cards outside the own hand, if this case is true.
    pub(super) fn expect(&self, case: &Case) -> (Expected, Expected) {
        // The own hand is known, so its new cards are the hand less the expected old ones.
        let own_old = case.layout.expected();
        let mut own_new = numbers(self.hand);
        subtract(&mut own_new, &own_old);
        let (mut old, mut new) = (numbers(case.layout.old), numbers(case.layout.new));
        // The layout counts the own cards too. Without them the hidden cards of each age are left.
        subtract(&mut old, &own_old);
        subtract(&mut new, &own_new);
        (old, new)
    }

    /// The expected cards of each hand and of the pile: the mean over the hypotheses by their weights.
    pub fn unseen(&self) -> Unseen {
        let others = (0..self.players).filter(|&p| p != self.seat);
        // Cards known to be in a hand are certain and lie in no slot. The slots of the hand get expected cards below.
        let size = |seat: usize| self.pools.slots[seat] + self.known[seat].total();
        let mut unseen = Unseen {
            hands: others
                .map(|seat| (seat, size(seat), numbers(self.known[seat])))
                .collect(),
            pile: self.pile,
            drawn: [0.0; SYMBOLS],
            old: [0.0; SYMBOLS],
            new: [0.0; SYMBOLS],
            hypotheses: self.cases.len(),
        };
        // The mean over the hypotheses: each adds its expectation times its probability.
        for case in &self.cases {
            self.add_case(&mut unseen, case);
        }
        unseen
    }

    /// Adds the expectation under one hypothesis, times its weight.
    fn add_case(&self, unseen: &mut Unseen, case: &Case) {
        let (old, new) = self.expect(case);
        add(&mut unseen.old, &old, case.weight);
        add(&mut unseen.new, &new, case.weight);
        // Unseen cards of one age are exchangeable: each slot expects the same share of them.
        for (seat, _, expected) in &mut unseen.hands {
            let old_slots = case.old_slots[*seat];
            let new_slots = self.pools.slots[*seat] - old_slots;
            add(expected, &part(old, old_slots), case.weight);
            add(expected, &part(new, new_slots), case.weight);
        }
        // Old cards are in hands, so the pile has new ones alone.
        add(&mut unseen.drawn, &part(new, self.pile), case.weight);
    }
}

fn numbers(cards: Cards) -> Expected {
    cards.counts().map(f64::from)
}

/// Subtracts the numbers of `what`.
fn subtract(from: &mut Expected, what: &Expected) {
    add(from, what, -1.0);
}

/// Adds `weight` times the numbers of `what`.
fn add(to: &mut Expected, what: &Expected, weight: f64) {
    for (sum, count) in to.iter_mut().zip(what) {
        *sum += weight * count;
    }
}

/// The expected cards in `slots` slots, if `cards` are spread evenly over as many slots as there are cards.
fn part(cards: Expected, slots: u8) -> Expected {
    let total: f64 = cards.iter().sum();
    if total <= 0.0 {
        return [0.0; SYMBOLS];
    }
    // If 3 of 12 cards are hats, a hand of 4 slots expects 3 · 4 / 12 = 1 hat.
    cards.map(|count| count * f64::from(slots) / total)
}

/// A table with a row for each player and the pile.
impl fmt::Display for Unseen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:12} {:>5}", "unseen", "cards")?;
        for symbol in Symbol::ALL {
            write!(f, " {symbol:>6}")?;
        }
        writeln!(f)?;
        let mut row = |name: &str, cards: f64, expected: &Expected| {
            write!(f, "{name:12} {cards:5.0}")?;
            for count in expected {
                // Rounding may leave a count just below 0, which would be printed as "-0.0".
                write!(f, " {:6.1}", count.max(0.0))?;
            }
            writeln!(f)
        };
        for (seat, size, expected) in &self.hands {
            row(&format!("player {}", seat + 1), f64::from(*size), expected)?;
        }
        row("draw pile", f64::from(self.pile), &self.drawn)?;
        // Before the first reshuffle there is no distinction of old and new to be shown.
        let old: f64 = self.old.iter().sum();
        if old > 0.0 {
            row("old cards", old, &self.old)?;
            row("new cards", self.new.iter().sum(), &self.new)?;
            writeln!(
                f,
                "(old: in hands at the last reshuffle; {} ways the plays since may have come about)",
                self.hypotheses
            )?;
        }
        Ok(())
    }
}
