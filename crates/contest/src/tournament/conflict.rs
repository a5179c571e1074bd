//! Errors in a request for a tournament: it contradicts the tournament in the folder, or makes no sense.

use arena::labels::LabelError;
use thiserror::Error;

/// Why a request cannot be fulfilled. `there` is the tournament's own value, `asked` the requested one.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Conflict {
    /// Another value of a setting that the games depend on, which can no longer change.
    #[error("the tournament is played with {name} {there}, not {asked}; use another folder")]
    Setting {
        name: String,
        there: String,
        /// The value in the request.
        asked: String,
    },
    /// The label of a program that takes part already, for another program.
    #[error("{label} is {there}, not {asked}; give the new one another label, as LABEL=PROGRAM")]
    Program {
        label: String,
        /// The program that the label stands for.
        there: String,
        /// The program in the request.
        asked: String,
    },
    /// A label that is easily mistaken for another, or cannot be read.
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
    /// The same for a part of the rules that has no single value.
    #[error("the tournament is played with {there}, not with {asked}; use another folder")]
    Rules { there: String, asked: &'static str },
    /// An option or setting that does not go with the format or with another option.
    #[error("{format}: {reason}")]
    Format {
        format: &'static str,
        reason: &'static str,
    },
    #[error("a tournament needs at least two programs, and there {}: name them before --out", match .0 { 0 => "is none".to_owned(), n => format!("is {n}") })]
    Programs(usize),
    /// A value out of its range.
    #[error("{name} {value}: expected {expected}")]
    Value {
        name: String,
        value: String,
        /// The range of valid values.
        expected: String,
    },
}
