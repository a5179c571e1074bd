//! Experiment: exact solving of rounds with all hands open.
//!
//! Two assumptions about the others are implemented: that all play against one seat ([`Paranoid`],
//! Sturtevant and Korf 2000), and that each plays for itself ([`MaxN`], Luckhardt and Irani 1986).
//!
//! Measured (`docs/measurements.md`, "solving the last seven cards"): a world takes 5 to 200 ms, where
//! a playout takes microseconds, so that the players do not solve.

mod max_n;
mod paranoid;
mod position;

pub use max_n::MaxN;
pub use paranoid::Paranoid;
pub use position::{Ending, distinct};
