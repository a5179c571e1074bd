//! The conversation of a client with the server, line by line.

use super::client::{Client, Response};
use crate::protocol::print_card;
use std::io::{self, BufRead, Read, Write};

/// The most bytes that are read as one line. A longer line is read in parts, as several lines.
const LONGEST: u64 = 16 << 10;

/// Reads lines to the end of the input and answers them. Each answer is flushed at once. After each line
/// `report` gets the client's response.
///
/// # Errors
/// If the input cannot be read or an answer cannot be written.
pub fn play(
    client: &mut Client,
    mut input: impl BufRead,
    mut output: impl Write,
    mut report: impl FnMut(&Client, &Response),
) -> io::Result<()> {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(());
        }
        // Bytes that are no text become replacement characters, which no message contains.
        let response = client.receive(&String::from_utf8_lossy(&bytes));
        if let Some(card) = response.answer {
            writeln!(output, "{}", print_card(card))?;
            output.flush()?;
        }
        report(client, &response);
    }
}
