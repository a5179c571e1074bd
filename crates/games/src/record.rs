//! Records of finished games, in the formats of the contests' referees: [`Game::record`] writes one, and
//! [`Game::from_record`] reads one.

use crate::game::{Game, Id, OptionError, Turn};
use crate::history::{History, Refused};
use serde_json::Value;
use std::error::Error;
use thiserror::Error;

/// Why there is no record, or no history of one.
#[derive(Debug, Error)]
pub enum RecordError {
    #[error("the game is not over")]
    Unfinished,
    /// The format, or the game, has no place for it.
    #[error("{0}")]
    Unsupported(String),
    #[error("the record cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// Something in the record contradicts the rules.
    #[error("{0}")]
    Replay(Box<dyn Error + Send + Sync>),
    #[error(transparent)]
    Options(#[from] OptionError),
    /// An event that the rules refuse.
    #[error("event {number}: {reason}")]
    Refused { number: usize, reason: Refused },
}

impl RecordError {
    /// The error of a reader that checks records against the rules.
    pub(crate) fn replay(error: impl Into<Box<dyn Error + Send + Sync>>) -> RecordError {
        RecordError::Replay(error.into())
    }
}

pub(crate) fn unsupported<T>(reason: impl Into<String>) -> Result<T, RecordError> {
    Err(RecordError::Unsupported(reason.into()))
}

impl<G: Game> History<G> {
    /// Takes the next action or outcome of a record.
    pub(crate) fn follow(&mut self, id: Id) -> Result<(), RecordError> {
        let number = self.events().len() + 1;
        let applied = self.apply(id);
        applied.map_err(|reason| RecordError::Refused { number, reason })
    }

    /// The record of the game, with the players' names by seat.
    ///
    /// # Errors
    /// If the game is not over, or its record has no place for this game or these names.
    pub fn record(&self, players: &[String]) -> Result<Value, RecordError> {
        if self.game().turn(self.state()) != Turn::Over {
            return Err(RecordError::Unfinished);
        }
        if players.len() != self.game().players() {
            return unsupported("expected a name for every seat");
        }
        self.game().record(self, players)
    }
}
