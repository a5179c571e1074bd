//! A linear scorer of cards. It is small enough to be learnt from one player's choices and, as tables, quick
//! enough for playouts.

use super::{CARD_INPUTS, Chances, Inputs, MAX_CHOICES, SITUATIONS, Situation, soften};
use crate::{Card, Cards};
use engine::rng::{Random, unit};

/// The number of inputs that are summed side by side.
const LANES: usize = 8;

/// By situation, a weight for each of a card's inputs. A card's score is Σ weight × input, and the chances are
/// the softmax of the scores (a conditional logit model, McFadden 1974).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    weights: [f32; Linear::WEIGHTS],
}

impl Default for Linear {
    /// A scorer that finds all cards equally likely.
    fn default() -> Linear {
        Linear::even()
    }
}

impl Linear {
    /// The number of weights.
    pub const WEIGHTS: usize = SITUATIONS * CARD_INPUTS;

    /// A scorer of these weights; none if their number is wrong.
    pub fn new(weights: &[f32]) -> Option<Linear> {
        let weights = weights.try_into().ok()?;
        Some(Linear { weights })
    }

    /// A scorer of exactly as many weights as it needs.
    pub(super) const fn of_all(weights: [f32; Linear::WEIGHTS]) -> Linear {
        Linear { weights }
    }

    /// A scorer that finds all cards equally likely.
    pub(super) const fn even() -> Linear {
        Linear::of_all([0.0; Linear::WEIGHTS])
    }

    pub fn weights(&self) -> &[f32; Linear::WEIGHTS] {
        &self.weights
    }

    /// The weights, to be changed in training.
    pub fn weights_mut(&mut self) -> &mut [f32; Linear::WEIGHTS] {
        &mut self.weights
    }

    /// The weights of a situation.
    pub(crate) fn of(&self, situation: Situation) -> &[f32; CARD_INPUTS] {
        // The weights of the situations follow each other.
        let (situations, _) = self.weights.as_chunks();
        &situations[situation as usize]
    }

    /// The chances of the cards of a choice.
    #[inline(always)]
    pub fn chances(&self, inputs: &Inputs) -> Chances {
        score_all(self.of(inputs.situation), inputs.cards())
    }

    /// Adds the gradient of the cross entropy between `chances` and the scorer's chances to `gradient`, which is as
    /// long as the weights. With a network's `chances` the scorer learns to imitate it.
    ///
    /// # Panics
    /// If the gradient is too short for the situation.
    #[inline(always)]
    pub fn learn(&self, inputs: &Inputs, chances: &Chances, gradient: &mut [f32]) {
        let found = self.chances(inputs);
        // Situations share no weights: only this one's have a slope.
        let start = inputs.situation as usize * CARD_INPUTS;
        let gradient = &mut gradient[start..start + CARD_INPUTS];
        for (place, card) in inputs.cards().iter().enumerate() {
            // The cross entropy's slope by a card's score is the found chance minus the wanted one.
            let error = found[place] - chances[place];
            for (slope, input) in gradient.iter_mut().zip(card) {
                *slope += error * input;
            }
        }
    }
}

/// The chances of cards that are scored by these weights: the softmax of Σ weight × input.
#[inline(always)]
pub(crate) fn score_all<const N: usize>(weights: &[f32; N], cards: &[[f32; N]]) -> Chances {
    const { assert!(N.is_multiple_of(LANES)) };
    let (weights, _) = weights.as_chunks::<LANES>();
    let mut chances = [0.0; MAX_CHOICES];
    for (score, card) in chances.iter_mut().zip(cards) {
        let (card, _) = card.as_chunks::<LANES>();
        // Eight partial sums, added in a pinned order: quick, and the same bits on every machine.
        let mut sums = [0.0; LANES];
        for (inputs, weights) in card.iter().zip(weights) {
            for lane in 0..LANES {
                sums[lane] += inputs[lane] * weights[lane];
            }
        }
        // The order of these additions is part of the result.
        *score = ((sums[0] + sums[4]) + (sums[1] + sums[5]))
            + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
    }
    soften(&mut chances, cards.len());
    chances
}

/// Draws one of the cards by their chances. There must be a card.
#[inline]
pub(crate) fn draw(chances: &Chances, cards: Cards, rng: &mut Random) -> Card {
    // Inversion: the chances divide the range from 0 to 1. If rounding leaves a rest, it belongs to the last card.
    let mut at = unit(rng) as f32;
    let mut last = Card::at(0);
    for (card, chance) in cards.into_iter().zip(chances) {
        last = card;
        at -= chance;
        if at < 0.0 {
            break;
        }
    }
    last
}
