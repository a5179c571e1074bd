//! The types by which opponents are modelled, and how much is believed of each.

use super::trust::Trust;
use crate::{Card, Cards, Policy, PolicySet, random_card};
use engine::numerics;
use engine::rng::{Random, unit};
use std::fmt;

/// How often a player that follows a policy plays a random card instead.
const NOISES: [f64; 3] = [0.03, 0.3, 0.8];
/// Policies that model opponents.
const POLICIES: usize = 2;
/// The number of types: each policy with each noise, and random cards.
pub const TYPES: usize = POLICIES * NOISES.len() + 1;
/// The exponent of old weights when a round is learnt from, so that old rounds count less and less:
/// players may change.
const MEMORY: f64 = 0.9;
/// The least weight of a type after a round, so that it can come back.
const LEAST: f64 = 1e-3;

/// A number for each type.
pub type PerType = [f64; TYPES];

/// A way to play: a policy with noise, or random cards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpponentType<P> {
    policy: P,
    noise: f64,
}

impl<P> OpponentType<P> {
    /// A policy that plays a random card this often, between 0 and 1.
    pub fn new(policy: P, noise: f64) -> OpponentType<P> {
        OpponentType { policy, noise }
    }
}

impl<P: PolicySet> OpponentType<P> {
    /// The type with a number below [`TYPES`].
    pub fn number(number: usize) -> OpponentType<P> {
        let policy = P::OPPONENTS[(number / NOISES.len()).min(POLICIES - 1)];
        let noise = match number {
            _ if number + 1 == TYPES => 1.0,
            _ => NOISES[number % NOISES.len()],
        };
        OpponentType { policy, noise }
    }
}

impl<P: fmt::Debug> fmt::Display for OpponentType<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.noise >= 1.0 {
            return f.write_str("chance");
        }
        let policy = format!("{:?}", self.policy).to_lowercase();
        write!(f, "{policy} with {:.0} % anything", 100.0 * self.noise)
    }
}

impl<R, P: Policy<R>> Policy<R> for OpponentType<P> {
    #[inline]
    fn choose(&self, round: &R, legal: Cards, rng: &mut Random) -> Card {
        if self.noise > 0.0 && unit(rng) < self.noise {
            return random_card(legal, rng);
        }
        self.policy.choose(round, legal, rng)
    }
}

/// By type, the likelihood of a choice among `count` cards, given whether each policy makes it.
#[inline]
pub(super) fn likelihoods_of_choice(agrees: [bool; POLICIES], count: usize) -> PerType {
    let random = 1.0 / count as f64;
    std::array::from_fn(|number| {
        if number + 1 == TYPES {
            return random;
        }
        let noise = NOISES[number % NOISES.len()];
        let policy = f64::from(u8::from(agrees[number / NOISES.len()]));
        noise * random + (1.0 - noise) * policy
    })
}

/// What is believed of a player: a weight for each type, which sum to one, and how far all of them are trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypeWeights {
    weights: PerType,
    pub(super) trust: Trust,
}

impl Default for TypeWeights {
    /// All are equally likely.
    fn default() -> TypeWeights {
        TypeWeights {
            weights: [1.0 / TYPES as f64; TYPES],
            trust: Trust::default(),
        }
    }
}

impl TypeWeights {
    /// The weights.
    pub fn get(&self) -> &PerType {
        &self.weights
    }

    /// The power with which the likelihood of a hand counts, from 0, nothing can be inferred, to 1.
    pub fn trust(&self) -> f64 {
        self.trust.power()
    }

    /// Updates the weights by the likelihoods of what the player did in a round.
    pub fn learn(&mut self, likelihoods: &PerType) {
        let mut weights: PerType = std::array::from_fn(|number| {
            numerics::pow(self.weights[number], MEMORY) * likelihoods[number]
        });
        let sum: f64 = weights.iter().sum();
        if !(sum.is_finite() && sum > 0.0) {
            return;
        }
        for weight in &mut weights {
            *weight = (*weight / sum).max(LEAST);
        }
        let sum: f64 = weights.iter().sum();
        self.weights = weights.map(|weight| weight / sum);
    }

    /// Draws a type for a player, given the likelihoods of what it did.
    #[inline]
    pub fn draw<P: PolicySet>(&self, likelihoods: &PerType, rng: &mut Random) -> OpponentType<P> {
        let joint: PerType = std::array::from_fn(|n| self.weights[n] * likelihoods[n]);
        let sum: f64 = joint.iter().sum();
        let mut at = unit(rng) * sum;
        for (number, weight) in joint.iter().enumerate() {
            at -= weight;
            if at < 0.0 {
                return OpponentType::number(number);
            }
        }
        OpponentType::number(TYPES - 1)
    }
}
