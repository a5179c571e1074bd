//! Cartagena: training, exact solutions, built-in players to compare with, the search's signature, and the seats of
//! built-in players and of programs.

pub mod bench;
pub mod external;
pub mod participant;
pub mod players;
pub mod programs;
pub mod seat;
pub mod solver;
pub mod training;
pub mod truth;
