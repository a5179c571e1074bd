//! The value function of the opening: the value of each hand at a *leaf*, where two tricks are over and the third
//! begins.
//!
//! As in DeepStack (Moravčík et al. 2017), it maps the *ranges* of both players (how likely each hand is with their
//! strategies) to the payoff of each hand. DeepStack has a neural network for that; here it is a table of means
//! over solved endgames. A cell of the table stands for a class (who leads, who opened, the difference of tricks),
//! a strength of the own range, and a strength of the hand. The *strength* of a hand is its chance to win more of
//! the five tricks than the other's range, less that to win fewer.
//!
//! The game is zero-sum, but means of cells need not be. So the payoffs of both players are shifted by the same
//! amount, so that their means sum to 0.

use super::accepted::Accepted;
use super::place::{LEAVES, Place, Plays, public};
use super::sets::{Sets, product};
use challenge::equilibrium::Stakes;
use challenge::equilibrium::endgame::{Endgame, Solver};
use challenge::rules::{HAND_SIZE, PACKS, Seat};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU32, Ordering};

/// The cards that each player holds at a leaf: three.
const CARDS: usize = HAND_SIZE - 2;
/// Grid points for the strength of a hand, from −1 to 1.
const HAND_STEPS: usize = 24;
/// Grid points for the strength of a range, from −1 to 1.
const RANGE_STEPS: usize = 10;
/// Combinations of who leads, who opened, and the difference of tricks from −2 to 2.
const CLASSES: usize = 2 * 2 * 5;
/// The greatest weight of a cell, in hands. Beyond it old hands fade, as they come from earlier strategies: a new hand
/// then changes the mean by about 1/2,000 of its distance from it.
const MEMORY: f32 = 2_000.0;

/// The strengths of one player's hands where the third trick begins.
pub(super) struct Strength {
    /// The combination of who leads, who opened and the difference of tricks, below [`CLASSES`].
    class: usize,
    /// By hand, its strength if nobody offers a challenge, from −1 to 1.
    hands: Vec<f32>,
    /// The mean strength of the own range.
    range: f32,
    /// The share of each hand in the own range.
    parts: Vec<f32>,
    /// By hand, the sum over the other's hands of (ways to draw both hands) · (the other's reach).
    weights: Vec<f32>,
}

impl Strength {
    /// The strengths of the hands of `seat` at the leaf `at`. `reach` is the reach of each hand, by player.
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
        // The tables of accepted challenges know how the blueprint's card play ends for every pair of hands. The loop
        // below turns their sum over the other's hands, weighted by reach and ways, into a mean.
        let theirs = product(theirs, &ways);
        let mut hands = accepted.three(at.ahead(at.lead), leads, &theirs);
        let factor = at.ways as f32;
        for ((strength, ways), &weight) in hands.iter_mut().zip(ways).zip(&weights) {
            // Divided by the weight, the sum is a mean. Both take into account that the own cards cannot be in the
            // other's hand, the weight with the cards that are left, the table with whole packs. So the quotient can
            // lie a little outside of −1 to 1.
            *strength = match weight > 0.0 {
                true => (*strength * ways * factor / weight).clamp(-1.0, 1.0),
                false => 0.0,
            };
        }
        // A hand's share of the own range is in proportion to its own reach times its weight.
        let mut parts = product(reach[seat], &weights);
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
        // By rounding the mean may lie a little outside of −1 to 1, where the grid ends.
        strength.range = strength.mean(&strength.hands).clamp(-1.0, 1.0);
        strength
    }

    /// By hand, the sum over the other's hands of (ways to draw both hands) · (the other's reach).
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The mean of `numbers`, one for each hand, over the own range.
    fn mean(&self, numbers: &[f32]) -> f32 {
        let both = numbers.iter().zip(&self.parts);
        both.map(|(number, part)| number * part).sum()
    }
}

/// The value function of one hand game.
#[derive(Serialize, Deserialize)]
pub(super) struct EndgameValues {
    /// For each [`cell`], the sum of the payoffs of the hands learnt and their number.
    cells: Vec<[f32; 2]>,
    /// By leaf, half of the sum of both players' mean payoffs when they were last compared: the shift of
    /// [`EndgameValues::balanced`]. Bits of an `f32` in an atomic, as walks on several threads write here.
    excess: Vec<AtomicU32>,
}

/// The two grid points around a value from −1 to 1, with weights for linear interpolation, which sum to 1. With 24
/// points, 0.1 lies at `1.1 / 2 · 23 = 12.65`: point 12 has the weight 0.35 and point 13 the weight 0.65, counted
/// from 0.
fn steps(value: f32, steps: usize) -> [(usize, f32); 2] {
    let at = (value + 1.0) / 2.0 * (steps - 1) as f32;
    let low = (at as usize).min(steps - 2);
    let part = at - low as f32;
    [(low, 1.0 - part), (low + 1, part)]
}

/// The index of the cell of a class, a grid point of the range and one of the hand.
fn cell(class: usize, range: usize, hand: usize) -> usize {
    (class * RANGE_STEPS + range) * HAND_STEPS + hand
}

impl EndgameValues {
    /// The values before any endgame is solved: a hand of strength `s` has the payoff `s` times that of a point.
    /// Each cell counts as one hand, so a few examples outweigh it.
    pub fn new(stakes: &Stakes) -> EndgameValues {
        let payoff = |at: usize| {
            let strength = (at % HAND_STEPS) as f32 / (HAND_STEPS - 1) as f32 * 2.0 - 1.0;
            [strength * stakes.point(), 1.0]
        };
        EndgameValues {
            cells: (0..CLASSES * RANGE_STEPS * HAND_STEPS)
                // All classes and ranges begin with the same values; only examples make them differ.
                .map(payoff)
                .collect(),
            excess: (0..LEAVES).map(|_| AtomicU32::new(0)).collect(),
        }
    }

    /// The payoff of each hand as the cells have it, before the shift.
    fn payoffs(&self, strength: &Strength) -> Vec<f32> {
        let ranges = steps(strength.range, RANGE_STEPS);
        let payoff = |&hand: &f32| {
            let mut payoff = 0.0;
            // Bilinear interpolation between four cells: payoffs must not jump if a strategy, and so a range, changes a
            // little.
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

    /// The payoffs of a player's hands at a leaf, shifted so that the mean payoffs of both players sum to 0. A
    /// payoff is the chance to win the game, less that chance after a tied hand. If `other` is given, the shift is
    /// computed anew; otherwise that of the last comparison is used.
    pub fn balanced(&self, leaf: usize, own: &Strength, other: Option<&Strength>) -> Vec<f32> {
        let mut payoffs = self.payoffs(own);
        if let Some(other) = other {
            // With mean payoffs of 0.03 and −0.01 the sum is 0.02. Each player gives up half of it, so 0.02 and −0.02
            // stay.
            let excess = (own.mean(&payoffs) + other.mean(&self.payoffs(other))) / 2.0;
            self.excess[leaf].store(excess.to_bits(), Ordering::Relaxed);
        }
        let excess = f32::from_bits(self.excess[leaf].load(Ordering::Relaxed));
        payoffs.iter_mut().for_each(|payoff| *payoff -= excess);
        payoffs
    }

    /// Learns from a solved endgame: `found` has the payoff of each hand. Every possible hand counts the same, however
    /// rare it is in the range.
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
                    // An example goes to the four cells from which it would be read, with the same weights.
                    let [sum, hands] = &mut self.cells[cell(strength.class, range, hand)];
                    *sum += part * found;
                    *hands += part;
                    // At the limit, sum and number shrink together, so the mean stays and later examples count more.
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
    let mut solver = Solver::new(endgame)?;
    (0..iterations).for_each(|_| solver.step());
    Some(solver)
}
