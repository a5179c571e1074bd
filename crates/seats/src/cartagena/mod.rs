//! Seats at a game of Cartagena: built-in players, and programs that are called for each action.

pub mod external;
pub mod participant;
pub mod players;
pub mod policy;
pub mod positions;
pub mod programs;
pub mod seat;
pub mod setups;
