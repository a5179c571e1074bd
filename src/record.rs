//! The game so far as the player to move receives it. `notation` makes a record of the contest's text, and `belief`
//! replays it.

use super::rules::{Board, Game, Place, State, Symbol};

/// The history that a player receives before each action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Number of players, 2 to 6.
    pub players: usize,
    pub board: Board,
    /// The actions so far; passes leave no trace.
    pub moves: Vec<Move>,
    /// The player to act, from 0.
    pub to_move: usize,
    /// The hand of the player to act, in the order given.
    pub hand: Vec<Symbol>,
}

impl GameRecord {
    /// The record that the player to move receives in a state that the given moves have led to.
    pub fn of_state(game: &Game, state: &State, moves: Vec<Move>) -> GameRecord {
        let to_move = usize::from(state.to_move);
        GameRecord {
            players: game.players,
            board: game.board.clone(),
            moves,
            to_move,
            hand: state.hands[to_move].iter().collect(),
        }
    }
}

/// An action of the record: the player, the pirate's places before and after, and the card if it is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The player, from 0.
    pub player: usize,
    /// The pirate's place before.
    pub from: Place,
    /// The pirate's place after.
    pub to: Place,
    /// The card played, if it is named: never for a retreat, always for an advance into the boat. Elsewhere it
    /// may be left out, as it has the symbol of the space reached.
    pub card: Option<Symbol>,
}
