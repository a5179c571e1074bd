//! The lab's part of the challenge card game: it trains the tables of the player `equilibrium`, measures how
//! far players are from equilibrium, and plays matches of built-in players. `lab challenge` calls it.

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
