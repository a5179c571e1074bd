//! The player of Hearts: its policies, and the client that answers the server.

mod client;
mod connection;
mod inputs;
mod moon;
mod policy;
mod ranks;

pub use client::{Client, Response};
pub use connection::{ConnectionError, play};
pub use policy::Baseline;
