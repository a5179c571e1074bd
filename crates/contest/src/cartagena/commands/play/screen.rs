//! The screen of `contest cartagena play`: draws each position and event of a game while it is played.

use crate::cartagena::commands::games;
use crate::cartagena::game::{Incident, Observer, Step};
use crate::cartagena::record::Record;
use arena::plain_text::counted;
use cartagena::picture;
use cartagena::rules::{Action, Game, State};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::thread;
use std::time::Duration;

/// An observer of a game that draws on standard output.
pub(super) struct Screen {
    pub(super) game: Game,
    pub(super) labels: Vec<String>,
    /// The time between two pictures.
    pub(super) delay: Duration,
}

impl Screen {
    /// Draws the players and the position before the first action.
    pub(super) fn opening(&self, state: &State) -> io::Result<()> {
        let mut text = String::new();
        for (seat, label) in self.labels.iter().enumerate() {
            let _ = writeln!(text, "player {}: {label}", seat + 1);
        }
        let _ = write!(text, "\n{}", self.position(state));
        show(&text)
    }

    /// Prints the result and the players' places.
    pub(super) fn ending(&self, record: &Record) -> io::Result<()> {
        // Equals share the mean of their places, so a place can be 2.5.
        let places: Vec<String> = record.result.ranks.iter().map(f64::to_string).collect();
        show(&format!(
            "{}\nplaces: {}\n",
            games::heading(record),
            places.join(" ")
        ))
    }

    /// The position as text, with all hands.
    fn position(&self, state: &State) -> String {
        let mut text = picture::track(&self.game.board, &state.track);
        for seat in 0..self.game.players {
            let hand = state.hands[seat];
            let _ = write!(
                text,
                "player {} {}: {} home, {} to go, {}",
                seat + 1,
                self.labels[seat],
                state.track.home(seat),
                counted(state.track.pips(seat), "place"),
                counted(hand.total(), "card")
            );
            if !hand.is_empty() {
                let _ = write!(text, ": {hand}");
            }
            text.push('\n');
        }
        let _ = writeln!(
            text,
            "draw pile {}, discarded {}\n",
            state.pile,
            state.discards.total()
        );
        text
    }

    fn name(&self, seat: usize) -> String {
        format!("player {} {}", seat + 1, self.labels[seat])
    }

    /// Prints a text and waits. Errors are ignored, since the game is worth recording even if nobody can watch it.
    fn draw(&self, text: &str) {
        let _ = show(text);
        thread::sleep(self.delay);
    }
}

impl Observer for Screen {
    fn step(&mut self, state: &State, step: &Step) {
        let mut text = format!("{} ", self.name(step.seat));
        let _ = match step.action {
            Action::Advance { from, to, symbol } => {
                write!(text, "plays {symbol}: a pirate goes from {from} to {to}")
            }
            Action::Retreat { from, to } => {
                let drawn = match step.drawn.is_empty() {
                    true => "nothing".to_owned(),
                    false => step.drawn.to_string(),
                };
                write!(text, "goes back from {from} to {to} and draws {drawn}")
            }
            Action::Pass => write!(text, "ends the turn"),
        };
        let seconds = step.usage.nanos as f64 / 1e9;
        let _ = writeln!(text, "  ({seconds:.2} s)\n\n{}", self.position(state));
        self.draw(&text);
    }

    fn incident(&mut self, _: &State, incident: &Incident) {
        let penalty = match incident.forfeit {
            true => "and is out of the game",
            false => "and a random action is taken instead",
        };
        let mut text = format!(
            "{}: {}, {penalty}\n",
            self.name(incident.seat),
            incident.fault
        );
        if !incident.errors.trim().is_empty() {
            let _ = writeln!(text, "it said: {}", incident.errors.trim());
        }
        self.draw(&(text + "\n"));
    }
}

/// Prints a text and flushes the output, so that it is seen at once.
fn show(text: &str) -> io::Result<()> {
    let mut out = seats::cli::out();
    out.write_all(text.as_bytes())?;
    out.flush()
}
