//! Reasons why a tournament cannot become what was asked for.

use arena::labels::LabelError;
use thiserror::Error;

/// Why a tournament cannot become what was asked for.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Conflict {
    /// A setting that games were played with.
    #[error("the tournament is played with {name} {there}, not {asked}; use another folder")]
    Setting {
        name: &'static str,
        there: String,
        /// The value in the request.
        asked: String,
    },
    /// Two programs with one label.
    #[error("{label} is {there}, not {asked}; give the new one another label, as LABEL=PROGRAM")]
    Program {
        label: String,
        /// The program that the label stands for.
        there: String,
        /// The program in the request.
        asked: String,
    },
    /// A label that can be taken for another.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// Two programs of one request with one label.
    #[error(
        "two programs have the label {label}, {first} and {second}: give one another label, as in other={second}"
    )]
    Twins {
        label: String,
        first: String,
        second: String,
    },
    /// Other boards and decks than the tournament has.
    #[error(
        "the tournament is played with {there}, not with the boards and decks of --positions; use another folder"
    )]
    Positions {
        /// The boards and decks of the tournament.
        there: String,
    },
    /// A property that a format cannot have.
    #[error("{format}: {reason}")]
    Format {
        format: &'static str,
        reason: &'static str,
    },
    #[error("a tournament needs at least two programs, and there {}: name them before --out", match .0 { 0 => "is none".to_owned(), n => format!("is {n}") })]
    Programs(usize),
    /// A number that makes no sense.
    #[error("{name} {value}: expected {expected}")]
    Value {
        name: &'static str,
        value: String,
        /// The range of valid values.
        expected: &'static str,
    },
}
