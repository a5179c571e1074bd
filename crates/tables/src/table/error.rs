//! The reasons why something cannot be done at a table, and their texts.

use super::BRANCHES;
use crate::language::Text;
use arena::records::RecordError;
use thiserror::Error;

/// The reasons why something cannot be done at a table.
#[derive(Debug, Error)]
pub(crate) enum TableError {
    /// The request came from a page that shows an earlier position.
    #[error("the game has gone on in the meantime")]
    Stale,
    /// Another seat is to act.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The game does not allow it.
    #[error("{0}")]
    Illegal(String),
    /// The link is not that of a seat.
    #[error("onlookers do not play")]
    Onlooker,
    /// The search for advice failed.
    #[error("the advice could not be worked out")]
    NoAdvice,
    /// The table is without hints.
    #[error("there are no hints at this table")]
    NoHints,
    /// The table has no chat.
    #[error("nobody can write at this table")]
    NoChat,
    /// A person who has resigned takes no further part.
    #[error("you have resigned")]
    Resigned,
    /// Only a game that is over is gone through.
    #[error("the game is not over yet")]
    Unfinished,
    /// A game that began from a position has no record.
    #[error("this game has no record")]
    NoRecord,
    /// The limit of tables that continue this one is reached.
    #[error("{BRANCHES} tables have been set up from this game already")]
    Branches,
    /// There is no such position in the game.
    #[error("expected at most the {found} actions of the game, not {asked}")]
    Beyond { asked: usize, found: usize },
    /// There is no action with this number, from 0.
    #[error("expected an action from 0 on, below {found}, not {asked}")]
    NoAction { asked: usize, found: usize },
    /// There is nothing to take back.
    #[error("nothing can be taken back")]
    NothingToTakeBack,
    /// It could not be written down, and so has not happened.
    #[error(transparent)]
    Unwritten(#[from] RecordError),
}

impl TableError {
    /// The error as a text in the reader's language; errors of the game or the system stay as they are.
    pub(crate) fn text(&self) -> Text {
        let id = match self {
            TableError::Stale => "refused-stale",
            TableError::NotYourTurn => "refused-turn",
            TableError::Onlooker => "refused-onlooker",
            TableError::NoAdvice => "refused-advice",
            TableError::NoHints => "refused-hints",
            TableError::NoChat => "refused-chat",
            TableError::Resigned => "refused-resigned",
            TableError::Unfinished => "refused-unfinished",
            TableError::NoRecord => "refused-record",
            TableError::NothingToTakeBack => "refused-back",
            TableError::Branches => {
                return Text::of("refused-branches").with("n", BRANCHES);
            }
            TableError::Illegal(_)
            | TableError::Beyond { .. }
            | TableError::NoAction { .. }
            | TableError::Unwritten(_) => {
                return Text::plain(self.to_string());
            }
        };
        Text::of(id)
    }
}
