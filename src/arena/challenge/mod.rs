//! Refereeing the challenge card game.

pub mod record;

pub use record::{Entry, Recorded};
