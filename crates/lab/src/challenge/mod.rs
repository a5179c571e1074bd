//! The challenge card game: training of the blueprint, exploitability, best responses to known players.

pub mod best_response;
pub mod duplicate;
#[cfg(test)]
mod flat;
pub mod opening;
pub mod players;
pub mod reached;
mod resolving;
mod self_play;
pub mod training;

pub use resolving::ResolvingPlayer;
