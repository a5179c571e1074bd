//! What breaks the rules in a record.

use std::fmt;

/// Something in a record that the rules do not allow. The replay went on all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oddity {
    /// The move, from 0, if it is about one.
    pub index: Option<usize>,
    /// What was odd and what the rules expect; players are counted from 1 as in the record.
    pub message: String,
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(index) = self.index {
            write!(f, "move {}: ", index + 1)?;
        }
        f.write_str(&self.message)
    }
}
