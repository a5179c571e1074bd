//! Refereeing the challenge card game: the contest's server, and its parts without a network.

pub(crate) mod commands;
pub mod contest;
pub mod court;
pub mod duplicate;
pub mod gate;
pub mod glicko;
mod hall;
pub mod journal;
pub mod knockout;
mod link;
pub mod overhead;
pub mod record;
pub mod server;
pub mod snapshot;
pub mod table;
mod test_port;
pub mod web;

pub use duplicate::Duplicate;
pub use record::{Entry, Recorded};
