//! Refereeing Tricky Eights: the judge, and the dispatcher that links it to the players' programs.
//!
//! [`Judge`] is a game with its requests, faults and scores: lines go in and come out, and it has neither
//! streams nor a clock. The other parts add them:
//!
//! - `contest eights serve` reads standard input on a thread, so that it can wait for an answer with a
//!   clock.
//! - `dispatch` holds five `arena::process::Session`s: the server and four programs. One `poll` waits for
//!   all their streams (`arena::wire`). A program that floods is not read any further; one that does not
//!   read is written to only until its pipe is full. For each program the dispatcher has a `Client` with
//!   the random policy that receives the same messages, so it can play for any of them.
//! - `contest eights knockout` plays each table by `Match::game` of the matches, so that built-in
//!   players can take part. `knockout` makes the tables of a stage and finds the participants who go
//!   on. It adds up records of rounds, just played or read from the file of an earlier run.
//! - `table::messages` reads lines of the protocol as the beginning of a table's game.

pub(crate) mod commands;
pub mod dispatch;
mod judge;
pub mod knockout;
pub mod matches;
pub mod table;

pub use judge::{Event, Judge, SEAT_NAMES, Standing};
