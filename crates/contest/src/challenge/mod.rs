//! Refereeing the challenge card game: the contest's server, and its parts without a network.

mod acceptor;
pub mod answers;
pub mod bracket;
pub mod clocked_game;
pub(crate) mod commands;
pub mod contest;
mod descriptors;
pub mod events;
pub mod glicko;
pub mod index;
pub mod journal;
mod link;
mod lobby;
mod matchmaking;
pub mod overhead;
pub mod pairing;
pub mod reconnect;
pub mod record;
mod reply;
pub mod server;
pub mod settings;
pub mod snapshot;
mod stream;
pub mod summary;
pub mod table;
pub mod teams;
mod test_port;
pub mod web;

pub use record::{Entry, Recorded};
