//! Ways in which a player may be thought to play, and how much is believed of each.

use super::super::{Card, Cards, Policy};
use engine::rng::{Random, below, unit};
use std::fmt;

/// How often a player who follows a policy plays anything instead.
const NOISES: [f64; 2] = [0.03, 0.3];
/// Policies a repertoire has.
const POLICIES: usize = 2;
/// The number of hypotheses: each policy with each noise, and any card.
pub const KINDS: usize = POLICIES * NOISES.len() + 1;
/// The part of what was learnt that a round leaves in place: players may change.
const MEMORY: f64 = 0.9;
/// The least weight of a hypothesis after a round, so that it can come back.
const LEAST: f64 = 1e-3;

/// A number for each hypothesis.
pub type Kinds = [f64; KINDS];

/// The policies that others are thought to follow. They decide without chance.
pub trait Repertoire: Copy + 'static {
    /// The policies.
    const POLICIES: [Self; 2];
}

/// A way to play: a policy with noise, or any card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypothesis<P> {
    policy: P,
    noise: f64,
}

impl<P: Repertoire> Hypothesis<P> {
    /// The hypothesis with a number below [`KINDS`].
    pub fn number(kind: usize) -> Hypothesis<P> {
        let policy = P::POLICIES[(kind / NOISES.len()).min(POLICIES - 1)];
        let noise = match kind {
            _ if kind + 1 == KINDS => 1.0,
            _ => NOISES[kind % NOISES.len()],
        };
        Hypothesis { policy, noise }
    }
}

impl<P> Hypothesis<P> {
    /// A policy that plays any card this often, between 0 and 1.
    pub fn new(policy: P, noise: f64) -> Hypothesis<P> {
        Hypothesis { policy, noise }
    }
}

impl<P: fmt::Debug> fmt::Display for Hypothesis<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.noise >= 1.0 {
            return f.write_str("chance");
        }
        let policy = format!("{:?}", self.policy).to_lowercase();
        write!(f, "{policy} with {:.0} % anything", 100.0 * self.noise)
    }
}

impl<R, P: Policy<R>> Policy<R> for Hypothesis<P> {
    #[inline]
    fn choose(&self, round: &R, legal: Cards, random: &mut Random) -> Card {
        if self.noise > 0.0 && unit(random) < self.noise {
            let place = below(random, legal.len());
            return legal
                .into_iter()
                .nth(place)
                .unwrap_or_else(|| unreachable!());
        }
        self.policy.choose(round, legal, random)
    }
}

/// How likely each hypothesis makes a choice among `count` cards, given whether each policy would
/// have made it.
#[inline]
pub(super) fn shares(chosen: [bool; POLICIES], count: usize) -> Kinds {
    let any = 1.0 / count as f64;
    std::array::from_fn(|kind| {
        if kind + 1 == KINDS {
            return any;
        }
        let noise = NOISES[kind % NOISES.len()];
        let sure = if chosen[kind / NOISES.len()] {
            1.0
        } else {
            0.0
        };
        noise * any + (1.0 - noise) * sure
    })
}

/// What is believed of a player: a weight for each hypothesis; they sum to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    weights: Kinds,
}

impl Default for Hypotheses {
    /// All are equally likely.
    fn default() -> Hypotheses {
        Hypotheses {
            weights: [1.0 / KINDS as f64; KINDS],
        }
    }
}

impl Hypotheses {
    /// The weights.
    pub fn weights(&self) -> &Kinds {
        &self.weights
    }

    /// Takes in how likely each made what the player did in a round.
    pub fn learn(&mut self, likelihoods: &Kinds) {
        let mut weights: Kinds =
            std::array::from_fn(|kind| self.weights[kind].powf(MEMORY) * likelihoods[kind]);
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

    /// Draws a hypothesis for a player whose play the hypotheses make this likely.
    #[inline]
    pub fn draw<P: Repertoire>(&self, likelihoods: &Kinds, random: &mut Random) -> Hypothesis<P> {
        let joint: Kinds = std::array::from_fn(|kind| self.weights[kind] * likelihoods[kind]);
        let sum: f64 = joint.iter().sum();
        let mut at = unit(random) * sum;
        for (kind, weight) in joint.iter().enumerate() {
            at -= weight;
            if at < 0.0 {
                return Hypothesis::number(kind);
            }
        }
        Hypothesis::number(KINDS - 1)
    }
}
