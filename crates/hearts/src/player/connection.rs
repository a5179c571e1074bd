//! The conversation of a client with the server, frame by frame.

use super::client::{Client, Response};
use crate::protocol::{Frames, Message, TooLong, frame, parse, print_reply};
use std::io::{self, Read, Write};
use thiserror::Error;

/// A reason why a connection ends with an error.
#[derive(Debug, Error)]
pub enum ConnectionError {
    /// The input does not consist of frames.
    #[error(transparent)]
    Frame(#[from] TooLong),
    /// The input ends within a frame.
    #[error("the server has closed the pipe within a frame, expected the rest of it")]
    Cut,
    /// The input ends between frames, and the server has not said that it does.
    #[error("the server has closed the pipe, expected message 4 before")]
    NoStop,
    /// The input cannot be read.
    #[error("cannot read the server's messages: {0}")]
    Read(io::Error),
    /// An answer cannot be written.
    #[error("cannot write the answer: {0}")]
    Write(io::Error),
}

/// Reads frames until the server says stop, and answers them. Each answer is flushed at once. After each message
/// `report` gets the client's response.
///
/// # Errors
/// If the input does not consist of frames, ends before the server says stop, or cannot be read, or an answer cannot
/// be written.
pub fn play(
    client: &mut Client,
    mut input: impl Read,
    mut output: impl Write,
    mut report: impl FnMut(&Client, &Response),
) -> Result<(), ConnectionError> {
    let mut frames = Frames::default();
    let mut buffer = [0; 4096];
    loop {
        // A piece of input may hold several frames, or a part of one.
        while let Some(text) = frames.next_text()? {
            let response = match parse(&text) {
                Ok(Message::Stop) => return Ok(()),
                Ok(message) => client.receive(message),
                // A message that cannot be read is no reason to leave the table.
                Err(error) => {
                    client.unread(&text);
                    Response::warning(error.to_string())
                }
            };
            if let Some(reply) = &response.answer {
                let written = output.write_all(&frame(&print_reply(reply)));
                let flushed = written.and_then(|()| output.flush());
                flushed.map_err(ConnectionError::Write)?;
            }
            report(client, &response);
        }
        let count = match input.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            count => count.map_err(ConnectionError::Read)?,
        };
        if count == 0 {
            return Err(match frames.is_empty() {
                true => ConnectionError::NoStop,
                false => ConnectionError::Cut,
            });
        }
        frames.push(&buffer[..count]);
    }
}
