//! The player of Tricky Eights: its policies, and the client that answers the server.
//!
//! The [`Client`] keeps the server's reports. When the server asks for a card, it makes a `View` from all
//! of them: the round with the hidden hands empty, and what is known about the hidden cards (`Seen`). A
//! search over the view decides. If the reports contradict each other or the rules, the client answers
//! a card that should be legal, without a search. [`play`] is the program's conversation over any
//! streams; `crates/contest/tests/it/tricks_faults.rs` tests it with a referee that garbles its lines
//! within the rulings.

mod client;
mod connection;
mod inputs;
mod policy;

pub use client::{Client, Response};
pub use connection::play;
pub use policy::Baseline;
