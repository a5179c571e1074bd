//! How the other players play, as far as their actions tell.
//!
//! The evaluator's values, and rollouts in which everyone maximises them, are right against opponents that
//! play as the evaluator does. Those who collect cards and then sprint do not, and who knows that wins
//! more. So for each opponent there is a chance of each [`Style`], inferred from the actions it took
//! ([`infer`]), and each world that a search samples has opponents of styles drawn from these chances
//! (opponent types as in Bayesian games; Harsanyi 1967). What a hoarder did tells of its hand, too: where there
//! are such players, worlds have the hands that they can have.

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
use rand::Rng;
use std::sync::Arc;

/// How a player chooses its actions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Style {
    /// The action that is best for it by the evaluator.
    #[default]
    Evaluator,
    /// It collects cards, then sprints.
    Hoarder(Hoarder),
}

/// The hoarders that are told apart.
const HOARDERS: [Hoarder; 2] = [Hoarder::TUNED, Hoarder::PLAIN];
/// The number of styles: the first is the one that an unknown player has, then come the hoarders.
const STYLES: usize = 1 + HOARDERS.len();

/// A style by its number.
fn style(number: usize) -> Style {
    match number.checked_sub(1) {
        None => Style::Evaluator,
        Some(hoarder) => Style::Hoarder(HOARDERS[hoarder]),
    }
}

/// How the others play: the chance of each style, for each seat, and what that says of their hands.
#[derive(Clone, Debug, PartialEq)]
pub struct Opponents {
    chances: [[f64; STYLES]; MAX_PLAYERS],
    /// Styles and hands that fit what was seen, each about as likely; none where hands are as the belief has them.
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
        let mut chances = [0.0; STYLES];
        chances[0] = 1.0;
        Opponents {
            chances: [chances; MAX_PLAYERS],
            guesses: Arc::new([]),
        }
    }
}

impl Opponents {
    /// A world that is possible for the seat that sees a view, and how everyone plays in it.
    pub fn world(
        &self,
        belief: &Belief,
        view: &View,
        rng: &mut Random,
    ) -> (World, [Style; MAX_PLAYERS]) {
        if self.guesses.is_empty() {
            let world = belief.sample(view, rng);
            return (world, self.sample(rng).map(style));
        }
        let guess = &self.guesses[rng::below(rng, self.guesses.len())];
        let state = view.with_hands(guess.hands);
        let hidden = guess.hands.iter().enumerate();
        let hidden = hidden.filter(|&(seat, _)| seat != view.seat);
        let pile = hidden.fold(view.unseen(), |rest, (_, &hand)| rest.minus(hand));
        let mut pile: ArrayVec<_, _> = pile.iter().collect();
        rng::shuffle(rng, &mut pile);
        let world = World::new(state, pile, rng::stream(rng.next_u64(), 0));
        (world, guess.styles)
    }

    /// The same styles, without what they say of hands: for who knows the hands.
    #[must_use]
    pub(crate) fn without_hands(self) -> Opponents {
        Opponents {
            guesses: Arc::new([]),
            ..self
        }
    }

    /// The number of a style for each seat, drawn from the chances.
    fn sample(&self, rng: &mut Random) -> [usize; MAX_PLAYERS] {
        self.chances.map(|chances| {
            let mut at = unit(rng);
            for (number, chance) in chances.into_iter().enumerate() {
                if at < chance {
                    return number;
                }
                at -= chance;
            }
            0
        })
    }

    /// The chance that a seat does not play as the evaluator does.
    pub fn differs(&self, seat: usize) -> f64 {
        1.0 - self.chances[seat][0]
    }
}
