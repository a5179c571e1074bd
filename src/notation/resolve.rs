//! From a move of the record to an action of the rules, and back. A move gives places and perhaps a card; an action
//! also says whether it is an advance or a retreat.

use crate::record::Move;
use crate::rules::{Action, Game, Place};
use thiserror::Error;

/// The reason why a move of the record stands for no action, not even an illegal one.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ResolveError {
    /// The game has no such player.
    #[error("there is no player {}, only {players}", player + 1)]
    NoPlayer {
        /// The player named, from 0.
        player: usize,
        /// How many there are.
        players: usize,
    },
    /// The board has no such place.
    #[error("place {place} lies beyond the boat at {boat}")]
    BeyondBoat {
        place: Place,
        /// The last place there is.
        boat: Place,
    },
    /// The pirate stays where it is.
    #[error("a move from {0} to {0} goes nowhere")]
    Unmoved(Place),
    /// The boat bears no symbol, so the card must be named.
    #[error("an advance into the boat must name its card")]
    NoCard,
    /// A retreat draws cards and plays none.
    #[error("a retreat from {from} to {to} plays no card")]
    CardOnRetreat {
        /// The pirate's place before.
        from: Place,
        /// The pirate's place after.
        to: Place,
    },
}

/// The action of a move: an advance if it goes forward, with the card that it names or else the symbol of
/// the space reached; a retreat if it goes back. [`Game::check`] says whether the action is legal.
///
/// # Errors
/// If the move is neither.
pub fn resolve(game: &Game, action: Move) -> Result<Action, ResolveError> {
    let Move {
        player,
        from,
        to,
        card,
    } = action;
    let players = game.players;
    if player >= players {
        return Err(ResolveError::NoPlayer { player, players });
    }
    // Both places exist if the larger one does.
    let (place, boat) = (from.max(to), game.board.boat());
    if place > boat {
        return Err(ResolveError::BeyondBoat { place, boat });
    }
    if from == to {
        return Err(ResolveError::Unmoved(from));
    }
    if from > to {
        return match card {
            Some(_) => Err(ResolveError::CardOnRetreat { from, to }),
            None => Ok(Action::Retreat { from, to }),
        };
    }
    // A space has the symbol of the card that leads there. The boat has none.
    let symbol = card
        .or_else(|| game.board.symbol(to))
        .ok_or(ResolveError::NoCard)?;
    Ok(Action::Advance { from, to, symbol })
}

/// The move that records an action, with its card named; none for a pass, which leaves no trace.
pub fn move_of(player: usize, action: Action) -> Option<Move> {
    let (from, to) = action.places()?;
    Some(Move {
        player,
        from,
        to,
        card: action.card(),
    })
}
