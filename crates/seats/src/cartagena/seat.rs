//! Seats: what a referee asks for actions. A seat is a built-in player or a program, and it may answer wrongly.

use super::players::cheat::Cheat;
pub use arena::fault::{Fault, FaultKind};
use cartagena::player::{Player, Question};
use cartagena::rules::{Action, Cards};
use std::io;
use std::time::Instant;

/// The holder of a seat for one game.
pub trait Seat: Send {
    /// Asks for an action. The referee checks afterwards whether the rules allow it.
    ///
    /// # Errors
    /// If the referee's own machine failed, which is not the seat's fault: then the game has no result.
    fn ask(&mut self, question: &Question) -> io::Result<Answer>;

    /// Shows all hands, by seat, before a question. Seats ignore them, except players that measure what knowing
    /// the hands is worth.
    fn see(&mut self, _hands: &[Cards]) {}
}

/// The answer of a seat, and its cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The action, or a fault.
    pub reply: Result<Action, Fault>,
    pub usage: Usage,
    /// The beginning of its standard output, for people who look into a fault.
    pub output: String,
    /// The end of its standard error.
    pub errors: String,
}

impl Answer {
    /// An action without other output, by a player that was asked at `start`.
    pub fn silent(action: Action, start: Instant) -> Answer {
        Answer {
            reply: Ok(action),
            usage: Usage {
                nanos: start.elapsed().as_nanos() as u64,
                ..Usage::default()
            },
            output: String::new(),
            errors: String::new(),
        }
    }
}

/// The cost of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Wall-clock time in nanoseconds.
    pub nanos: u64,
    /// Time of all processors in nanoseconds, if known.
    pub processor_nanos: Option<u64>,
    /// Its peak memory in bytes, if known.
    pub peak_bytes: Option<u64>,
}

/// A player that runs inside this program.
pub struct Inside(pub Box<dyn Player>);

impl Seat for Inside {
    fn ask(&mut self, question: &Question) -> io::Result<Answer> {
        let start = Instant::now();
        // Only the choice is timed: a built-in player has no process to start and no text to read.
        let action = self.0.choose(question);
        Ok(Answer::silent(action, start))
    }
}

/// A player that sees all hands. It can play only where hands are shown to it: in matches and
/// tournaments.
pub struct Cheating {
    cheat: Cheat,
    hands: Option<Vec<Cards>>,
}

impl Cheating {
    /// Seats a player that sees all hands.
    pub fn new(cheat: Cheat) -> Cheating {
        Cheating { cheat, hands: None }
    }
}

impl Seat for Cheating {
    fn ask(&mut self, question: &Question) -> io::Result<Answer> {
        let start = Instant::now();
        // Hands are used once: those of an earlier position must not answer a later question.
        Ok(match self.hands.take() {
            Some(hands) => Answer::silent(self.cheat.choose(question, &hands), start),
            None => Answer {
                reply: Err(Fault::new(FaultKind::Malformed, "no open hands to look at")),
                ..Answer::silent(Action::Pass, start)
            },
        })
    }

    fn see(&mut self, hands: &[Cards]) {
        self.hands = Some(hands.to_vec());
    }
}
