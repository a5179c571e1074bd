//! Seats at the challenge card game: built-in players, and matches of two of them without a network and a clock.

pub mod duplicate;
pub mod players;
