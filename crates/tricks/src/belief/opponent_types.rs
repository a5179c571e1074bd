//! The types that model opponents, and how likely each is for a player. A type is a model of how a player chooses,
//! with a probability of random cards.

use super::habit::Habit;
use crate::network::{Network, Tabulated};
use crate::policy::{MOST_MODELS, Thinkers};
use crate::{Card, Cards, Policy, PolicySet, Round as _, random_card};
use engine::numerics;
use engine::rng::{Random, below, unit};
use std::fmt;

/// The probabilities with which a player that follows a model plays a random card instead.
const NOISES: [f64; 3] = [0.03, 0.3, 0.8];
/// Models of a player: up to [`MOST_MODELS`] policies, the player's own habits, and the network.
pub(super) const MODELS: usize = MOST_MODELS + 2;
/// The number of the model "own habits".
pub(super) const HABIT: usize = MOST_MODELS;
/// The number of the model "network".
pub(super) const NETWORK: usize = MOST_MODELS + 1;
/// The number of types: five models with three noises each, and random cards alone. Type t has the model t / 3
/// and the noise t % 3; the last type is chance.
pub const TYPES: usize = MODELS * NOISES.len() + 1;
/// The probability of all policies together before anything is known of a player, shared evenly by their types.
const POLICIES: f64 = 0.3;
/// The probabilities of the other types then: habits with each noise, the network with each noise, random
/// cards. With [`POLICIES`] they sum to 1. An unknown player probably thinks, so the network has the largest
/// part.
const OTHERS: [f64; 2 * NOISES.len() + 1] = [0.15, 0.1, 0.03, 0.25, 0.1, 0.03, 0.04];
/// After a round, the old weights are raised to this exponent before the round counts. Below 1 it makes them more
/// equal, so that old rounds count less and less: players may change.
const MEMORY: f64 = 0.9;
/// The lower bound of a type's weight after a round, so that it can come back when the player changes.
const LEAST: f64 = 1e-3;

/// A number for each type.
pub type PerType = [f64; TYPES];

/// The model that a player follows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Model<'a, P> {
    Policy(P),
    /// The player's own learnt habits.
    Habit(&'a Tabulated),
    /// The network's distilled scorer.
    Network(&'a Tabulated),
}

/// The kind of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plays {
    Policy,
    /// The player's own learnt habits.
    Habit,
    /// Like a player who thinks; [`Thinkers`] says how such a player is played out.
    Thinking,
    /// Random cards: its model never plays.
    Chance,
}

/// A way to play: a random card with probability `noise`, else the model's card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpponentType<'a, P> {
    model: Model<'a, P>,
    noise: f64,
}

impl<'a, P> OpponentType<'a, P> {
    /// A policy that plays a random card with probability `noise`.
    pub fn new(policy: P, noise: f64) -> OpponentType<'a, P> {
        let model = Model::Policy(policy);
        OpponentType { model, noise }
    }

    /// A player who thinks: the network's distilled scorer, with a random card with probability `noise`.
    pub fn thinking(network: &'a Network, noise: f64) -> OpponentType<'a, P> {
        let model = Model::Network(network.tabulated());
        OpponentType { model, noise }
    }
}

impl<'a, P: PolicySet> OpponentType<'a, P> {
    /// The kind of model it follows.
    pub(crate) fn plays(&self) -> Plays {
        match self.model {
            _ if self.noise >= 1.0 => Plays::Chance,
            Model::Policy(_) => Plays::Policy,
            Model::Habit(_) => Plays::Habit,
            Model::Network(_) => Plays::Thinking,
        }
    }

    /// The same without extra random cards. A linear scorer needs none, since it gives every card some chance.
    pub(crate) fn without_noise(self) -> OpponentType<'a, P> {
        OpponentType { noise: 0.0, ..self }
    }

    /// The mean cost of a card that it plays, in cards of the playout's policy. A random card counts as one.
    pub(crate) fn cost(&self) -> f64 {
        match self.model {
            Model::Policy(_) => 1.0,
            Model::Habit(_) | Model::Network(_) => {
                // A random card costs as much as a policy's.
                self.noise + (1.0 - self.noise) * P::COSTS.thinking
            }
        }
    }

    /// The type with a number below [`TYPES`], for a player with this habit. If a game has fewer than `MOST_MODELS`
    /// policies, the numbers left over stand for its last policy, and have no weight.
    pub fn number(number: usize, habit: &'a Habit, network: &'a Network) -> OpponentType<'a, P> {
        // The last number, chance, gets the network as its model here. Its noise of 1 never lets the model play.
        let model = match number / NOISES.len() {
            model @ ..MOST_MODELS => Model::Policy(P::OPPONENTS[model.min(P::OPPONENTS.len() - 1)]),
            HABIT => Model::Habit(habit.tabulated()),
            _ => Model::Network(network.tabulated()),
        };
        let noise = match number {
            _ if number + 1 == TYPES => 1.0,
            _ => NOISES[number % NOISES.len()],
        };
        OpponentType { model, noise }
    }
}

impl<P: fmt::Debug> fmt::Display for OpponentType<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = match &self.model {
            // A noise of 1 never lets the model play, so it is not named.
            _ if self.noise >= 1.0 => return f.write_str("chance"),
            Model::Policy(policy) => format!("{policy:?}").to_lowercase(),
            Model::Habit(_) => "it did in earlier rounds".to_owned(),
            Model::Network(_) => "a player who thinks".to_owned(),
        };
        write!(f, "{model} with {:.0} % anything", 100.0 * self.noise)
    }
}

impl<P: PolicySet> Policy<P::Round> for OpponentType<'_, P> {
    #[inline]
    fn choose(&self, round: &P::Round, legal: Cards, rng: &mut Random) -> Card {
        // Without noise no random number is used up.
        if self.noise > 0.0 && unit(rng) < self.noise {
            return random_card(legal, rng);
        }
        match self.model {
            Model::Policy(policy) => policy.choose(round, legal, rng),
            // Habits and the network have only learnt cards that were played.
            _ if round.passing() => P::PLAYOUT.choose(round, legal, rng),
            Model::Habit(scorer) | Model::Network(scorer) => scorer.choose::<P>(round, legal, rng),
        }
    }
}

/// By type, the likelihood of a choice among `count` cards. `models` is the probability of the chosen card by model.
#[inline]
pub(super) fn likelihoods_of_choice(models: [f64; MODELS], count: usize) -> PerType {
    let random = 1.0 / count as f64;
    // A random card may be the same one, so a type that would have chosen it has more than 1 - noise.
    std::array::from_fn(|number| {
        // The last type is chance.
        if number + 1 == TYPES {
            return random;
        }
        let noise = NOISES[number % NOISES.len()];
        noise * random + (1.0 - noise) * models[number / NOISES.len()]
    })
}

/// The probability of each type of a player after some choices: the sums up to each type, in parts of [`WHOLE`]. Each is
/// a byte, since a program of 4 MB keeps thousands of them. So a type that is less likely than 1 in 510 may be left out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shares([u8; TYPES]);

/// The sum of all shares.
const WHOLE: u8 = u8::MAX;

impl Shares {
    /// The number of the type that plays a world out. If types play as themselves, it is drawn by its probability, so
    /// that over many worlds the player does everything that it may do.
    #[inline]
    pub fn number<P: PolicySet>(&self, rng: &mut Random) -> usize {
        let at = match P::THINKERS {
            Thinkers::Network => below(rng, usize::from(WHOLE)) as u8,
            // A single type has the whole probability.
            Thinkers::Policy { .. } => 0,
        };
        let number = self.0.iter().position(|&sum| sum > at);
        // With `Thinkers::Network` all likelihoods may have underflowed. Then no sum is above `at`, the choices say
        // nothing, and the type is chance, the last one.
        number.unwrap_or(TYPES - 1)
    }
}

/// The probability of each type of a player. They sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypeWeights {
    weights: PerType,
}

impl TypeWeights {
    /// The probabilities before anything is known of a player.
    pub fn first<P: PolicySet>() -> TypeWeights {
        // The numbers of types leave room for this many policies and no more.
        const { assert!(!P::OPPONENTS.is_empty() && P::OPPONENTS.len() <= MOST_MODELS) };
        let policies = P::OPPONENTS.len() * NOISES.len();
        let mut weights = [0.0; TYPES];
        // Types of policies that the game does not have stay at 0, and `learn` keeps them there.
        weights[..policies].fill(POLICIES / policies as f64);
        weights[HABIT * NOISES.len()..].copy_from_slice(&OTHERS);
        TypeWeights { weights }
    }

    pub fn get(&self) -> &PerType {
        &self.weights
    }

    /// Updates the weights by the likelihoods of a round's choices: w' ∝ w^0.9 × likelihood. No type that has a weight
    /// falls below about 0.001.
    ///
    /// For example, of two types with 0.9 and 0.1 the first falls to 0.88 after a round that says nothing
    /// (0.9^0.9 : 0.1^0.9 = 0.910 : 0.126).
    pub fn learn(&mut self, likelihoods: &PerType) {
        // `pow` takes positive numbers only, and a type without weight must not gain any.
        let mut weights: PerType = std::array::from_fn(|number| match self.weights[number] {
            0.0 => 0.0,
            weight => numerics::pow(weight, MEMORY) * likelihoods[number],
        });
        let sum: f64 = weights.iter().sum();
        // Likelihoods that underflow together say nothing about the types.
        if !(sum.is_finite() && sum > 0.0) {
            return;
        }
        // The lower bound is for types that had a weight: a policy that the game does not have stays out.
        let had = weights.iter_mut().zip(self.weights);
        for (weight, _) in had.filter(|(_, before)| *before > 0.0) {
            *weight = (*weight / sum).max(LEAST);
        }
        // The lower bound may have added weight, so the sum is brought back to 1.
        let sum: f64 = weights.iter().sum();
        self.weights = weights.map(|weight| weight / sum);
    }

    /// The types that play worlds out for a player, given the likelihoods of its choices. If the policy plays for most
    /// types, it is the likeliest one alone.
    pub(super) fn shares<P: PolicySet>(&self, likelihoods: &PerType) -> Shares {
        let joint: PerType = match P::THINKERS {
            Thinkers::Network => std::array::from_fn(|n| self.weights[n] * likelihoods[n]),
            Thinkers::Policy { .. } => {
                let likely = self.likely(likelihoods);
                std::array::from_fn(|n| f64::from(u8::from(n == likely)))
            }
        };
        let whole: f64 = joint.iter().sum();
        let mut sum = 0.0;
        Shares(joint.map(|weight| {
            sum += weight;
            (sum / whole * f64::from(WHOLE)).round() as u8
        }))
    }

    /// The number of the likeliest type after the choices with these likelihoods: the model with the largest
    /// sum over its noises, then the likeliest of its noises. Noises of one model support each other, so that a
    /// model is not passed over only because its weight is spread.
    #[inline]
    pub fn likely(&self, likelihoods: &PerType) -> usize {
        let joint: PerType = std::array::from_fn(|n| self.weights[n] * likelihoods[n]);
        let first_of = |best: (usize, f64), next: (usize, f64)| match next.1 > best.1 {
            true => next,
            false => best,
        };
        // The last type, chance, makes a chunk by itself.
        let models = joint.chunks(NOISES.len()).map(|model| model.iter().sum());
        let (model, _) = models.enumerate().fold((0, -1.0), first_of);
        let noises = joint.iter().copied().enumerate();
        let noises = noises.skip(model * NOISES.len()).take(NOISES.len());
        noises.fold((0, -1.0), first_of).0
    }
}
