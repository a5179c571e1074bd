//! Seats: a built-in player or a program that is asked for actions, and may answer wrongly.

use super::players::cheat::Cheat;
pub use arena::fault::{Fault, FaultKind};
use cartagena::player::{Player, Question};
use cartagena::rules::{Action, Cards};
use std::io;
use std::time::Instant;

/// Holds a seat for one game.
pub trait Seat: Send {
    /// Asks for an action. Whether the rules allow it is for the referee to see.
    ///
    /// # Errors
    /// What is not the seat's doing: the referee's own machine failed. The game is not decided.
    fn ask(&mut self, question: &Question) -> io::Result<Answer>;

    /// Shows everybody's hand before a question, by seat. Only who measures what knowing them is worth looks at them.
    fn see(&mut self, _hands: &[Cards]) {}
}

/// What a seat said, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The action, or what went wrong.
    pub reply: Result<Action, Fault>,
    pub usage: Usage,
    /// The beginning of what it wrote to standard output, for people who look into a fault.
    pub output: String,
    /// The end of what it wrote to standard error.
    pub errors: String,
}

impl Answer {
    /// An action given without any other output, by someone who was asked at `start`.
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

/// What an answer took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Wall-clock time in nanoseconds.
    pub nanos: u64,
    /// Time of all processors in nanoseconds, where it is known.
    pub processor_nanos: Option<u64>,
    /// The most memory it held at a time, in bytes, where it is known.
    pub peak_bytes: Option<u64>,
}

/// A player that runs inside this program.
pub struct Inside(pub Box<dyn Player>);

impl Seat for Inside {
    fn ask(&mut self, question: &Question) -> io::Result<Answer> {
        let start = Instant::now();
        let action = self.0.choose(question);
        Ok(Answer::silent(action, start))
    }
}

/// A player that sees all hands. It plays where it is shown them, which is in a match or tournament, and nowhere else.
pub struct Cheating {
    cheat: Cheat,
    hands: Option<Vec<Cards>>,
}

impl Cheating {
    /// Gives it a seat.
    pub fn new(cheat: Cheat) -> Cheating {
        Cheating { cheat, hands: None }
    }
}

impl Seat for Cheating {
    fn ask(&mut self, question: &Question) -> io::Result<Answer> {
        let start = Instant::now();
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
