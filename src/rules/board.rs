//! The passage from the cell to the boat: its places, and the symbols on its spaces.

use super::symbol::{SYMBOLS, Symbol};
use thiserror::Error;

/// The most spaces a board may have, so that every place fits a 128-bit mask.
pub const MAX_SPACES: usize = 126;
/// A place on the passage: 0 is the cell, 1 to n the spaces, n + 1 the boat.
pub type Place = u8;
/// The cell, where every pirate starts.
pub const CELL: Place = 0;

/// A board: the symbol of every space, and for each symbol the mask of places its cards can reach.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    spaces: Vec<Symbol>,
    /// Bit `p` of `reach[s]`: place `p` bears symbol `s`, or is the boat.
    reach: [u128; SYMBOLS],
}

/// A list of symbols is no board, as it has this number of spaces.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("a board has 1 to {MAX_SPACES} spaces between the cell and the boat, not {0}")]
pub struct BoardError(pub usize);

impl Board {
    /// A board with the given spaces from the cell to the boat.
    ///
    /// # Errors
    /// If there are none, or more than [`MAX_SPACES`].
    pub fn new(spaces: Vec<Symbol>) -> Result<Board, BoardError> {
        if spaces.is_empty() || spaces.len() > MAX_SPACES {
            return Err(BoardError(spaces.len()));
        }
        // Every card can lead to the boat, so its bit is in the masks of all symbols.
        let boat = spaces.len() + 1;
        let mut reach = [1u128 << boat; SYMBOLS];
        for (i, symbol) in spaces.iter().enumerate() {
            reach[symbol.index()] |= 1 << (i + 1);
        }
        Ok(Board { spaces, reach })
    }

    /// The symbols of spaces 1 to n.
    pub fn spaces(&self) -> &[Symbol] {
        &self.spaces
    }

    /// The boat's place, n + 1.
    #[inline]
    pub fn boat(&self) -> Place {
        self.spaces.len() as Place + 1
    }

    /// The symbol of a space; none for the cell, the boat and places beyond it.
    pub fn symbol(&self, place: Place) -> Option<Symbol> {
        self.spaces.get((place as usize).wrapping_sub(1)).copied()
    }

    /// The places that a card of `symbol` can lead to, as a mask: the spaces that bear it, and the boat.
    #[inline]
    pub fn reach(&self, symbol: Symbol) -> u128 {
        self.reach[symbol.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        assert_eq!(Board::new(vec![]), Err(BoardError(0)));
        assert_eq!(Board::new(vec![Symbol::Gun; 127]), Err(BoardError(127)));
        let board = Board::new(vec![Symbol::Gun; 126]).unwrap();
        assert_eq!(board.boat(), 127);
        assert_eq!(board.symbol(0), None);
        assert_eq!(board.symbol(126), Some(Symbol::Gun));
        assert_eq!(board.symbol(127), None);
        assert_eq!(board.reach(Symbol::Hat), 1 << 127);
    }
}
