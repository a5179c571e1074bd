//! What every referee shares: line-ups and deal blocks, playing them on all cores, statistics.
//!
//! A *block* is one deal played in every rotation of the seats, so that the luck of the deal and
//! of the seat falls on everyone alike; it is the unit of all statistics. [`Table`] is what a
//! contest adds: how one game is played. The results do not depend on how many threads play.

pub mod fault;
pub mod line_up;
pub mod participant;
pub mod process;
pub mod progress;
pub mod rating;
pub mod records;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod sprt;
pub mod stats;
pub mod wire;

pub use line_up::LineUp;
pub use schedule::{Block, Fixture, Plan, Played, SeatResult, Table};
