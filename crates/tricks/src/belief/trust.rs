//! How far the types explain a player: by which power the likelihood of a hand counts.
//!
//! A likelihood of a model that is not true is too sure of itself. Raised to a power below one it says less
//! (*power likelihood*, Holmes and Walker 2017); which power foretells a player's hands best is learnt from
//! rounds that are over, when all hands are known.

use super::evidence::Evidence;
use super::opponent_types::TypeWeights;
use crate::{Hands, MAX_PLAYERS, PolicySet, Round, View};
use engine::numerics::{ln, pow};
use engine::rng::stream;

/// The powers that are tried.
const POWERS: [f64; 8] = [0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0];
/// The power that is believed in before anything is known, fitted to rounds between searches.
const FIRST: f64 = 0.3;
/// How far from it a power is as unlikely as one that foretells a hand by half a nat worse.
const SPREAD: f64 = 0.3;
/// The weight of what was learnt before a round, so that old rounds count less and less.
const MEMORY: f64 = 0.9;
/// Parts of a round after which hands are foretold.
const MOMENTS: [f64; 2] = [0.45, 0.65];
/// Worlds by which a hand's likelihood is compared.
const WORLDS: usize = 64;

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
    fn learn(&mut self, found: f64, others: &[f64]) {
        for (score, power) in self.scores.iter_mut().zip(POWERS) {
            let mean: f64 = others.iter().map(|&other| pow(other, power)).sum::<f64>();
            let mean = mean / others.len() as f64;
            if found > 0.0 && mean > 0.0 {
                *score += power * ln(found) - ln(mean);
            }
        }
    }

    fn forget(&mut self) {
        let prior = Trust::default();
        for (score, first) in self.scores.iter_mut().zip(prior.scores) {
            *score = first + MEMORY * (*score - first);
        }
    }
}

/// Learns how far each other player's hands could be foretold in a round that is over.
pub(crate) fn learn<P: PolicySet>(view: &View<P::Round>, beliefs: &mut [TypeWeights; MAX_PLAYERS]) {
    let history = view.history();
    let Some(first) = history.first() else { return };
    let others = (0..view.round().players()).filter(|&player| player != view.seat());
    let others: Vec<usize> = others.collect();
    for &player in &others {
        beliefs[player].trust.forget();
    }
    for (number, part) in MOMENTS.into_iter().enumerate() {
        let moment = (part * history.len() as f64) as usize;
        let mut then = View::new(&first.round, view.seat());
        for past in &history[..moment] {
            then.act(past.card);
        }
        let mut hands = Hands::default();
        for later in history[moment..].iter().rev() {
            if later.took {
                hands[later.seat].remove(later.card);
            } else {
                hands[later.seat].insert(later.card);
            }
        }
        let held = others
            .iter()
            .fold(crate::Cards::EMPTY, |all, &player| all | hands[player]);
        // A round that was cut short leaves hands unknown.
        let (true, Ok(deals)) = (held == then.seen().unseen(), then.seen().deals()) else {
            continue;
        };
        let evidence = Evidence::new(&then, beliefs);
        let total = |player: usize, hands: &Hands| {
            let likelihoods = evidence.likelihoods::<P>(player, hands[player]);
            evidence.total(player, &likelihoods)
        };
        let mut rng = stream(history.len() as u64, number as u64);
        let worlds: Vec<Hands> = (0..WORLDS)
            .map(|_| then.seen().hands(&deals.sample(&mut rng)))
            .collect();
        for &player in &others {
            let could: Vec<f64> = worlds.iter().map(|hands| total(player, hands)).collect();
            beliefs[player].trust.learn(total(player, &hands), &could);
        }
    }
}
