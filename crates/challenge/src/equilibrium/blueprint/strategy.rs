//! Strategies as they are stored: probabilities in sixteenths.

use super::abstraction::{SIZE, information_set, information_sets};
use super::stored::Bytes;
use crate::rules::{Cards, Decision, PublicState};
use arrayvec::ArrayVec;
use engine::store::Kind;

/// The probability of every action in every information set, as weights from 0 to 15, two to a byte.
/// Weights are relative to the largest of an information set; where all are 0 nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy(Vec<u8>);

/// Less likely decisions than this are not played.
const LEAST: f32 = 0.1;

/// Decisions with their probabilities, which sum to 1.
pub type Distribution = ArrayVec<(Decision, f32), 6>;

impl Strategy {
    /// Rounds the average strategy of a trainer, given by its cumulative strategy. A weight is relative
    /// to others only within its information set, so they are scaled there by the largest.
    pub fn from_cumulative(cumulative: impl Fn(usize) -> f32) -> Strategy {
        let mut packed = vec![0; Strategy::LEN];
        for (offset, len) in information_sets() {
            let most = (offset..offset + len).map(&cumulative).fold(0.0, f32::max);
            for place in (offset..offset + len).filter(|_| most > 0.0) {
                let weight = (15.0 * cumulative(place) / most).round() as u8;
                packed[place / 2] |= weight << (4 * (place % 2));
            }
        }
        Strategy(packed)
    }

    fn weight(&self, place: usize) -> u8 {
        let byte = self.0.get(place / 2).copied().unwrap_or(0);
        byte >> (4 * (place % 2)) & 15
    }

    /// How the player to act decides who holds these cards, in the order of the abstraction; the same
    /// card may appear twice. All decisions are equally likely where nothing is known.
    pub fn distribution(&self, public: &PublicState, own: Cards) -> Distribution {
        let set = information_set(public, own);
        let weight = |slot: usize| f32::from(self.weight(set.offset + slot));
        let sum: f32 = set.decisions.iter().map(|&(slot, _)| weight(slot)).sum();
        let even = 1.0 / set.decisions.len() as f32;
        let probability = |slot| if sum > 0.0 { weight(slot) / sum } else { even };
        let decisions = set.decisions.iter();
        decisions
            .map(|&(slot, decision)| (decision, probability(slot)))
            .collect()
    }

    /// What is really played: probabilities below a tenth are remains of the first, untrained
    /// iterations, and are left out.
    pub fn played(&self, public: &PublicState, own: Cards) -> Distribution {
        let mut chosen = self.distribution(public, own);
        let kept = |probability: f32| match probability < LEAST {
            true => 0.0,
            false => probability,
        };
        let sum: f32 = chosen.iter().map(|&(_, p)| kept(p)).sum();
        for (_, probability) in &mut chosen {
            *probability = kept(*probability) / sum;
        }
        chosen
    }

    /// The probability of one decision.
    pub fn probability(&self, public: &PublicState, own: Cards, decision: Decision) -> f32 {
        probability_of(&self.distribution(public, own), decision)
    }
}

impl Bytes for Strategy {
    const KIND: Kind = Kind::new("hand", 1);
    const LEN: usize = SIZE.div_ceil(2);

    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn from_bytes(bytes: Vec<u8>) -> Strategy {
        Strategy(bytes)
    }
}

/// The probability of one decision in a distribution that may name it more than once.
pub fn probability_of(distribution: &[(Decision, f32)], decision: Decision) -> f32 {
    let same = distribution.iter().filter(|(other, _)| *other == decision);
    same.map(|&(_, probability)| probability).sum()
}

/// The decision that a uniform number from 0 to 1 falls on. Only of an empty list there is none.
pub fn sample(distribution: &[(Decision, f32)], mut uniform: f32) -> Option<Decision> {
    for &(decision, probability) in distribution {
        uniform -= probability;
        if uniform < 0.0 {
            return Some(decision);
        }
    }
    // Rounding can leave a rest: the last decision that is possible at all.
    let possible = distribution.iter().rev().find(|&&(_, p)| p > 0.0);
    possible.map(|&(decision, _)| decision)
}
