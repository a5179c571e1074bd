//! Refereeing Tricky Eights: the judge, and the dispatcher that links it to the players' programs.

pub mod dispatch;
mod judge;

pub use judge::{Event, Judge, SEAT_NAMES, Standing};
