//! Policies without rollouts, from a network alone: the best action now, or a look at the rest of the turn.

pub mod choice;
mod look_ahead;
mod pilot;

pub use pilot::Pilot;
