//! Refereeing Hearts: [`Group`] plays the rounds of a group of programs, and [`server`] connects it to their pipes.
//!
//! The server gives every group a thread. A pipe can be opened for writing once its program reads it.
//! `pipes::WaitingPipes` tries that again and again, so a missing program blocks nobody.

pub(crate) mod commands;
mod group;
pub mod matches;
pub mod pipes;
pub mod server;
pub mod table;

pub use group::{Event, Group, Standing};
