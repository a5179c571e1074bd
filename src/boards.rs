//! Boards to play on: random ones for matches and training, and boards read from text.

use crate::rules::{Board, BoardError, SYMBOLS, Symbol};
use engine::rng::{self, Random};
use thiserror::Error;

/// Segments of a standard board.
const SEGMENTS: usize = 6;

/// A standard board: six segments, 36 spaces, each segment with every symbol once in random order.
pub fn standard(rng: &mut Random) -> Board {
    of_length(SEGMENTS * SYMBOLS, rng)
}

/// A board of such segments with 1 to [`MAX_SPACES`](crate::rules::MAX_SPACES) spaces. The last segment is
/// cut off if it does not fit.
///
/// # Panics
/// If `spaces` is outside these limits.
pub fn of_length(spaces: usize, rng: &mut Random) -> Board {
    let mut symbols = Vec::with_capacity(spaces + SYMBOLS);
    while symbols.len() < spaces {
        let mut segment = Symbol::ALL;
        rng::shuffle(rng, &mut segment);
        symbols.extend(segment);
    }
    symbols.truncate(spaces);
    Board::new(symbols).expect("the number of spaces is within the limits")
}

/// The reason why a text is no board.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ParseBoardError {
    /// A word that is no symbol.
    #[error("line {line}: expected a symbol ({}), not {word:?}", Symbol::names())]
    Symbol {
        /// The line, from 1.
        line: usize,
        word: String,
    },
    /// Too few or too many symbols.
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// Reads a board: the symbols from the cell to the boat, on one line or on many. `cell` before them and `boat`
/// after them are optional, and the rest of a line after a `#` is a comment.
///
/// # Errors
/// If a word is no symbol, or their number no board.
pub fn parse(text: &str) -> Result<Board, ParseBoardError> {
    let mut spaces = Vec::new();
    let mut ended = false;
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        for word in line.split_whitespace() {
            let lower = word.to_ascii_lowercase();
            // No symbol may stand before `cell` or after `boat`.
            match (Symbol::named(word.as_bytes()), lower.as_str()) {
                (Some(symbol), _) if !ended => spaces.push(symbol),
                (None, "cell") if spaces.is_empty() => {}
                (None, "boat") if !ended => ended = true,
                _ => {
                    return Err(ParseBoardError::Symbol {
                        line: i + 1,
                        word: word.to_owned(),
                    });
                }
            }
        }
    }
    Ok(Board::new(spaces)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standard_board_has_every_symbol_in_every_segment() {
        let board = standard(&mut rng::stream(3, 0));
        for segment in board.spaces().chunks(SYMBOLS) {
            let mut segment = segment.to_vec();
            segment.sort_unstable();
            assert_eq!(segment, Symbol::ALL);
        }
        assert_ne!(board, standard(&mut rng::stream(4, 0)));
    }

    #[test]
    fn boards_are_read() {
        let board = parse("cell\nskull hat # two\r\nKey\nboat\n").unwrap();
        assert_eq!(board.spaces(), [Symbol::Skull, Symbol::Hat, Symbol::Keys]);
        assert_eq!(parse(""), Err(BoardError(0).into()));
        let wrong = |line, word: &str| {
            Err(ParseBoardError::Symbol {
                line,
                word: word.to_owned(),
            })
        };
        assert_eq!(parse("hat\nrum"), wrong(2, "rum"));
        assert_eq!(parse("hat\nboat hat"), wrong(2, "hat"));
    }
}
