//! What hands are worth where the third trick begins.
//!
//! A value function in the way of DeepStack (Moravčík et al. 2017): from the ranges of both players to what each hand
//! wins. It is a mean over solved endgames, by how strong the hand is against the other's range, how strong the own
//! range is, who leads, who opened, and who is how far ahead. What both players win by it is made to sum to nothing.

use super::accepted::Accepted;
use super::place::{LEAVES, Place, Plays, public};
use super::sets::Sets;
use challenge::equilibrium::Stakes;
use challenge::equilibrium::endgame::{Endgame, Solver, Variant};
use challenge::rules::{HAND_SIZE, PACKS, Seat};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU32, Ordering};

/// Cards that both hold there.
const CARDS: usize = HAND_SIZE - 2;
/// Steps of a hand's strength, and of a range's.
const HAND_STEPS: usize = 24;
const RANGE_STEPS: usize = 10;
/// Who leads, who opened, and from two tricks behind to two ahead.
const CLASSES: usize = 2 * 2 * 5;
/// A cell forgets what is older than so many hands.
const MEMORY: f32 = 2_000.0;

/// How strong one player's hands are where the third trick begins.
pub(super) struct Strength {
    class: usize,
    /// By hand, chances to win less those to lose if nobody offers a challenge.
    hands: Vec<f32>,
    /// Their mean over the own range.
    range: f32,
    /// The parts of the own range.
    parts: Vec<f32>,
    /// By hand, the ways to draw it and the other's hands, times their reach.
    weights: Vec<f32>,
}

impl Strength {
    /// With the reach of both players.
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
        let theirs: Vec<f32> = theirs.iter().zip(&ways).map(|(a, b)| a * b).collect();
        let mut hands = accepted.three(at.ahead(at.lead), leads, &theirs);
        let factor = at.ways as f32;
        for ((strength, ways), &weight) in hands.iter_mut().zip(ways).zip(&weights) {
            *strength = match weight > 0.0 {
                true => (*strength * ways * factor / weight).clamp(-1.0, 1.0),
                false => 0.0,
            };
        }
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
        strength.range = strength.mean(&strength.hands).clamp(-1.0, 1.0);
        strength
    }

    /// By hand, the ways to draw it and the other's hands, times their reach.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The mean of a number of each hand over the own range.
    fn mean(&self, numbers: &[f32]) -> f32 {
        let both = numbers.iter().zip(&self.parts);
        both.map(|(number, part)| number * part).sum()
    }
}

/// A value function of one hand game.
#[derive(Serialize, Deserialize)]
pub(super) struct EndgameValues {
    /// Sum of payoffs and number of hands, by class, range and hand.
    cells: Vec<[f32; 2]>,
    /// By leaf, half of what both players won together by the cells in the last comparison, as bits.
    excess: Vec<AtomicU32>,
}

/// Two neighbouring steps, with the part of each.
fn steps(value: f32, steps: usize) -> [(usize, f32); 2] {
    let at = (value + 1.0) / 2.0 * (steps - 1) as f32;
    let low = (at as usize).min(steps - 2);
    let part = at - low as f32;
    [(low, 1.0 - part), (low + 1, part)]
}

fn cell(class: usize, range: usize, hand: usize) -> usize {
    (class * RANGE_STEPS + range) * HAND_STEPS + hand
}

impl EndgameValues {
    /// Where nothing is solved a hand is worth its chances of a point.
    pub fn new(stakes: &Stakes) -> EndgameValues {
        let payoff = |at: usize| {
            let strength = (at % HAND_STEPS) as f32 / (HAND_STEPS - 1) as f32 * 2.0 - 1.0;
            [strength * stakes.point(), 1.0]
        };
        EndgameValues {
            cells: (0..CLASSES * RANGE_STEPS * HAND_STEPS)
                .map(payoff)
                .collect(),
            excess: (0..LEAVES).map(|_| AtomicU32::new(0)).collect(),
        }
    }

    /// What hands win by the cells.
    fn payoffs(&self, strength: &Strength) -> Vec<f32> {
        let ranges = steps(strength.range, RANGE_STEPS);
        let payoff = |&hand: &f32| {
            let mut payoff = 0.0;
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

    /// What a player's hands win in a leaf, in chances to win the game more than a tie is worth, so that what both win
    /// sums to nothing: compared anew with the other's, or as in the last comparison.
    pub fn balanced(&self, leaf: usize, own: &Strength, other: Option<&Strength>) -> Vec<f32> {
        let mut payoffs = self.payoffs(own);
        if let Some(other) = other {
            let excess = (own.mean(&payoffs) + other.mean(&self.payoffs(other))) / 2.0;
            self.excess[leaf].store(excess.to_bits(), Ordering::Relaxed);
        }
        let excess = f32::from_bits(self.excess[leaf].load(Ordering::Relaxed));
        payoffs.iter_mut().for_each(|payoff| *payoff -= excess);
        payoffs
    }

    /// Learns what hands of this strength were found to win.
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
                    let [sum, hands] = &mut self.cells[cell(strength.class, range, hand)];
                    *sum += part * found;
                    *hands += part;
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

/// An endgame solved by so many iterations; none if nothing is to be solved.
pub(super) fn solved(endgame: &Endgame, iterations: u32) -> Option<Solver> {
    let mut solver = Solver::new(endgame, Variant::default())?;
    (0..iterations).for_each(|_| solver.step());
    Some(solver)
}
