//! The description of a participant as the files of tournaments store it.

use super::{BUILTIN, BuiltinError, ParticipantArg, ParticipantError, Syntax};
use crate::process::ProgramError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::str::FromStr;
use thiserror::Error;

/// The description of a participant, as files of tournaments store it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParticipantRecord {
    /// The name in tables and records.
    pub label: String,
    /// `builtin:NAME[,key=value…]`, or the path of a folder with a `runme`, or of an executable.
    pub program: String,
    /// Identifies this version of the program; empty if it is part of this program.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fingerprint: String,
    /// Environment variables for the program, besides those that it inherits.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub variables: BTreeMap<String, String>,
    /// Seconds that it may take for a decision, if it has another limit than the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Whether the program is started once a game and then asked many times, instead of started for every
    /// action.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stays: bool,
}

/// Reasons why a program cannot take part.
#[derive(Debug, Error)]
pub enum ParticipantRecordError {
    /// No such built-in player.
    #[error("{program}: {error}")]
    Builtin {
        program: String,
        error: BuiltinError,
    },
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The program cannot be read.
    #[error("{program}: {error}")]
    Io { program: String, error: io::Error },
    /// A variable was given for a part of this program.
    #[error("{0} is a built-in player: it has settings, not an environment")]
    Variable(String),
    /// A limit was given for a part of this program.
    #[error("{0} is a built-in player: its own settings limit it")]
    Limit(String),
    /// Neither a built-in player nor a program.
    #[error(transparent)]
    Unknown(#[from] ParticipantError),
}

impl FromStr for ParticipantRecord {
    type Err = Infallible;

    /// Reads `PROGRAM` or `LABEL=PROGRAM` (see [`ParticipantArg`]).
    fn from_str(text: &str) -> Result<ParticipantRecord, Infallible> {
        let ParticipantArg { label, program } = ParticipantArg::new(text, Syntax::PATHS);
        Ok(ParticipantRecord {
            label,
            program,
            fingerprint: String::new(),
            variables: BTreeMap::new(),
            seconds: None,
            stays: false,
        })
    }
}

impl ParticipantRecord {
    /// Whether the participant is a player inside this program.
    pub fn is_builtin(&self) -> bool {
        self.program.starts_with(BUILTIN)
    }

    /// The error that this participant's program cannot be read.
    pub fn io(&self, error: io::Error) -> ParticipantRecordError {
        ParticipantRecordError::Io {
            program: self.program.clone(),
            error,
        }
    }

    /// This built-in player, if it has neither an environment nor a limit that only programs have.
    ///
    /// # Errors
    /// If it has.
    pub fn is_limited_by_itself(self) -> Result<ParticipantRecord, ParticipantRecordError> {
        match (self.variables.is_empty(), self.seconds) {
            (false, _) => Err(ParticipantRecordError::Variable(self.label)),
            (true, Some(_)) => Err(ParticipantRecordError::Limit(self.label)),
            (true, None) => Ok(self),
        }
    }

    /// Whether both are the same program, wherever it is stored.
    pub fn is_same(&self, other: &ParticipantRecord) -> bool {
        let place = self.is_builtin() || other.is_builtin();
        self.label == other.label
            && self.fingerprint == other.fingerprint
            && self.variables == other.variables
            && self.seconds == other.seconds
            && (!place || self.program == other.program)
    }

    /// The program in words, with its version.
    pub fn describe(&self) -> String {
        let mut text = self.program.clone();
        if !self.fingerprint.is_empty() {
            text += &format!(" (fingerprint {})", self.fingerprint);
        }
        for (name, value) in &self.variables {
            text += &format!(" {name}={value}");
        }
        if let Some(seconds) = self.seconds {
            text += &format!(" with {seconds} s a decision");
        }
        if self.stays {
            text += ", which stays";
        }
        text
    }

    /// Removes the path, which says nothing about the program itself.
    pub fn forget_place(&mut self) {
        if !self.is_builtin() {
            self.program.clear();
        }
    }
}
