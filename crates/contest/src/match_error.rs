//! Why a game of a match or a tournament could not be finished.

use arena::fault::Fault;
use arena::process::{Stopped, Tampered};
use std::io;
use thiserror::Error;

/// A game that could not be finished, and why.
#[derive(Debug, Error)]
pub enum MatchError {
    /// A program did something wrong in a match without faults.
    #[error("game {game}: {label}: {fault}")]
    Fault {
        game: String,
        /// The program at fault.
        label: String,
        fault: Fault,
    },
    /// Somebody has changed the files of a program, so nothing in the game can be trusted.
    #[error("game {game} is void, and nothing of it is recorded: {reason}")]
    Void {
        game: String,
        /// The files that have changed, and who may have done it.
        reason: Tampered,
    },
    /// The signal that asked this process to stop ended a call of a program, and repeated calls too, if any.
    #[error("game {game} is left unplayed: {Stopped}")]
    Stopped { game: String },
    #[error("game {game}: {error}")]
    Io { game: String, error: io::Error },
}

impl MatchError {
    /// The referee's own error in a game: a program's mistake is a fault inside the game.
    pub fn of(game: String, error: io::Error) -> MatchError {
        match Tampered::of(&error) {
            Some(reason) => MatchError::Void {
                game,
                reason: reason.clone(),
            },
            None if Stopped::is(&error) => MatchError::Stopped { game },
            None => MatchError::Io { game, error },
        }
    }
}
