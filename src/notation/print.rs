//! The contest's text, exactly as it is defined: single blanks, lower case, a newline at the end.

use super::resolve::move_of;
use crate::record::{GameRecord, Move};
use crate::rules::Action;

/// The text of a record; [`parse`](super::parse) gives the record back.
///
/// A move's card is printed if the record names it.
pub fn print(record: &GameRecord) -> String {
    let mut lines = vec![record.players.to_string(), "cell".into()];
    lines.extend(record.board.spaces().iter().map(|s| s.name().into()));
    lines.push("boat".into());
    lines.extend(record.moves.iter().map(print_move));
    lines.push((record.to_move + 1).to_string());
    lines.extend(record.hand.iter().map(|s| s.name().into()));
    lines.push(String::new());
    lines.join("\n")
}

/// A move as a line of the history, without a newline.
pub fn print_move(action: &Move) -> String {
    let &Move { from, to, card, .. } = action;
    let player = action.player + 1;
    match card {
        Some(card) => format!("{player} {from} {to} {card}"),
        None => format!("{player} {from} {to}"),
    }
}

/// The answer of a program whose player (from 0) takes an action, without a newline. An advance always
/// names its card, and a pass is the empty text.
pub fn print_action(player: usize, action: Action) -> String {
    move_of(player, action).map_or_else(String::new, |m| print_move(&m))
}
