//! The player of Hearts: its policies, and the client that answers the server.
//!
//! The [`Client`] follows the server's messages with a `View`: the round with the hidden hands empty, and
//! what is known about the hidden cards (`Seen`). When the server asks for a card, a search over the
//! view decides. [`play`] is the program's conversation over any streams;
//! `crates/contest/tests/it/tricks_faults.rs` tests it with a referee that garbles its frames within
//! the rulings.

mod client;
mod connection;
mod inputs;
mod moon;
mod passing;
mod policy;
mod ranks;
pub mod weights;

pub use client::{Client, Response};
pub use connection::{ConnectionError, play};
pub use policy::Baseline;
