//! Finding a game in a file of records.

use crate::Usage;
use crate::cartagena::record::{History, Record, read};
use crate::cartagena::tournament::GAMES;
use anyhow::Context;
use std::convert::Infallible;
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::str::FromStr;

/// Which game of a file is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// The n-th, from 1.
    Number(usize),
    /// The first with this id.
    Id(String),
}

impl FromStr for Which {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Which, Infallible> {
        Ok(match text.parse() {
            Ok(number) => Which::Number(number),
            Err(_) => Which::Id(text.to_owned()),
        })
    }
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Which::Number(number) => write!(f, "game {number}"),
            Which::Id(id) => write!(f, "game {id:?}"),
        }
    }
}

/// Reads a game and plays it again.
///
/// # Errors
/// Wrong usage if the file cannot be read as far as the game, or does not have it; another error
/// if the game breaks the rules.
pub(super) fn load(path: &Path, which: &Which) -> anyhow::Result<(Record, History)> {
    let record = find(path, which)?;
    let history = record
        .history()
        .with_context(|| format!("{}: {which} does not replay", path.display()))?;
    Ok((record, history))
}

fn find(path: &Path, which: &Which) -> anyhow::Result<Record> {
    let path = match path.is_dir() {
        true => path.join(GAMES),
        false => path.to_owned(),
    };
    let name = path.display();
    let file =
        File::open(&path).map_err(|error| Usage::new(format!("cannot read {name}: {error}")))?;
    let mut games = 0;
    for record in read(BufReader::new(file)) {
        let record = record.map_err(|error| Usage::new(format!("{name}: {error}")))?;
        games += 1;
        let found = match which {
            Which::Number(number) => *number == games,
            Which::Id(id) => *id == record.id,
        };
        if found {
            return Ok(record);
        }
    }
    let held = match games {
        0 => "no games".to_owned(),
        1 => "one game".to_owned(),
        n => format!("{n} games"),
    };
    Err(Usage::new(format!("{name}: there is no {which}; the file has {held}")).into())
}

/// The step of an action's number.
///
/// # Errors
/// Wrong usage if there is no such action.
pub(super) fn step(history: &History, number: usize) -> anyhow::Result<usize> {
    let actions = history.steps.len();
    if (1..=actions).contains(&number) {
        return Ok(number - 1);
    }
    let text = format!("there is no action {number}: the game has actions 1 to {actions}");
    Err(Usage::new(text).into())
}

/// Who played, and how it ended: a line without its end.
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
        "game {}: {}; {end}, {} turns, {} actions",
        record.id,
        players.join(" against "),
        record.result.turns,
        record.result.actions
    )
}
