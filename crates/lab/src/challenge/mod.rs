//! The challenge card game: training of the blueprint, exploitability, best responses to known players.

pub mod best_response;
pub mod exploitability;
pub mod players;
pub mod reached;
mod self_play;
pub mod training;
