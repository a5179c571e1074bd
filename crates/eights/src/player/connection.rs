//! The conversation of a client with the server, line by line.

use super::client::{Client, Response};
use crate::protocol::print_card;
use std::io::{self, BufRead, Read, Write};
use std::mem;

/// The most bytes that are read as one line. A longer line is read in parts, as several lines.
const LONGEST: u64 = 16 << 10;

/// A byte order mark in UTF-8. Some programs write one at the beginning of a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads lines to the end of the input and answers them. Each answer is flushed at once. After each line
/// `report` gets the client's response. A byte order mark before the first line is ignored.
///
/// # Errors
/// If the input cannot be read or an answer cannot be written; the error says so.
pub fn play(
    client: &mut Client,
    mut input: impl BufRead,
    mut output: impl Write,
    mut report: impl FnMut(&Client, &Response),
) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut mark = BYTE_ORDER_MARK;
    loop {
        bytes.clear();
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes);
        if read.map_err(|error| named("cannot read the server's lines", &error))? == 0 {
            return Ok(());
        }
        let line = bytes.strip_prefix(mem::take(&mut mark)).unwrap_or(&bytes);
        // Bytes that are no text become replacement characters, which no message contains.
        let response = client.receive(&String::from_utf8_lossy(line));
        if let Some(card) = response.answer {
            let written = writeln!(output, "{}", print_card(card)).and_then(|()| output.flush());
            written.map_err(|error| named("cannot write the answer", &error))?;
        }
        report(client, &response);
    }
}

/// The error of a stream, after the words that say what failed.
fn named(failure: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{failure}: {error}"))
}
