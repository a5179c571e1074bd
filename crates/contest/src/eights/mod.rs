//! Refereeing Tricky Eights: the judge, and the dispatcher that links it to the players' programs.
//!
//! The judge is a game with its requests, faults and scores: lines go in and come out, and it knows no
//! stream and no clock. Around it is as little as possible:
//!
//! - `contest eights serve` reads standard input on a thread, so that it can wait for an answer with a
//!   clock.
//! - `dispatch` holds five `process::Session`s, programs that it speaks with while they run. One `poll`
//!   waits for all their streams (`arena::wire`). A program that floods is not read any further; one
//!   that does not read is written to only as far as its pipe goes. The dispatcher receives what the
//!   players receive (`Client` with the random policy), so that it can play for any of them.
//! - `contest eights tournament` plays each table by `Match::game` of the matches, so that built-in
//!   players can take part. `tournament` pairs, and says who goes on. It adds up the same round
//!   records, just played or read from the file of an earlier run.
//! - `table::messages` reads the lines of the protocol as a place where a table can begin.

pub(crate) mod commands;
pub mod dispatch;
mod judge;
pub mod matches;
pub mod table;
pub mod tournament;

pub use judge::{Event, Judge, SEAT_NAMES, Standing};
