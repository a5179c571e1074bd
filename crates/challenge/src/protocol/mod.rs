//! The contest's protocol: frames, messages, and the way from them to the game's own types.

mod convert;
mod frame;
mod message;

pub use convert::{Malformed, Served};
pub use frame::{Connection, MAX_FRAME, ProtocolError, connection, receive, send};
pub use message::{
    Client, Greeting, Incoming, Kind, Move, Refusal, Report, Reported, Request, Response, Server,
    State,
};

#[cfg(test)]
mod tests;
