//! The contest's protocol over TCP: frames, messages, and their conversion to the game's types. The client and the
//! contest's server (the crate `challenge-server`) share it.

mod convert;
mod frame;
mod message;
mod numbers;
mod tolerant;

pub use convert::{Malformed, Served};
pub use frame::{
    Connection, MAX_FRAME, ProtocolError, connection, post, prepare, receive, send, send_as_is,
    send_rest,
};
pub use message::{
    ClientMessage, Greeting, Incoming, Move, Refusal, Request, RequestKind, Response,
    ResultMessage, ServerMessage, Token, WireEvent, WireState,
};
pub use tolerant::{Identity, RequestId};

#[cfg(test)]
mod tests;
