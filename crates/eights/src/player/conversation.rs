//! A contestant at the server's lines.

use super::contestant::{Contestant, Heard};
use crate::protocol::print_card;
use std::io::{self, BufRead, Read, Write};

/// Bytes of a line that are taken in at a time: one that is longer comes in parts, none of which
/// means anything.
const LONGEST: u64 = 16 << 10;

/// Reads lines to the end of the input and answers them, each answer flushed at once. `heard` is told
/// what every line came to, after the answer.
///
/// # Errors
/// If the input cannot be read or an answer not be written.
pub fn play(
    contestant: &mut Contestant,
    mut input: impl BufRead,
    mut output: impl Write,
    mut heard: impl FnMut(&Contestant, &Heard),
) -> io::Result<()> {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(());
        }
        let line = contestant.hear(&String::from_utf8_lossy(&bytes));
        if let Some(card) = line.answer {
            writeln!(output, "{}", print_card(card))?;
            output.flush()?;
        }
        heard(contestant, &line);
    }
}
