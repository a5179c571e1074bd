//! The types by which opponents are modelled, and how much is believed of each.

use super::habit::Habit;
use crate::network::{Network, Tabulated};
use crate::policy::{MOST_MODELS, Thinkers};
use crate::{Card, Cards, Policy, PolicySet, random_card};
use engine::numerics;
use engine::rng::{Random, unit};
use std::fmt;

/// How often a player that follows a model plays a random card instead.
const NOISES: [f64; 3] = [0.03, 0.3, 0.8];
/// Models of a player: policies, of which a game may have fewer, what is learnt of the player's own habits, and the network.
pub(super) const MODELS: usize = MOST_MODELS + 2;
/// The number of the player's habits among them.
pub(super) const HABIT: usize = MOST_MODELS;
/// The number of the network.
pub(super) const NETWORK: usize = MOST_MODELS + 1;
/// The number of types: each model with each noise, and random cards.
pub const TYPES: usize = MODELS * NOISES.len() + 1;
/// How likely it is before anything is known of a player that it follows the policies, all of them together.
const POLICIES: f64 = 0.3;
/// How likely each type of habits and of the network is then, and random cards. Who plays is most likely somebody who thinks.
const OTHERS: [f64; 2 * NOISES.len() + 1] = [0.15, 0.1, 0.03, 0.25, 0.1, 0.03, 0.04];
/// The exponent of old weights when a round is learnt from, so that old rounds count less and less:
/// players may change.
const MEMORY: f64 = 0.9;
/// The least weight of a type after a round, so that it can come back.
const LEAST: f64 = 1e-3;

/// A number for each type.
pub type PerType = [f64; TYPES];

/// What a player follows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Model<'a, P> {
    Policy(P),
    /// Habits of its own.
    Habit(&'a Tabulated),
    /// The likeness of the network.
    Network(&'a Tabulated),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plays {
    Policy,
    /// Habits of its own.
    Habit,
    /// Whatever somebody does who thinks.
    Thinking,
}

/// A way to play: a model with noise, or random cards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpponentType<'a, P> {
    model: Model<'a, P>,
    noise: f64,
}

impl<'a, P> OpponentType<'a, P> {
    /// A policy that plays a random card this often, between 0 and 1.
    pub fn new(policy: P, noise: f64) -> OpponentType<'a, P> {
        let model = Model::Policy(policy);
        OpponentType { model, noise }
    }

    /// A player who thinks, as the network's likeness says, and plays a random card this often.
    pub fn thinking(network: &'a Network, noise: f64) -> OpponentType<'a, P> {
        let model = Model::Network(network.tabulated());
        OpponentType { model, noise }
    }
}

impl<'a, P: PolicySet> OpponentType<'a, P> {
    /// By what kind of model it plays.
    pub(crate) fn plays(&self) -> Plays {
        match self.model {
            Model::Policy(_) => Plays::Policy,
            Model::Habit(_) => Plays::Habit,
            Model::Network(_) => Plays::Thinking,
        }
    }

    /// The same without random cards: scores are chances, which hold what a player may do.
    pub(crate) fn without_noise(self) -> OpponentType<'a, P> {
        OpponentType { noise: 0.0, ..self }
    }

    /// What a card that it plays costs in nodes, if a policy's cards make one.
    pub(crate) fn cost(&self) -> f64 {
        match self.model {
            Model::Policy(_) => 1.0,
            Model::Habit(_) | Model::Network(_) => {
                self.noise + (1.0 - self.noise) * P::COSTS.thinking
            }
        }
    }

    /// The type with a number below [`TYPES`], of a player with these habits, and of players who think as the network says. Numbers
    /// of policies that the game does not have stand for its last one, and no weight lies on them.
    pub fn number(number: usize, habit: &'a Habit, network: &'a Network) -> OpponentType<'a, P> {
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
        if self.noise > 0.0 && unit(rng) < self.noise {
            return random_card(legal, rng);
        }
        match self.model {
            Model::Policy(policy) => policy.choose(round, legal, rng),
            Model::Habit(scorer) | Model::Network(scorer) => scorer.choose::<P>(round, legal, rng),
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

/// How likely each type of a player is: weights that sum to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypeWeights {
    weights: PerType,
}

impl TypeWeights {
    /// How likely they are before anything is known of a player.
    pub fn first<P: PolicySet>() -> TypeWeights {
        const { assert!(!P::OPPONENTS.is_empty() && P::OPPONENTS.len() <= MOST_MODELS) };
        let policies = P::OPPONENTS.len() * NOISES.len();
        let mut weights = [0.0; TYPES];
        weights[..policies].fill(POLICIES / policies as f64);
        weights[HABIT * NOISES.len()..].copy_from_slice(&OTHERS);
        TypeWeights { weights }
    }

    pub fn get(&self) -> &PerType {
        &self.weights
    }

    /// Updates the weights by the likelihoods of what the player did in a round.
    pub fn learn(&mut self, likelihoods: &PerType) {
        let mut weights: PerType = std::array::from_fn(|number| match self.weights[number] {
            0.0 => 0.0,
            weight => numerics::pow(weight, MEMORY) * likelihoods[number],
        });
        let sum: f64 = weights.iter().sum();
        if !(sum.is_finite() && sum > 0.0) {
            return;
        }
        // A policy that the game does not have stays out.
        let had = weights.iter_mut().zip(self.weights);
        for (weight, _) in had.filter(|(_, before)| *before > 0.0) {
            *weight = (*weight / sum).max(LEAST);
        }
        let sum: f64 = weights.iter().sum();
        self.weights = weights.map(|weight| weight / sum);
    }

    /// The number of the type that plays a world out for a player, given the likelihoods of what it did. Where types play as
    /// themselves, each as often as it is likely, since many worlds show all that a player may do; where the policy plays for most of
    /// them, the likeliest.
    pub(super) fn number<P: PolicySet>(&self, likelihoods: &PerType, rng: &mut Random) -> usize {
        match P::THINKERS {
            Thinkers::Network => self.draw(likelihoods, rng),
            Thinkers::Policy { .. } => self.likely(likelihoods),
        }
    }

    /// The number of a type that a player may follow, given the likelihoods of what it did: each as often as it is likely.
    #[inline]
    pub fn draw(&self, likelihoods: &PerType, rng: &mut Random) -> usize {
        let joint: PerType = std::array::from_fn(|n| self.weights[n] * likelihoods[n]);
        let mut at = unit(rng) * joint.iter().sum::<f64>();
        let mut last = 0;
        for (number, weight) in joint.into_iter().enumerate() {
            if weight > 0.0 {
                last = number;
                at -= weight;
                if at < 0.0 {
                    break;
                }
            }
        }
        last
    }

    /// The number of the type that a player follows most likely, given the likelihoods of what it did: the likeliest model, and of
    /// its noises the likeliest.
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
