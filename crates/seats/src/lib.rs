//! Seats at games: built-in players and their levels, programs that are called as a contest calls them, and matches
//! of them in this process. Any game has players behind [`Seat`]; Cartagena, the challenge game and the trick-taking
//! games have more in their modules. [`cli`] is shared by the programs whose options name players: `lab` and `contest`.

pub mod cartagena;
pub mod challenge;
#[macro_use]
pub mod cli;
pub mod matches;
mod seat;
pub mod solo;
pub mod tricks;

pub use seat::{Failure, Maker, NAMES, Rollouts, Seat, Tried, maker};
