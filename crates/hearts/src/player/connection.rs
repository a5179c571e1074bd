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
    /// The input cannot be read or an answer cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads frames until the server says stop or the input ends, and answers them. Each answer is flushed at once.
/// After each message `report` gets the client's response.
///
/// # Errors
/// If the input does not consist of frames, cannot be read, or an answer cannot be written.
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
                Err(error) => Response::warning(error.to_string()),
            };
            if let Some(reply) = &response.answer {
                output.write_all(&frame(&print_reply(reply)))?;
                output.flush()?;
            }
            report(client, &response);
        }
        let count = match input.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            count => count?,
        };
        if count == 0 {
            return Ok(());
        }
        frames.push(&buffer[..count]);
    }
}
