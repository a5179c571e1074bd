//! Tricky Eights as a match plays it.

use crate::tricks::Contest;
use crate::tricks::external::{Dialect, External};
use crate::tricks::seat::Seated;
use arena::process::{CommandLine, Errors, Session};
use arena::wire::Wire;
use eights::player::Baseline;
use eights::protocol::{Message, parse_card, print};
use eights::reporter::Reporter;
use eights::rules::{Round, SEATS};
use eights::view::View;
use engine::rng::Random;
use std::io;
use std::time::Duration;
use tricks::{Card, Cards, Hands, MAX_PLAYERS, Round as _, View as _};

/// Tricky Eights.
#[derive(Clone, Copy, Debug)]
pub struct Eights;

impl Contest for Eights {
    type View = View;
    type Policy = Baseline;

    const NAME: &'static str = "eights";
    const TITLE: &'static str = "Tricky Eights";
    const TIME: Duration = Duration::from_secs(4);
    const COUNTS: std::ops::RangeInclusive<usize> = 4..=4;
    const SEATS: &'static [&'static str] = &["north", "east", "south", "west"];
    const LOW_IS_GOOD: bool = false;

    /// Always for four; the dealer rotates with the number of the deal.
    fn deal(&self, _players: usize, number: u64, random: &mut Random) -> Round {
        Round::deal((number % SEATS as u64) as usize, random)
    }

    fn view(&self, round: &Round, seat: usize) -> View {
        View::of(round, seat)
    }

    fn restore(&self, _players: usize, first: usize, hands: &Hands, pool: Cards) -> Round {
        Round::new(first, std::array::from_fn(|seat| hands[seat]), pool)
    }

    fn pool(&self, round: &Round) -> Cards {
        round.pool()
    }

    fn scores(&self, round: &Round) -> [u8; MAX_PLAYERS] {
        std::array::from_fn(|seat| if seat < SEATS { round.points(seat) } else { 0 })
    }

    fn policy(&self, name: &str) -> Result<Baseline, String> {
        name.parse().map_err(|error| format!("{error}"))
    }

    fn playout(&self) -> Baseline {
        Baseline::Counter
    }

    fn names(&self) -> &'static str {
        "search, random, high or counter"
    }

    fn seat(&self, line: &CommandLine, time: Duration) -> io::Result<Seated<View>> {
        let session = Session::start(line, None, Errors::Kept(crate::tricks::ERRORS_KEPT))?;
        let dialect = Lines::default();
        Ok(Ok(Box::new(External::new(session, None, dialect, time))))
    }
}

/// Lines on standard input and output.
#[derive(Debug, Default)]
struct Lines {
    seat: usize,
    reporter: Reporter,
}

impl Lines {
    fn write(&self, message: &Message, out: &mut Vec<u8>) {
        out.extend(print(message, self.seat).into_bytes());
        out.push(b'\n');
    }
}

impl Dialect<View> for Lines {
    fn deal(&mut self, view: &View, out: &mut Vec<u8>) {
        self.seat = view.seat();
        let message = self.reporter.deal(view);
        self.write(&message, out);
    }

    fn ask(&mut self, view: &View, out: &mut Vec<u8>) {
        self.write(&self.reporter.request(view.round()), out);
    }

    fn acted(&mut self, before: &Round, card: Card, out: &mut Vec<u8>) {
        if let Some(message) = self.reporter.act(before, card) {
            self.write(&message, out);
        }
    }

    fn over(&mut self, out: &mut Vec<u8>) {
        self.write(&Message::EndRound, out);
    }

    fn farewell(&mut self, _out: &mut Vec<u8>) {}

    fn answer(&mut self, _view: &View, wire: &mut Wire) -> Option<Result<Card, String>> {
        loop {
            let line = wire.next_line()?;
            let line = line.trim();
            if !line.is_empty() {
                return Some(parse_card(line).map_err(|error| error.to_string()));
            }
        }
    }
}
