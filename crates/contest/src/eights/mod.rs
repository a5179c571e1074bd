//! Refereeing Tricky Eights: the judge, and the dispatcher that links it to the players' programs.

pub(crate) mod commands;
pub mod dispatch;
mod judge;
pub mod matches;
pub mod table;
pub mod tournament;

pub use judge::{Event, Judge, SEAT_NAMES, Standing};
