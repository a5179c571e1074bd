//! How the other players play, as far as their actions tell.
//!
//! The evaluator's values, and rollouts in which everyone maximises them, are right against opponents that
//! play as the evaluator does. Those who collect cards and then sprint do not, and who knows that wins
//! more. So for each opponent there is a chance of each [`Style`], inferred from the actions it took
//! ([`infer`]), and each world that a search samples has opponents of styles drawn from these chances
//! (opponent types as in Bayesian games; Harsanyi 1967).

mod history;
mod hoarder;
mod inference;
#[cfg(test)]
mod tests;

pub use hoarder::{Hoarder, Weights};
pub use inference::infer;

use crate::rules::MAX_PLAYERS;
use engine::rng::{Random, unit};

/// How a player chooses its actions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Style {
    /// The action that is best for it by the evaluator.
    #[default]
    Evaluator,
    /// It collects cards, then sprints.
    Hoarder(Hoarder),
}

/// The styles that are told apart; the first is the one that an unknown player has.
const STYLES: [Style; 3] = [
    Style::Evaluator,
    Style::Hoarder(Hoarder::TUNED),
    Style::Hoarder(Hoarder::PLAIN),
];

/// The chance of each style, for each seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opponents([[f64; STYLES.len()]; MAX_PLAYERS]);

impl Default for Opponents {
    /// Everyone plays as the evaluator does.
    fn default() -> Opponents {
        let mut chances = [0.0; STYLES.len()];
        chances[0] = 1.0;
        Opponents([chances; MAX_PLAYERS])
    }
}

impl Opponents {
    /// A style for each seat, drawn from the chances.
    pub fn sample(&self, rng: &mut Random) -> [Style; MAX_PLAYERS] {
        self.0.map(|chances| {
            let mut at = unit(rng);
            for (style, chance) in STYLES.into_iter().zip(chances) {
                if at < chance {
                    return style;
                }
                at -= chance;
            }
            STYLES[0]
        })
    }

    /// The chance that a seat does not play as the evaluator does.
    pub fn differs(&self, seat: usize) -> f64 {
        1.0 - self.0[seat][0]
    }
}
