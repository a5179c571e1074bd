//! Models of the other players, inferred from their actions.
//!
//! The evaluator's values, and rollouts in which everyone maximises them, are right if the opponents play as the
//! evaluator does. *Hoarders* do not: they collect cards and then sprint home. A search that knows its opponents'
//! styles wins more. So each opponent has a probability for each [`Style`], inferred from its actions
//! ([`infer`]). A search infers once, before its first rollout. Then each world that it samples
//! ([`Opponents::world`]) has styles drawn from these probabilities (opponent types as in Bayesian games; Harsanyi
//! 1967).
//!
//! Inference uses the latest forty actions of each opponent. It asks how likely each style was to take
//! them, with hands of that time that agree with what is known now: worlds are sampled from the belief
//! and played backwards.
//!
//! A hoarder's actions also reveal its hand: while it collected, it held no card that it preferred to play, and
//! too few cards to finish. If some player is probably a hoarder, worlds get hands that fit the actions of all
//! hoarders, in place of hands from the belief: `hands` changes a world of the belief card by card until the hands
//! fit (Metropolis).
//!
//! | module | holds |
//! |---|---|
//! | `history` | the record as decisions, each with the public position before it |
//! | `hoarder` | the policy of collecting cards and sprinting |
//! | `evidence` | the cards that a hoarder's decisions exclude from its hand |
//! | `inference` | the probabilities of styles, by Bayes' rule |
//! | `hands` | the sampler of hands that fit |

mod evidence;
mod hands;
mod history;
mod hoarder;
mod inference;
#[cfg(test)]
mod tests;

pub use hoarder::{Hoarder, Weights};
pub use inference::infer;

use crate::belief::Belief;
use crate::rules::{Cards, MAX_PLAYERS};
use crate::view::View;
use crate::world::World;
use arrayvec::ArrayVec;
use engine::rng::{self, Random, unit};
use std::sync::Arc;

/// How a player chooses its actions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Style {
    /// It takes the action that is best for it by the evaluator.
    #[default]
    Evaluator,
    /// It collects cards, then sprints.
    Hoarder(Hoarder),
}

/// The hoarders that the inference distinguishes.
const HOARDERS: [Hoarder; 2] = [Hoarder::TUNED, Hoarder::PLAIN];
/// The number of styles: number 0 plays as the evaluator, number `1 + i` as `HOARDERS[i]`.
const STYLES: usize = 1 + HOARDERS.len();

/// A style by its number.
fn style(number: usize) -> Style {
    // The evaluator has number 0, so the hoarders count from 1.
    match number.checked_sub(1) {
        None => Style::Evaluator,
        Some(hoarder) => Style::Hoarder(HOARDERS[hoarder]),
    }
}

/// A model of the others: the chance of each style for each seat, and hands that fit their actions.
#[derive(Clone, Debug, PartialEq)]
pub struct Opponents {
    chances: [[f64; STYLES]; MAX_PLAYERS],
    /// Samples of styles and hands that fit the actions, each equally likely. If there are none, hands follow the
    /// belief.
    guesses: Arc<[Guess]>,
}

/// A style and a hand for each seat.
#[derive(Clone, Debug, PartialEq)]
struct Guess {
    styles: [Style; MAX_PLAYERS],
    hands: [Cards; MAX_PLAYERS],
}

impl Default for Opponents {
    /// Everyone plays as the evaluator does.
    fn default() -> Opponents {
        // All probability lies on style 0, the evaluator.
        let mut chances = [0.0; STYLES];
        chances[0] = 1.0;
        Opponents {
            chances: [chances; MAX_PLAYERS],
            guesses: Arc::new([]),
        }
    }
}

impl Opponents {
    /// Draws a world that is possible for the seat of the view, and everyone's style in it.
    pub fn world(
        &self,
        belief: &Belief,
        view: &View,
        rng: &mut Random,
    ) -> (World, [Style; MAX_PLAYERS]) {
        // Without guesses the hands follow the belief alone, and the styles are drawn independently of them.
        if self.guesses.is_empty() {
            let world = belief.sample(view, rng);
            return (world, self.sample(rng).map(style));
        }
        // The guesses are few, so many worlds share one. They still differ in the order of the pile.
        let guess = &self.guesses[rng::below(rng, self.guesses.len())];
        // A guess fixes styles and hands together, as a hand fits the actions only by the styles it was sampled for.
        let state = view.with_hands(guess.hands);
        let hidden = guess.hands.iter().enumerate();
        let hidden = hidden.filter(|&(seat, _)| seat != view.seat);
        // Unseen cards lie in other hands or in the pile.
        let pile = hidden.fold(view.unseen(), |rest, (_, &hand)| rest.minus(hand));
        let mut pile: ArrayVec<_, _> = pile.iter().collect();
        rng::shuffle(rng, &mut pile);
        let world = World::new(state, pile, rng::split(rng));
        (world, guess.styles)
    }

    /// The same styles without the fitting hands, for a search that knows the hands.
    #[must_use]
    pub(crate) fn without_hands(self) -> Opponents {
        Opponents {
            guesses: Arc::new([]),
            ..self
        }
    }

    /// The number of a style for each seat, drawn from the chances of that seat alone. In the model seats depend on each
    /// other through the kind of table. Drawing the kind first, and then the seats, won no more games of six ("styles
    /// drawn with the kind of table" in docs/measurements/cartagena-strength.md).
    fn sample(&self, rng: &mut Random) -> [usize; MAX_PLAYERS] {
        // If rounding leaves a rest, the style is the evaluator's.
        self.chances
            .map(|chances| rng::pick(chances, unit(rng)).unwrap_or(0))
    }

    /// The chance that a seat does not play as the evaluator does.
    pub fn differs(&self, seat: usize) -> f64 {
        1.0 - self.chances[seat][0]
    }
}
