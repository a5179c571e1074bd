//! How far the types explain a player: by which power the likelihood of a hand counts.
//!
//! A likelihood of a model that is not true is too sure of itself. Raised to a power below one it says less
//! (*power likelihood*, Holmes and Walker 2017); which power foretells a player's hands best is learnt from
//! rounds that are over, when all hands are known.

use engine::numerics::{ln, pow};

/// The powers that are tried.
const POWERS: [f64; 8] = [0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0];
/// The power that is believed in before anything is known, fitted to rounds between searches.
const FIRST: f64 = 0.6;
/// How far from it a power is as unlikely as one that foretells a hand by half a nat worse.
const SPREAD: f64 = 0.3;
/// The weight of what was learnt before a round, so that old rounds count less and less.
const MEMORY: f64 = 0.9;

/// What is known of the powers: by how many nats each has foretold hands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trust {
    scores: [f64; POWERS.len()],
}

impl Default for Trust {
    fn default() -> Trust {
        Trust {
            scores: POWERS.map(|power| {
                let distance = (power - FIRST) / SPREAD;
                -0.5 * distance * distance
            }),
        }
    }
}

impl Trust {
    /// The mean power, by what is known.
    pub fn power(&self) -> f64 {
        let best = self
            .scores
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let (mut sum, mut all) = (0.0, 0.0);
        for (power, score) in POWERS.iter().zip(self.scores) {
            // Only powers near the best count, and `pow` is the exponential that is the same everywhere.
            let weight = pow(std::f64::consts::E, (score - best).max(-30.0));
            sum += weight * power;
            all += weight;
        }
        sum / all
    }

    /// Learns from a hand: its likelihood, and those of hands that it could have been.
    pub(super) fn learn(&mut self, found: f64, others: &[f64]) {
        for (score, power) in self.scores.iter_mut().zip(POWERS) {
            let mean: f64 = others.iter().map(|&other| pow(other, power)).sum::<f64>();
            let mean = mean / others.len() as f64;
            if found > 0.0 && mean > 0.0 {
                *score += power * ln(found) - ln(mean);
            }
        }
    }

    /// Lets what is known count less: players may change.
    pub(super) fn forget(&mut self) {
        let prior = Trust::default();
        for (score, first) in self.scores.iter_mut().zip(prior.scores) {
            *score = first + MEMORY * (*score - first);
        }
    }
}
