//! The types by which opponents are modelled, and how much is believed of each.

use super::trust::Trust;
use crate::network::Network;
use crate::{Card, Cards, Policy, PolicySet, random_card};
use engine::numerics;
use engine::rng::{Random, unit};
use std::fmt;

/// How often a player that follows a model plays a random card instead.
const NOISES: [f64; 3] = [0.03, 0.3, 0.8];
/// Models of a player: the network, which is the last, and policies.
const MODELS: usize = 3;
/// The number of types: each model with each noise, and random cards.
pub const TYPES: usize = MODELS * NOISES.len() + 1;
/// How likely each type is before anything is known of a player. Who plays is most likely somebody who thinks.
const PRIOR: PerType = [0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.4, 0.2, 0.05, 0.05];
/// The exponent of old weights when a round is learnt from, so that old rounds count less and less:
/// players may change.
const MEMORY: f64 = 0.9;
/// The least weight of a type after a round, so that it can come back.
const LEAST: f64 = 1e-3;

/// A number for each type.
pub type PerType = [f64; TYPES];

/// What a player follows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Model<P> {
    Policy(P),
    Network(&'static Network),
}

/// A way to play: a model with noise, or random cards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpponentType<P> {
    model: Model<P>,
    noise: f64,
}

impl<P> OpponentType<P> {
    /// A policy that plays a random card this often, between 0 and 1.
    pub fn new(policy: P, noise: f64) -> OpponentType<P> {
        let model = Model::Policy(policy);
        OpponentType { model, noise }
    }

    /// A player who thinks, as the network says, and plays a random card this often.
    pub fn thinking(network: &'static Network, noise: f64) -> OpponentType<P> {
        let model = Model::Network(network);
        OpponentType { model, noise }
    }
}

impl<P: PolicySet> OpponentType<P> {
    /// Whether it is a player who thinks.
    pub fn thinks(&self) -> bool {
        matches!(self.model, Model::Network(_))
    }

    /// What a card that it plays costs in nodes, if a policy's cards make one.
    pub(crate) fn cost(&self) -> f64 {
        match self.model {
            Model::Policy(_) => 1.0,
            Model::Network(_) => self.noise + (1.0 - self.noise) * P::COSTS.thinking,
        }
    }

    /// The type with a number below [`TYPES`], of players who think as the network says.
    pub fn number(number: usize, network: &'static Network) -> OpponentType<P> {
        let model = match number / NOISES.len() {
            model @ (0 | 1) => Model::Policy(P::OPPONENTS[model]),
            _ => Model::Network(network),
        };
        let noise = match number {
            _ if number + 1 == TYPES => 1.0,
            _ => NOISES[number % NOISES.len()],
        };
        OpponentType { model, noise }
    }
}

impl<P: fmt::Debug> fmt::Display for OpponentType<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = match &self.model {
            _ if self.noise >= 1.0 => return f.write_str("chance"),
            Model::Policy(policy) => format!("{policy:?}").to_lowercase(),
            Model::Network(_) => "a player who thinks".to_owned(),
        };
        write!(f, "{model} with {:.0} % anything", 100.0 * self.noise)
    }
}

impl<P: PolicySet> Policy<P::Round> for OpponentType<P> {
    #[inline]
    fn choose(&self, round: &P::Round, legal: Cards, rng: &mut Random) -> Card {
        if self.noise > 0.0 && unit(rng) < self.noise {
            return random_card(legal, rng);
        }
        match self.model {
            Model::Policy(policy) => policy.choose(round, legal, rng),
            Model::Network(network) => network.choose::<P>(round, legal, rng),
        }
    }
}

/// By type, the likelihood of a choice among `count` cards, given how likely each model makes it.
#[inline]
pub(super) fn likelihoods_of_choice(models: [f64; MODELS], count: usize) -> PerType {
    let random = 1.0 / count as f64;
    std::array::from_fn(|number| {
        if number + 1 == TYPES {
            return random;
        }
        let noise = NOISES[number % NOISES.len()];
        noise * random + (1.0 - noise) * models[number / NOISES.len()]
    })
}

/// What is believed of a player: a weight for each type, which sum to one, and how far all of them are trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypeWeights {
    weights: PerType,
    pub(super) trust: Trust,
}

impl Default for TypeWeights {
    fn default() -> TypeWeights {
        TypeWeights {
            weights: PRIOR,
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

    /// The number of the type that a player follows most likely, given the likelihoods of what it did: the likeliest model, and of
    /// its noises the likeliest. A draw by weight would play too many worlds out with types that hardly anybody plays by.
    #[inline]
    pub fn likely(&self, likelihoods: &PerType) -> usize {
        let joint: PerType = std::array::from_fn(|n| self.weights[n] * likelihoods[n]);
        let first_of = |best: (usize, f64), next: (usize, f64)| match next.1 > best.1 {
            true => next,
            false => best,
        };
        let models = joint.chunks(NOISES.len()).map(|model| model.iter().sum());
        let (model, _) = models.enumerate().fold((0, -1.0), first_of);
        let noises = joint.iter().copied().enumerate();
        let noises = noises.skip(model * NOISES.len()).take(NOISES.len());
        noises.fold((0, -1.0), first_of).0
    }
}
