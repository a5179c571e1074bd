//! The values of hands where the third trick begins.
//!
//! A value function in the way of DeepStack (Moravčík et al. 2017): it maps the ranges of both
//! players to the payoff of each hand. Instead of a neural network it is a table of means over
//! solved endgames. Its inputs are the strength of the hand against the other's range, the strength
//! of the own range, who leads, who opened, and the difference of the tricks. The payoffs of both
//! players are then shifted so that they sum to 0, as in the zero-sum game that they stand for.

use super::accepted::Accepted;
use super::place::{LEAVES, Place, Plays, public};
use super::sets::Sets;
use challenge::equilibrium::Stakes;
use challenge::equilibrium::endgame::{Endgame, Solver, Variant};
use challenge::rules::{HAND_SIZE, PACKS, Seat};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU32, Ordering};

/// Cards that each player holds there.
const CARDS: usize = HAND_SIZE - 2;
/// Grid points for the strength of a hand, from −1 to 1.
const HAND_STEPS: usize = 24;
/// Grid points for the strength of a range, from −1 to 1.
const RANGE_STEPS: usize = 10;
/// Combinations of who leads, who opened, and the difference of tricks from −2 to 2.
const CLASSES: usize = 2 * 2 * 5;
/// The weight of a cell in hands at most; older hands are forgotten, since they come from earlier
/// strategies.
const MEMORY: f32 = 2_000.0;

/// The strengths of one player's hands where the third trick begins.
pub(super) struct Strength {
    class: usize,
    /// By hand, the chance to win less that to lose the tricks, if nobody offers a challenge.
    hands: Vec<f32>,
    /// The mean strength of the own range.
    range: f32,
    /// The share of each hand in the own range.
    parts: Vec<f32>,
    /// By hand, the ways to draw it and the other's hands, times the other's reach.
    weights: Vec<f32>,
}

impl Strength {
    /// The strengths at `at` of the hands of `seat`, with the reach of both players.
    pub fn new(
        (sets, accepted): (&Sets, &Accepted),
        at: &Place,
        seat: Seat,
        reach: [&[f32]; 2],
    ) -> Strength {
        let leads = seat == at.lead;
        let ways = sets.ways(&at.left, CARDS);
        let theirs = reach[1 - seat];
        let weights = sets.weigh(&at.left, (CARDS, CARDS), theirs, at.ways);
        // The tables of accepted challenges know the card play of the blueprint for every pair of
        // hands: sum over the other's hands, weighted by reach and ways.
        let theirs: Vec<f32> = theirs.iter().zip(&ways).map(|(a, b)| a * b).collect();
        let mut hands = accepted.three(at.ahead(at.lead), leads, &theirs);
        let factor = at.ways as f32;
        for ((strength, ways), &weight) in hands.iter_mut().zip(ways).zip(&weights) {
            // Divide by the weight of the same hands for a mean. The tables take removed cards into
            // account as in whole packs, so it can leave −1 to 1 by a little.
            *strength = match weight > 0.0 {
                true => (*strength * ways * factor / weight).clamp(-1.0, 1.0),
                false => 0.0,
            };
        }
        // A hand's share of the range: its own reach times the ways and the other's reach,
        // normalised.
        let mut parts: Vec<f32> = reach[seat]
            .iter()
            .zip(&weights)
            .map(|(a, b)| a * b)
            .collect();
        let all: f32 = parts.iter().sum();
        parts
            .iter_mut()
            .for_each(|part| *part /= all.max(f32::MIN_POSITIVE));
        let mut strength = Strength {
            class: (usize::from(leads) * 2 + seat) * 5 + (at.ahead(seat) + 2) as usize,
            range: 0.0,
            hands,
            parts,
            weights,
        };
        // Rounding may leave the mean a little outside of the grid.
        strength.range = strength.mean(&strength.hands).clamp(-1.0, 1.0);
        strength
    }

    /// By hand, the ways to draw it and the other's hands, times the other's reach.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The mean of a number over the own range.
    fn mean(&self, numbers: &[f32]) -> f32 {
        let both = numbers.iter().zip(&self.parts);
        both.map(|(number, part)| number * part).sum()
    }
}

/// The value function of one hand game.
#[derive(Serialize, Deserialize)]
pub(super) struct EndgameValues {
    /// Sum of payoffs, and number of hands, by class, range and hand.
    cells: Vec<[f32; 2]>,
    /// By leaf, half of the sum of both players' payoffs by the cells at the last comparison, as
    /// the bits of a float: walks on many threads write here.
    excess: Vec<AtomicU32>,
}

/// The two grid points around a value from −1 to 1, with their weights, which sum to 1. Of 24
/// points 0.1 lies between the 13th and 14th: `1.1 / 2 · 23 = 12.65`, so the weights of points 12
/// and 13 from 0 are 0.35 and 0.65.
fn steps(value: f32, steps: usize) -> [(usize, f32); 2] {
    let at = (value + 1.0) / 2.0 * (steps - 1) as f32;
    let low = (at as usize).min(steps - 2);
    let part = at - low as f32;
    [(low, 1.0 - part), (low + 1, part)]
}

/// Index of a cell.
fn cell(class: usize, range: usize, hand: usize) -> usize {
    (class * RANGE_STEPS + range) * HAND_STEPS + hand
}

impl EndgameValues {
    /// Before anything is solved, a hand has the payoff of its strength in points: a win of one
    /// point, or its loss. It counts as one hand, so the first examples outweigh it.
    pub fn new(stakes: &Stakes) -> EndgameValues {
        let payoff = |at: usize| {
            let strength = (at % HAND_STEPS) as f32 / (HAND_STEPS - 1) as f32 * 2.0 - 1.0;
            [strength * stakes.point(), 1.0]
        };
        EndgameValues {
            cells: (0..CLASSES * RANGE_STEPS * HAND_STEPS)
                // A class has the same start, whoever leads and opened: only examples tell them
                // apart.
                .map(payoff)
                .collect(),
            excess: (0..LEAVES).map(|_| AtomicU32::new(0)).collect(),
        }
    }

    /// The payoffs of hands by the cells, before the shift.
    fn payoffs(&self, strength: &Strength) -> Vec<f32> {
        let ranges = steps(strength.range, RANGE_STEPS);
        let payoff = |&hand: &f32| {
            let mut payoff = 0.0;
            // Bilinear interpolation between four cells, so that payoffs change continuously with
            // the ranges.
            for (hand, part) in steps(hand, HAND_STEPS) {
                for (range, of_range) in ranges {
                    let [sum, hands] = self.cells[cell(strength.class, range, hand)];
                    payoff += part * of_range * sum / hands;
                }
            }
            payoff
        };
        strength.hands.iter().map(payoff).collect()
    }

    /// The payoffs of a player's hands in a leaf, in chances to win the game above those of a tie,
    /// shifted so that the two players' sum to 0. The shift is computed anew if `other` is given;
    /// otherwise it is that of the last comparison.
    pub fn balanced(&self, leaf: usize, own: &Strength, other: Option<&Strength>) -> Vec<f32> {
        let mut payoffs = self.payoffs(own);
        if let Some(other) = other {
            // Both mean payoffs sum to twice the excess; each player gives up one half.
            let excess = (own.mean(&payoffs) + other.mean(&self.payoffs(other))) / 2.0;
            self.excess[leaf].store(excess.to_bits(), Ordering::Relaxed);
        }
        let excess = f32::from_bits(self.excess[leaf].load(Ordering::Relaxed));
        payoffs.iter_mut().for_each(|payoff| *payoff -= excess);
        payoffs
    }

    /// Learns the payoffs that a solved endgame found for hands of this strength. Each possible
    /// hand counts the same.
    pub fn learn(&mut self, strength: &Strength, found: &[f32]) {
        let ranges = steps(strength.range, RANGE_STEPS);
        let hands = strength.hands.iter().zip(&strength.weights).zip(found);
        for ((&hand, &weight), &found) in hands {
            if weight <= 0.0 {
                continue;
            }
            for (hand, part) in steps(hand, HAND_STEPS) {
                for (range, of_range) in ranges {
                    let part = part * of_range;
                    // The example is spread over the same four cells that it would be read from.
                    let [sum, hands] = &mut self.cells[cell(strength.class, range, hand)];
                    *sum += part * found;
                    *hands += part;
                    // A moving mean: its weight stays at the limit.
                    if *hands > MEMORY {
                        *sum *= MEMORY / *hands;
                        *hands = MEMORY;
                    }
                }
            }
        }
    }

    #[cfg(test)]
    pub fn excess(&self, own: &Strength, other: &Strength) -> f32 {
        own.mean(&self.balanced(0, own, Some(other))) + other.mean(&self.balanced(0, other, None))
    }
}

/// The endgame after two tricks with these ranges.
pub(super) fn endgame(plays: &Plays, stakes: &Stakes, reach: [Vec<f32>; 2]) -> Endgame {
    let public = public(plays);
    Endgame {
        public,
        stakes: *stakes,
        left: PACKS.minus(public.played[0].plus(public.played[1])),
        reach,
    }
}

/// Solves an endgame with `iterations`; none if there is nothing to solve.
pub(super) fn solved(endgame: &Endgame, iterations: u32) -> Option<Solver> {
    let mut solver = Solver::new(endgame, Variant::default())?;
    (0..iterations).for_each(|_| solver.step());
    Some(solver)
}
