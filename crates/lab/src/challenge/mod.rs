//! The lab's part of the challenge card game: it trains the tables of the player `equilibrium`, and measures how
//! far players are from equilibrium. `lab challenge` calls it.

pub mod best_response;
pub mod opening;
pub mod reached;
mod resolving;
mod self_play;
pub mod training;

pub use resolving::ResolvingPlayer;
