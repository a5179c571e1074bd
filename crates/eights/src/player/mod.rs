//! The player of Tricky Eights: its policies, and the client that answers the server.

mod client;
mod connection;
mod inputs;
mod policy;

pub use client::{Client, Response};
pub use connection::play;
pub use policy::Baseline;
