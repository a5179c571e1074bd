//! Faults: what a participant does against the rules or the protocol. Referees detect them, and records and tables
//! name them by their kind; each contest decides what follows from one.

use crate::plain_text::printable;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// The answer is not one line with an action.
    Malformed,
    /// The rules do not allow the action.
    Illegal,
    /// The answer came after the time allowed.
    Late,
    /// The program did not end in time, with or without an answer, and was ended.
    Timeout,
    /// The program failed: it could not be started, ended with a status that is not 0 or before its answer, went over a
    /// limit, or changed its own files.
    Crash,
    /// The program left a process behind. Records call it `lingering`.
    #[serde(rename = "lingering")]
    Leftover,
}

impl FaultKind {
    /// All kinds, in the order of their declaration.
    pub const ALL: [FaultKind; 6] = [
        FaultKind::Malformed,
        FaultKind::Illegal,
        FaultKind::Late,
        FaultKind::Timeout,
        FaultKind::Crash,
        FaultKind::Leftover,
    ];

    /// The name of the kind in records and tables.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Malformed => "malformed",
            FaultKind::Illegal => "illegal",
            FaultKind::Late => "late",
            FaultKind::Timeout => "timeout",
            FaultKind::Crash => "crash",
            FaultKind::Leftover => "lingering",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A fault: what a participant did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// The value found and the value expected, in words.
    pub detail: String,
}

impl Fault {
    /// A fault with its description. The text may quote a program, so control characters in it are replaced.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        let detail = printable(&detail.into()).into_owned();
        Fault { kind, detail }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)
    }
}
