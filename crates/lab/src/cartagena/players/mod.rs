//! The players that a match can name, and the yardsticks among them.

pub mod builtin;
pub mod cheat;
pub mod greedy;
pub mod hoarder;
pub mod mcts;
pub mod random;
pub mod rearmost;
