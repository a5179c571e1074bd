//! A strategy in sixteenths.

use super::super::Public;
use super::abstraction::{SIZE, spot};
use crate::rules::{Cards, Decision};
use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

/// What is done in every situation, as weights from 0 to 15, two to a
/// byte. Weights are relative to the largest of a situation; where all are 0 nothing is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strategy(Vec<u8>);

/// Shares below this are not played.
const LEAST: f32 = 0.1;

/// Decisions with their shares, which sum to 1.
pub type Distribution = ArrayVec<(Decision, f32), 6>;

impl Strategy {
    /// Rounds the strategy sums of a trainer. A weight is relative to sums around it only within its
    /// situation, so they are scaled there by the largest.
    pub fn of_sums(sum: impl Fn(usize) -> f32) -> Strategy {
        let mut packed = vec![0; SIZE.div_ceil(2)];
        for (at, len) in super::abstraction::rows() {
            let most = (at..at + len).map(&sum).fold(0.0, f32::max);
            for place in (at..at + len).filter(|_| most > 0.0) {
                let weight = (15.0 * sum(place) / most).round() as u8;
                packed[place / 2] |= weight << (4 * (place % 2));
            }
        }
        Strategy(packed)
    }

    /// Whether it has the length of this program's strategies.
    pub fn fits(&self) -> bool {
        self.0.len() == SIZE.div_ceil(2)
    }

    fn weight(&self, place: usize) -> u8 {
        let byte = self.0.get(place / 2).copied().unwrap_or(0);
        byte >> (4 * (place % 2)) & 15
    }

    /// What the player to act does who holds these cards, in the order of the abstraction; the same
    /// card may appear twice. Even shares where nothing is known.
    pub fn distribution(&self, public: &Public, own: Cards) -> Distribution {
        let spot = spot(public, own);
        let weights: ArrayVec<f32, 6> = spot
            .choices
            .iter()
            .map(|&(number, _)| f32::from(self.weight(spot.at + number)))
            .collect();
        let sum: f32 = weights.iter().sum();
        let even = 1.0 / weights.len() as f32;
        let share = |weight: f32| if sum > 0.0 { weight / sum } else { even };
        spot.choices
            .iter()
            .zip(weights)
            .map(|(&(_, decision), weight)| (decision, share(weight)))
            .collect()
    }

    /// What is really played: shares below a tenth are what is left of a strategy's first, unlearned
    /// decisions, and are left out.
    pub fn played(&self, public: &Public, own: Cards) -> Distribution {
        let mut shares = self.distribution(public, own);
        let kept = |share: f32| if share < LEAST { 0.0 } else { share };
        let sum: f32 = shares.iter().map(|&(_, share)| kept(share)).sum();
        for (_, share) in &mut shares {
            *share = kept(*share) / sum;
        }
        shares
    }

    /// The share of one decision.
    pub fn share(&self, public: &Public, own: Cards, decision: Decision) -> f32 {
        let shares = self.distribution(public, own);
        let same = shares.iter().filter(|(choice, _)| *choice == decision);
        same.map(|&(_, share)| share).sum()
    }
}

/// The decision whose share a number from 0 to 1 falls in. Only of an empty list there is none.
pub fn draw(shares: &[(Decision, f32)], mut at: f32) -> Option<Decision> {
    for &(decision, share) in shares {
        at -= share;
        if at < 0.0 {
            return Some(decision);
        }
    }
    let likely = shares.iter().rev().find(|&&(_, share)| share > 0.0);
    likely.map(|&(decision, _)| decision)
}
