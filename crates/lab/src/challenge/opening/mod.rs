//! The first two tricks of a hand, solved without abstraction.
//!
//! The public tree of two tricks has 28,561 ends; every hand of both players is told apart there. What comes after is
//! valued by a function of both ranges that is learnt from solved endgames, as a [`challenge`] player will solve them
//! at the table.

mod accepted;
mod check;
mod choice;
mod place;
mod sets;
mod training;
mod tree;
mod trick;
mod values;

#[cfg(test)]
mod tests;

pub use check::OpeningCheck;
pub use training::{OpeningSettings, OpeningTrainer};
