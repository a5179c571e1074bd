//! A program's seat in a match of Tricky Eights: it is sent a line for each message on its standard input, and
//! answers with a card on its standard output.

pub use seats::tricks::Eights;

use crate::tricks::external::{Dialect, External, Started};
use arena::process::{CommandLine, Session, Stderr};
use arena::wire::Wire;
use eights::protocol::{Message, parse_card, print};
use eights::round_messages::RoundMessages;
use eights::rules::Round;
use std::io;
use std::time::Duration;
use tricks::{Card, View};

/// Starts a program and makes its seat, see `WholeGame::seat`.
pub(super) fn seat(line: &CommandLine, time: Duration) -> io::Result<Started<Round>> {
    let session = Session::start(line, None, Stderr::Tail(crate::tricks::ERRORS_KEPT))?;
    let dialect = Lines::default();
    Ok(Ok(External::new(session, None, dialect, time)))
}

/// The contest's protocol, a line for each message.
#[derive(Debug, Default)]
struct Lines {
    seat: usize,
    messages: RoundMessages,
    /// Whether an empty line has come since the last request.
    had_empty_line: bool,
}

impl Lines {
    fn write(&self, message: &Message, out: &mut Vec<u8>) {
        out.extend(print(message, self.seat).into_bytes());
        out.push(b'\n');
    }
}

impl Dialect<Round> for Lines {
    fn deal(&mut self, view: &View<Round>, out: &mut Vec<u8>) {
        self.seat = view.seat();
        let message = self.messages.deal(view);
        self.write(&message, out);
    }

    fn ask(&mut self, view: &View<Round>, out: &mut Vec<u8>) {
        self.had_empty_line = false;
        self.write(&self.messages.request(view.round()), out);
    }

    fn acted(&mut self, before: &Round, card: Card, out: &mut Vec<u8>) {
        if let Some(message) = self.messages.act(before, card) {
            self.write(&message, out);
        }
    }

    fn over(&mut self, out: &mut Vec<u8>) {
        self.write(&Message::EndRound, out);
    }

    fn end(&mut self, _out: &mut Vec<u8>) {}

    fn answer(&mut self, _view: &View<Round>, wire: &mut Wire) -> Option<Result<Card, String>> {
        loop {
            let line = wire.next_line()?;
            let line = line.trim();
            if !line.is_empty() {
                return Some(parse_card(line).map_err(|error| error.to_string()));
            }
            self.had_empty_line = true;
        }
    }

    fn ignored(&self) -> &'static str {
        match self.had_empty_line {
            true => ": it wrote an empty line",
            false => "",
        }
    }
}
