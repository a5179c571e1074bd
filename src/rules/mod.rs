//! The rules of Cartagena (Leo Colovini, the version that the contest calls Jamaica): pure functions
//! without input, output, clock or chance. The cards that a retreat draws are an argument.
//!
//! Each player wants to bring its pirates from the cell, past the spaces, to the boat. A turn has up to three
//! actions. An *advance* plays a card and takes a pirate to the next empty space with the card's symbol, or to the
//! boat if there is none. A *retreat* takes a pirate back to the nearest space with one or two pirates, and draws a
//! card for each of these.

mod action;
mod board;
mod mask;
mod state;
mod symbol;
mod track;

pub use action::Action;
pub use board::{Board, BoardError, CELL, MAX_SPACES, Place};
pub use state::{ACTIONS_A_TURN, ActionList, Game, IllegalAction, MAX_ACTIONS, State};
pub use symbol::{COPIES, Cards, DECK, SYMBOLS, Symbol};
pub use track::{MAX_PIRATES, MAX_PLAYERS, Track};
