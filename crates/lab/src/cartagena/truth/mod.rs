//! An estimate of the truth: positions of the player's games, with the value of their leading actions
//! by thousands of games played to the end (Tesauro and Galperin 1996, "On-line policy improvement
//! using Monte-Carlo search").
//!
//! It tells in minutes what a match tells in hours: how far a network's values are off and by how
//! much, and what a player's choices lose. What it calls true is the play of one policy, so that it
//! cannot tell how good an action is for a far better one.

mod calibration;
mod rollouts;
mod scores;
mod stored;

pub use calibration::{Calibration, calibration};
pub use rollouts::{Plan, Policy};
pub use scores::{PHASES, Regret, ValueErrors, losses_by_phase, phase_name, regret, value_errors};
pub use stored::TruthError;

use cartagena::record::GameRecord;
use cartagena::rules::Action;

/// Positions and the values of their actions.
#[derive(Clone, Debug, PartialEq)]
pub struct TruthSet {
    /// How it was made.
    pub plan: Plan,
    /// Positions looked at, those included that leave no choice.
    pub taken: usize,
    pub cases: Vec<Case>,
}

/// A position with a choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The position as the player to move receives it.
    pub record: GameRecord,
    /// Its leading actions, the best by a search first; at least two.
    pub actions: Vec<Valued>,
}

/// An action, and how often the mover won after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Valued {
    pub action: Action,
    /// Games won in two halves, of [`Plan::games`] games each: what is best by one is
    /// valued by the other, or the luckiest would look best.
    pub wins: [u32; 2],
}

impl Valued {
    /// The chance to win by one of the halves.
    pub fn chance(&self, half: usize, plan: &Plan) -> f64 {
        f64::from(self.wins[half]) / f64::from(plan.games)
    }
}

#[cfg(test)]
mod tests;
