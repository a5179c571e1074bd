//! A contestant at the server's frames.

use super::contestant::{Contestant, Heard};
use crate::protocol::{Frames, Message, TooLong, frame, parse, print_reply};
use std::io::{self, Read, Write};
use thiserror::Error;

/// Why a conversation cannot go on.
#[derive(Debug, Error)]
pub enum Ended {
    /// What comes is no frame.
    #[error(transparent)]
    Frame(#[from] TooLong),
    /// The input cannot be read or an answer not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads frames until the server says stop or the input ends, and answers them, each answer flushed
/// at once. `heard` is told what every message came to, after the answer.
///
/// # Errors
/// If that is not possible any more.
pub fn play(
    contestant: &mut Contestant,
    mut input: impl Read,
    mut output: impl Write,
    mut heard: impl FnMut(&Contestant, &Heard),
) -> Result<(), Ended> {
    let mut frames = Frames::default();
    let mut buffer = [0; 4096];
    loop {
        while let Some(text) = frames.next_text()? {
            let message = match parse(&text) {
                Ok(Message::Stop) => return Ok(()),
                Ok(message) => contestant.hear(message),
                Err(error) => Heard {
                    trouble: Some(error.to_string()),
                    ..Heard::default()
                },
            };
            if let Some(reply) = &message.answer {
                output.write_all(&frame(&print_reply(reply)))?;
                output.flush()?;
            }
            heard(contestant, &message);
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
