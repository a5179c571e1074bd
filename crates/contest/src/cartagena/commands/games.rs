//! Finding one game in a file of records, for the commands that show or analyse it.

use crate::Usage;
use crate::cartagena::record::{Positions, Record};
use crate::records::Selector;
use crate::tournament::games_file;
use arena::plain_text::counted;
use std::path::Path;

/// Reads a game from a file of records or a tournament's folder, and replays it.
///
/// # Errors
/// Wrong usage if the file cannot be read as far as the game, or does not have it, or if the game breaks the rules.
pub(super) fn load(path: &Path, which: &Selector) -> anyhow::Result<(Record, Positions)> {
    let file = games_file(path);
    let record: Record = which.find("cartagena", &file, |record: &Record| &record.id)?;
    let history = record.positions().map_err(|error| {
        let (path, which) = (path.display(), which.describe::<Record>());
        Usage::new(format!("{path}: {which} cannot be replayed: {error}"))
    })?;
    Ok((record, history))
}

/// The index (from 0) of the action with this number (from 1).
///
/// # Errors
/// Wrong usage if there is no such action.
pub(super) fn step(history: &Positions, number: usize) -> anyhow::Result<usize> {
    let actions = history.steps.len();
    if (1..=actions).contains(&number) {
        return Ok(number - 1);
    }
    if actions == 0 {
        refuse!(
            "the game has no actions: it was decided by a fault; see `contest cartagena input FILE GAME --fault 1`"
        );
    }
    refuse!("there is no action {number}: the game has actions 1 to {actions}");
}

/// The players and the result in one line, without a line end.
pub(super) fn heading(record: &Record) -> String {
    let players: Vec<String> = record
        .players
        .iter()
        .enumerate()
        .map(|(seat, label)| format!("{} {label}", seat + 1))
        .collect();
    let end = match record.result.winner {
        Some(winner) => format!("player {winner} won"),
        None => "stopped and drawn".to_owned(),
    };
    format!(
        "game {}: {}; {end}, {}, {}",
        record.id,
        players.join(" against "),
        counted(record.result.turns, "turn"),
        counted(record.result.actions, "action")
    )
}
