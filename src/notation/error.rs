//! The error of a text that cannot be read: the place of the fault, the words expected there, and those found.

use crate::rules::{DECK, MAX_PLAYERS, MAX_SPACES, Place, Symbol};
use std::fmt;
use thiserror::Error;

/// The most characters of the text that a message repeats.
const SHOWN: usize = 24;

/// Why a text cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
    /// The words or numbers that should stand there.
    pub expected: Expected,
    pub found: Found,
}

/// The words or numbers that should stand in the place of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    PlayerCount,
    /// The line before the board.
    Cell,
    /// The board's first space.
    Space,
    /// Another space, or the board's end.
    SpaceOrBoat,
    /// The board's end after as many spaces as a board may have.
    Boat,
    /// The number that starts a move or names the player to move. The value is the number of players.
    MoveOrTurn(usize),
    /// The number that starts an action. The value is the highest player.
    Player(usize),
    /// A pirate's place before or after a move. The value is the highest place, the boat.
    Place(Place),
    /// The card of a move, or the end of its line.
    CardOrEndOfLine,
    /// Nothing more on this line.
    EndOfLine,
    /// A card of the hand, or the end of the text.
    CardOrEndOfInput,
    /// No more cards than there are in the deck.
    EndOfHand,
    /// Nothing after the one line of an answer.
    OneAction,
    /// The same game without the line numbers that a viewer has put before every line.
    NoLineNumbers,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::PlayerCount => write!(f, "the number of players (2 to {MAX_PLAYERS})"),
            Expected::Cell => write!(f, "\"cell\""),
            Expected::Space => write!(f, "a symbol ({})", Symbol::names()),
            Expected::SpaceOrBoat => write!(f, "a symbol ({}) or \"boat\"", Symbol::names()),
            Expected::Boat => write!(f, "\"boat\" (a board has at most {MAX_SPACES} spaces)"),
            Expected::MoveOrTurn(players) => write!(
                f,
                "a move or the player to move (players are 1 to {players})"
            ),
            Expected::Player(players) => write!(f, "a player from 1 to {players}"),
            Expected::Place(boat) => write!(f, "a place from 0 to {boat}"),
            Expected::CardOrEndOfLine => {
                write!(f, "a symbol ({}) or the end of the line", Symbol::names())
            }
            Expected::EndOfLine => write!(f, "the end of the line"),
            Expected::CardOrEndOfInput => {
                write!(f, "a symbol ({}) or the end of the input", Symbol::names())
            }
            Expected::EndOfHand => write!(
                f,
                "the end of the input (a hand has at most {DECK} cards, the whole deck)"
            ),
            Expected::NoLineNumbers => write!(
                f,
                "a game without a number before every line, as a viewer shows one (sed 's/^ *[0-9]* *//' \
                 removes the numbers)"
            ),
            Expected::OneAction => write!(f, "nothing after the first line (one action only)"),
        }
    }
}

/// The text in the place of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A word, escaped and shortened for a message.
    Text(String),
    /// The line is over.
    EndOfLine,
    /// The text is over.
    EndOfInput,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Text(text) => write!(f, "\"{text}\""),
            Found::EndOfLine => f.write_str("the end of the line"),
            Found::EndOfInput => f.write_str("the end of the input"),
        }
    }
}

impl ParseError {
    /// The error at the given offset of a text.
    pub(super) fn at(text: &[u8], offset: usize, expected: Expected) -> ParseError {
        let (before, rest) = text.split_at(offset.min(text.len()));
        // A column counts the bytes since the last line feed.
        let line_start = before
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |i| i + 1);
        ParseError {
            line: 1 + before.iter().filter(|&&b| b == b'\n').count(),
            column: 1 + before.len() - line_start,
            expected,
            found: Found::at(rest),
        }
    }
}

impl Found {
    /// The text at the beginning of `rest`, in a form for messages.
    fn at(rest: &[u8]) -> Found {
        match rest.iter().find(|b| !b" \t\r".contains(b)) {
            // Blanks are skipped: the message names the next thing that can be seen.
            None => return Found::EndOfInput,
            Some(b'\n') => return Found::EndOfLine,
            Some(_) => {}
        }
        let mut words = rest.split(|b| b" \t\n".contains(b));
        let word = words.next().unwrap_or_default();
        // The carriage return of a line end is no part of the word. One alone is shown: it is what is wrong then.
        let is_last = rest.get(word.len()) == Some(&b'\n');
        let word = word.strip_suffix(b"\r").filter(|_| is_last).unwrap_or(word);
        // A word may be as long as the input. A character has at most 4 bytes, so this is enough for the
        // characters shown and one more, which says that there are more.
        let head = &word[..word.len().min(4 * (SHOWN + 1))];
        let mut shown = head
            .utf8_chunks()
            .flat_map(|chunk| {
                let valid = chunk.valid().chars().map(|c| c.escape_debug().to_string());
                let invalid = chunk.invalid().iter().map(|b| format!("\\x{b:02x}"));
                valid.chain(invalid)
            })
            .collect::<Vec<_>>();
        if shown.len() > SHOWN {
            shown.truncate(SHOWN);
            shown.push("…".into());
        }
        Found::Text(shown.concat())
    }
}
