//! Seats: what a referee asks for actions. A seat is a built-in player or a program, and it may answer wrongly.

use super::players::cheat::Cheat;
pub use arena::fault::{Fault, FaultKind};
use cartagena::player::{Player, Question};
use cartagena::rules::{Action, Cards};
use std::io;
use std::time::Instant;

/// The holder of a seat for one game, which is asked for actions. With a question it gets all hands, by seat, where they
/// may be shown; it ignores them, unless it measures what knowing the hands is worth. The referee checks afterwards
/// whether the rules allow the action.
///
/// # Errors
/// If the referee's own machine failed, which is not the seat's fault: then the game has no result.
pub type Seat = Box<dyn FnMut(&Question, Option<&[Cards]>) -> io::Result<Answer> + Send>;

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

/// Seats a player that runs inside this program.
pub fn inside(mut player: Box<dyn Player>) -> Seat {
    Box::new(move |question, _| {
        let start = Instant::now();
        // Only the choice is timed: a built-in player has no process to start and no text to read.
        let action = player.choose(question);
        Ok(Answer::silent(action, start))
    })
}

/// Seats a player that sees all hands. It can play only where hands are shown to it: in matches and tournaments.
pub fn cheating(mut cheat: Cheat) -> Seat {
    Box::new(move |question, hands| {
        let start = Instant::now();
        Ok(match hands {
            Some(hands) => Answer::silent(cheat.choose(question, hands), start),
            None => Answer {
                reply: Err(Fault::new(FaultKind::Malformed, "no open hands to look at")),
                ..Answer::silent(Action::Pass, start)
            },
        })
    })
}
