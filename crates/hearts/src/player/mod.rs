//! The player of Hearts: its policies, and the client that answers the server.
//!
//! The [`Client`] keeps what was received, and has a `View` when the server asks for a card: the round
//! with the hidden hands empty, and `Seen`. [`play`] is the program's conversation over any streams;
//! `crates/contest/tests/it/tricks_faults.rs` tests it with a referee that garbles its frames within
//! the rulings.

mod client;
mod connection;
mod inputs;
mod moon;
mod policy;
mod ranks;

pub use client::{Client, Response};
pub use connection::{ConnectionError, play};
pub use policy::Baseline;
