//! A client at the server's lines.

use super::client::{Client, Response};
use crate::protocol::print_card;
use std::io::{self, BufRead, Read, Write};

/// Bytes of a line that are read at a time. A longer line comes in parts, and no part is a message.
const LONGEST: u64 = 16 << 10;

/// Reads lines to the end of the input and answers them, each answer flushed at once. After each
/// line `report` gets what it led to.
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
        let response = client.receive(&String::from_utf8_lossy(&bytes));
        if let Some(card) = response.answer {
            writeln!(output, "{}", print_card(card))?;
            output.flush()?;
        }
        report(client, &response);
    }
}
