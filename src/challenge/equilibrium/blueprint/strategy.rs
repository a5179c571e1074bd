//! A strategy in sixteenths.

use super::super::Public;
use super::abstraction::{SIZE, spot};
use crate::challenge::rules::{Cards, Decision};
use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

/// What is done in every situation, as weights from 0 to 15, two to a
/// byte. Weights are relative to the largest of a situation; where all are 0 nothing is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strategy(Vec<u8>);

/// Decisions with their shares, which sum to 1.
pub type Distribution = ArrayVec<(Decision, f32), 6>;

impl Strategy {
    /// Rounds the strategy sums of a trainer. A weight is relative to sums around it only within its
    /// situation, so they are scaled there by the largest.
    pub fn of_sums(sums: &[f32]) -> Strategy {
        debug_assert_eq!(sums.len(), SIZE);
        let mut packed = vec![0; SIZE.div_ceil(2)];
        for (at, len) in super::abstraction::rows() {
            let row = &sums[at..at + len];
            let most = row.iter().copied().fold(0.0, f32::max);
            for (number, sum) in row.iter().enumerate().filter(|_| most > 0.0) {
                let weight = (15.0 * sum / most).round() as u8;
                let place = at + number;
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
}
