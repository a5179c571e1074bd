//! Trust in the types: the power to which the likelihood of a hand is raised.
//!
//! If a model is not quite true, its likelihoods differ too much between hands. Raised to a power below 1 they differ
//! less (*power likelihood*, Holmes and Walker 2017). The power is learnt from rounds that are over. With L(h)
//! for the likelihood of a player's actions if it held the hand h, each power p gains for the true hand
//!
//! p ln L(true) - ln mean of L(h)^p over equally likely hands h,
//!
//! the logarithm of how much likelier the true hand became by inference with p.
//!
//! *Example.* The true hand has the likelihood 0.04, and two equally likely hands have 0.04 and 0.01. The power
//! 1 gains ln(0.04 / 0.025) = 0.47 nats, the power 0.5 gains ln(0.2 / 0.15) = 0.29. If the true hand was the
//! one with 0.01, they lose 0.92 and 0.41. The power 0 never gains or loses.

use engine::numerics::{ln, pow};

/// The powers among which trust is learnt.
const POWERS: [f64; 8] = [0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0];
/// The power that is likeliest before anything is known, fitted to rounds between searches. The mean over the prior,
/// which a player starts with, is 0.52: more of the powers lie below 0.6 than above.
const FIRST: f64 = 0.6;
/// The prior's width: a power this far from [`FIRST`] starts half a nat behind.
const SPREAD: f64 = 0.3;
/// The part of what was learnt before a round that still counts after it, so that old rounds fade.
const MEMORY: f64 = 0.9;

/// By power, the prior's logarithm plus the nats that it has gained on hands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trust {
    scores: [f64; POWERS.len()],
}

impl Default for Trust {
    fn default() -> Trust {
        Trust {
            // A normal prior: -½ ((p - FIRST) / SPREAD)².
            scores: POWERS.map(|power| {
                let distance = (power - FIRST) / SPREAD;
                -0.5 * distance * distance
            }),
        }
    }
}

impl Trust {
    /// The mean power, each weighted by e^score.
    pub fn power(&self) -> f64 {
        let best = self
            .scores
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let (mut sum, mut all) = (0.0, 0.0);
        for (power, score) in POWERS.iter().zip(self.scores) {
            // The best score is subtracted before the exponential, and whatever is 30 nats behind counts as
            // e⁻³⁰, so nothing underflows. `pow` serves as the exponential with the same bits on every machine.
            let weight = pow(std::f64::consts::E, (score - best).max(-30.0));
            sum += weight * power;
            all += weight;
        }
        sum / all
    }

    /// Learns from a hand: its likelihood, and those of equally likely hands that the player could have held.
    pub(super) fn learn(&mut self, found: f64, others: &[f64]) {
        for (score, power) in self.scores.iter_mut().zip(POWERS) {
            let mean: f64 = others.iter().map(|&other| pow(other, power)).sum::<f64>();
            let mean = mean / others.len() as f64;
            // If no hand explains the play, no power predicts better than another.
            if found > 0.0 && mean > 0.0 {
                *score += power * ln(found) - ln(mean);
            }
        }
    }

    /// Moves the scores a tenth of the way back to the prior: players may change.
    pub(super) fn forget(&mut self) {
        let prior = Trust::default();
        for (score, first) in self.scores.iter_mut().zip(prior.scores) {
            *score = first + MEMORY * (*score - first);
        }
    }
}
