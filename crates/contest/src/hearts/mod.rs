//! Refereeing Hearts: a group's rounds without any pipes, and the server that gives it pipes.
//!
//! [`server`] gives every group a thread. A pipe is opened for writing as soon as somebody reads it
//! (`pipes::WaitingPipes`), and nothing waits for that.

pub(crate) mod commands;
mod group;
pub mod matches;
pub mod pipes;
pub mod server;
pub mod table;

pub use group::{Event, Group, Standing};
