//! The rules of Cartagena (Leo Colovini, the version that the contest calls Jamaica): pure functions
//! without input, output, clock or chance. The cards that a retreat draws are an argument.

mod action;
mod board;
mod mask;
mod state;
mod symbol;
mod track;

pub use action::Action;
pub use board::{Board, BoardError, CELL, MAX_SPACES, Place};
pub use state::{ACTIONS_A_TURN, ActionList, Game, IllegalAction, State};
pub use symbol::{COPIES, Cards, DECK, SYMBOLS, Symbol};
pub use track::{MAX_PIRATES, MAX_PLAYERS, Track};
