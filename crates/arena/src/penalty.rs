//! The penalty of a tournament's faults.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The penalty for a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Penalty {
    /// The player loses the game, and the others play on; the last player left wins.
    #[default]
    Forfeit,
    /// Nothing: random legal actions are taken instead.
    #[serde(rename = "random")]
    RandomAction,
}

impl fmt::Display for Penalty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Penalty::Forfeit => "forfeit",
            Penalty::RandomAction => "random",
        })
    }
}
