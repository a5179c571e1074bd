//! Cartagena: training, exact solutions, built-in players to compare with, the search's signature.

pub mod bench;
pub mod players;
pub mod solver;
pub mod training;
pub mod truth;
