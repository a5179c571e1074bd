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
    /// If the game is not over, or a record has no place for this game, its options or these names.
    pub fn record(&self, players: &[String]) -> Result<Value, RecordError> {
        if self.game().turn(self.state()) != Turn::Over {
            return Err(RecordError::Unfinished);
        }
        if players.len() != self.game().players() {
            return unsupported("expected a name for every seat");
        }
        let record = self.game().record(self, players)?;
        // An option that a record does not tell would be lost: whoever learns from it would be shown another game.
        let Ok(again) = G::from_record(&record, usize::MAX) else {
            return unsupported("records do not tell an option of this game");
        };
        let (own, read) = (self.game().options(), again.game().options());
        let is_lost = |(name, value): &(&String, &Value)| {
            !G::UNTOLD.contains(&name.as_str()) && read.get(name) != Some(value)
        };
        match own.as_object().into_iter().flatten().find(is_lost) {
            None => Ok(record),
            Some((name, value)) => unsupported(format!("records do not tell {name} = {value}")),
        }
    }
}
