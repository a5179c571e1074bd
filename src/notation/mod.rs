//! The contest's text: a game's history to a [`GameRecord`](super::record::GameRecord) and back,
//! and single actions as programs answer them. The player reads games and prints answers by it, a referee prints games
//! and reads answers.
//!
//! Lines end in LF or CR LF. Blank lines, blanks and tabs around and between fields, upper case, a
//! missing last newline and `key` for `keys` are accepted; printed text has none of them. Players count
//! from 1 in the text and from 0 everywhere else.
//!
//! Reading checks the form of each line and that its numbers exist in this game. It does not check
//! whether a move is legal; the replay does.

mod error;
mod grammar;
mod print;
mod resolve;
#[cfg(test)]
mod tests;

pub use error::{Expected, Found, ParseError};
pub use grammar::{Answer, lines_of_moves, parse, parse_action};
pub use print::{print, print_action, print_move};
pub use resolve::{ResolveError, move_of, resolve};
