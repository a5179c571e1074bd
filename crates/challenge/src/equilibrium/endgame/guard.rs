//! Gadgets that keep a solved endgame from losing what the blueprint promised (Burch, Johanson and
//! Bowling 2014; Moravčík et al. 2016).
//!
//! A solution with the ranges of the blueprint is right only against who plays it. With a gadget the
//! other player chooses with which hands it comes to the endgame, knowing what each was worth against
//! the blueprint, its *promise*; so no hand is worth coming with that was not before.

use crate::rules::Seat;

/// Which gadget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// Each hand of the other comes, or takes its promise (Burch et al. 2014).
    Resolving,
    /// The other comes with the hands that gain most over their promise (Moravčík et al. 2016).
    MaxMargin,
}

/// How the other player's hands come to an endgame.
#[derive(Clone, Debug)]
pub struct Guard {
    safety: Safety,
    seat: Seat,
    /// What each hand is worth if it does not come, weighted like counterfactual values.
    promises: Vec<f32>,
    /// The weight of each hand.
    weights: Vec<f32>,
    /// Regrets of coming and of staying away, or of choosing each hand.
    regrets: Vec<[f32; 2]>,
}

impl Guard {
    /// Guards against a player whose hands have these weights and promises.
    pub fn new(safety: Safety, seat: Seat, weights: Vec<f32>, promises: Vec<f32>) -> Guard {
        debug_assert_eq!(weights.len(), promises.len());
        Guard {
            safety,
            seat,
            regrets: vec![[0.0; 2]; weights.len()],
            promises,
            weights,
        }
    }

    /// The player who chooses.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// How much of each hand comes. Regret matching.
    pub fn coming(&self) -> Vec<f32> {
        match self.safety {
            Safety::Resolving => self.regrets.iter().map(|&regrets| first(regrets)).collect(),
            Safety::MaxMargin => {
                let sum: f32 = self.regrets.iter().map(|regret| regret[0]).sum();
                let even = 1.0 / self.regrets.len() as f32;
                let share = |regret: f32| if sum > 0.0 { regret / sum } else { even };
                let chosen = self.regrets.iter().zip(&self.weights);
                chosen
                    .map(|(regret, &weight)| share(regret[0]) / weight.max(f32::MIN_POSITIVE))
                    .collect()
            }
        }
    }

    /// Takes in what each hand gets by coming.
    pub fn learn(&mut self, values: &[f32]) {
        let gains: Vec<f32> = values
            .iter()
            .zip(&self.promises)
            .map(|(value, promise)| value - promise)
            .collect();
        match self.safety {
            Safety::Resolving => {
                for (regrets, gain) in self.regrets.iter_mut().zip(gains) {
                    let mean = first(*regrets) * gain;
                    regrets[0] = (regrets[0] + gain - mean).max(0.0);
                    regrets[1] = (regrets[1] - mean).max(0.0);
                }
            }
            Safety::MaxMargin => {
                // What is chosen is a hand as such, however likely it is.
                let coming = self.coming();
                let mean: f32 = coming.iter().zip(&gains).map(|(c, gain)| c * gain).sum();
                let each = self.regrets.iter_mut().zip(gains).zip(&self.weights);
                for ((regret, gain), &weight) in each {
                    if weight > 0.0 {
                        regret[0] = (regret[0] + gain / weight - mean).max(0.0);
                    }
                }
            }
        }
    }
}

/// The share of the first of two choices.
fn first([one, two]: [f32; 2]) -> f32 {
    if one + two > 0.0 {
        one / (one + two)
    } else {
        0.5
    }
}
