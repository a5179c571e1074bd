//! Matches of the trick-taking games: duplicate deals, points a round.
//!
//! A *sitting* is what programs play without being started anew: some deals in one rotation of the
//! seats. A program never gets a deal twice in its life.

pub(crate) mod commands;
pub(crate) mod external;
mod ladder;
mod matches;
mod participant;
pub mod report;
pub(crate) mod seat;
pub mod table;

pub use lab::tricks::{Contest, Moon, record};
pub use matches::{Match, Moons, Outcome, SITTING, Tally, play, rotations};
pub use participant::{Limit, Mind, Participant, agent, mind, participant};
pub use seat::{Answer, Builtin, Seat, Started};

use arena::process::CommandLine;
use std::io;
use std::time::Duration;

/// Bytes that are kept of the end of a program's standard error.
pub(crate) const ERRORS_KEPT: usize = 4 << 10;

/// A contest whose programs a match can seat.
pub trait ProgramSeats: Contest {
    /// Starts a program and gives it a seat, or says what its fault was. Each of its answers may take
    /// `time`.
    ///
    /// # Errors
    /// If the operating system cannot start it.
    fn seat(&self, line: &CommandLine, time: Duration) -> io::Result<Started<Self::Round>>;
}

#[cfg(test)]
mod tests;
