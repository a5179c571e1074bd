//! Errors of a record that is replayed all the same. Programs show them; `runme --strict` refuses the record.

use std::fmt;

/// Something in a record that does not fit the rules or the rest of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inconsistency {
    /// The move, from 0, if it is about one.
    pub index: Option<usize>,
    /// The line of that move, from 1, if the record was read from a text.
    pub line: Option<usize>,
    /// The fault, and what the rules expect; players are counted from 1 as in the record.
    pub message: String,
}

impl fmt::Display for Inconsistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}, ")?;
        }
        if let Some(index) = self.index {
            write!(f, "move {}: ", index + 1)?;
        }
        f.write_str(&self.message)
    }
}
