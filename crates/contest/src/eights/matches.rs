//! Tricky Eights as a match plays it.

use crate::tricks::Contest;
use crate::tricks::external::{Dialect, External};
use crate::tricks::seat::Started;
use arena::process::{CommandLine, Session, Stderr};
use arena::wire::Wire;
use eights::deal;
use eights::player::Baseline;
use eights::protocol::{Message, parse_card, print};
use eights::round_messages::RoundMessages;
use eights::rules::{Round, SEATS};
use engine::rng::Random;
use std::io;
use std::time::Duration;
use tricks::{Card, Cards, Hands, View};

/// Tricky Eights.
#[derive(Clone, Copy, Debug, Default)]
pub struct Eights;

impl Contest for Eights {
    type Round = Round;
    type Policy = Baseline;

    const NAME: &'static str = "eights";
    const TITLE: &'static str = "Tricky Eights";
    const TIME: Duration = Duration::from_secs(4);
    const COUNTS: std::ops::RangeInclusive<usize> = 4..=4;
    const SEATS: &'static [&'static str] = &["north", "east", "south", "west"];
    const LOW_IS_GOOD: bool = false;

    /// Always for four; the dealer rotates with the number of the deal.
    fn deal(&self, _players: usize, number: u64, rng: &mut Random) -> Round {
        deal::deal((number % SEATS as u64) as usize, rng)
    }

    fn restore(&self, _players: usize, first: usize, hands: &Hands, pool: Cards) -> Round {
        Round::new(first, std::array::from_fn(|seat| hands[seat]), pool)
    }

    fn seat(&self, line: &CommandLine, time: Duration) -> io::Result<Started<Round>> {
        let session = Session::start(line, None, Stderr::Tail(crate::tricks::ERRORS_KEPT))?;
        let dialect = Lines::default();
        Ok(Ok(Box::new(External::new(session, None, dialect, time))))
    }
}

/// Lines on standard input and output.
#[derive(Debug, Default)]
struct Lines {
    seat: usize,
    messages: RoundMessages,
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
        }
    }
}
