//! Truth sets: positions of the player's games, with the values of their leading actions estimated
//! by thousands of games played to the end (Tesauro and Galperin 1996, "On-line policy improvement
//! using Monte-Carlo search").
//!
//! `lab cartagena truth` makes and uses these sets. A truth set shows in minutes what takes a match hours: how far a
//! network's values are off, and how much a player's choices lose. Its values hold for the play of one policy, so
//! it cannot show how good an action is if it is followed by far better play.

mod calibration;
mod rollouts;
mod scores;
mod stored;

pub use calibration::calibration;
pub use rollouts::{Plan, Policy, identity};
pub use scores::{PHASES, Regret, ValueErrors, losses_by_phase, phase_name, regret, value_errors};

use cartagena::record::GameRecord;
use cartagena::rules::Action;

/// Positions and the values of their actions.
#[derive(Clone, Debug, PartialEq)]
pub struct TruthSet {
    /// The settings that the set was made with.
    pub plan: Plan,
    /// Number of positions looked at, those without a choice included.
    pub taken: usize,
    /// The positions with a choice.
    pub cases: Vec<Case>,
}

impl TruthSet {
    /// The number, from 0, of the first case whose position is not among `records`, in their order; none if all are.
    /// `records` are the positions that the set would be made of now. They follow from the search, so another version
    /// of it makes others.
    pub fn first_outside(&self, records: &[GameRecord]) -> Option<usize> {
        // Positions without a choice are skipped: they are no cases.
        let mut records = records.iter();
        let is_made = |case: &Case| records.any(|record| *record == case.record);
        self.cases.iter().map(is_made).position(|is_made| !is_made)
    }
}

/// A position with a choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The position as the player to move receives it.
    pub record: GameRecord,
    /// Its leading actions, at least two, the best by a search first.
    pub actions: Vec<Valued>,
}

/// An action, and the number of games that the mover won after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Valued {
    pub action: Action,
    /// Games won in two independent halves of [`Plan::games`] games each. The best action by one
    /// half is valued by the other: valued by the same, the luckiest would look best.
    pub wins: [u32; 2],
}

impl Valued {
    /// The chance to win, estimated from one half.
    pub fn chance(&self, half: usize, plan: &Plan) -> f64 {
        f64::from(self.wins[half]) / f64::from(plan.games)
    }
}

#[cfg(test)]
mod tests;
