//! Refereeing Hearts: a group's rounds without any pipes, and the server that gives it pipes.

pub(crate) mod commands;
mod group;
pub mod matches;
pub mod pipes;
pub mod server;
pub mod table;

pub use group::{Event, Group, Standing};
