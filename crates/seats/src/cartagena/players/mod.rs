//! The built-in players that a match can name (`builtin` lists them), among them the simple ones that others are
//! measured by.

pub mod builtin;
pub mod cheat;
pub mod greedy;
pub mod hoarder;
pub mod mcts;
pub mod random;
pub mod rearmost;
pub mod responder;
pub mod strangers;
