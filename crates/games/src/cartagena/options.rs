//! The options of a game of Cartagena, and their ranges.

use crate::game::OptionError;
use ::cartagena::rules::{Board, MAX_PIRATES, MAX_PLAYERS, MAX_SPACES, Symbol};
use serde::{Deserialize, Serialize};

/// The options; the defaults are the contest's, except that of `early_pass`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    pub players: usize,
    /// Cards dealt to each, 0 to 17.
    pub deal: usize,
    /// The symbols of the spaces from the cell to the boat, a letter each of `b d g h k s`. `None`: a random
    /// board for every game.
    pub board: Option<String>,
    /// Spaces of the board, or of random ones, 1 to 126. A game with a board has that one's.
    pub spaces: usize,
    /// Pirates of each player, 1 to 6.
    pub pirates: usize,
    /// Whether a pirate may leave the boat again.
    pub boat_retreat: bool,
    /// Whether all hands lie open, as in the printed game's variant "Tortuga". The contest's are hidden.
    pub open_hands: bool,
    /// Whether a turn may be ended after its first action. The contest's may; here it is an option.
    pub early_pass: bool,
    /// Turns after which a game is stopped and drawn, 1 to 10,000.
    pub max_turns: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            players: 2,
            deal: 3,
            board: None,
            spaces: 36,
            pirates: MAX_PIRATES,
            boat_retreat: true,
            open_hands: false,
            early_pass: false,
            max_turns: 500,
        }
    }
}

/// A board as a word, a letter for each space.
pub fn word(board: &Board) -> String {
    board.spaces().iter().copied().map(Symbol::letter).collect()
}

impl Options {
    /// Checks all options; returns the board, if one is given.
    pub(super) fn check(&self) -> Result<Option<Board>, OptionError> {
        OptionError::within("players", self.players, 2..=MAX_PLAYERS)?;
        OptionError::within("pirates", self.pirates, 1..=MAX_PIRATES)?;
        // 17 cards for each of six players are the whole deck.
        OptionError::within("deal", self.deal, 0..=17)?;
        // It is checked even if a board is given, which has its own length.
        OptionError::within("spaces", self.spaces, 1..=MAX_SPACES)?;
        OptionError::within("max_turns", self.max_turns, 1..=10_000)?;
        let Some(word) = &self.board else {
            return Ok(None);
        };
        // The error shows the whole word and the letter that is wrong.
        let symbol = |wanted: char| {
            Symbol::of_letter(wanted).ok_or_else(|| OptionError::Value {
                option: "board",
                value: word.clone(),
                expected: format!("letters of b d g h k s, not {wanted:?}"),
            })
        };
        let spaces = word.chars().map(symbol).collect::<Result<Vec<_>, _>>()?;
        let length = spaces.len();
        let board = Board::new(spaces).map_err(|_| OptionError::Value {
            option: "board",
            value: format!("{word:?}"),
            expected: format!("1 to {MAX_SPACES} letters, not {length}"),
        })?;
        Ok(Some(board))
    }
}
