//! Refereeing the challenge card game: the commands, matches with programs, and games at tables. The contest's server is
//! [`challenge_server`].
//!
//! # Matches
//!
//! A match with programs (`pairing`) uses the same `ClockedGame`. Each program is a `process::Resident`
//! and connects to its own port. When the match is over, it is ended with all processes that it has
//! started. Two built-in players play by `seats::challenge::duplicate`, without a network and a clock.

pub(crate) mod commands;
pub mod pairing;
pub mod table;

pub use arena::glicko;
pub use games::challenge::record::{self, Entry, Recorded};
