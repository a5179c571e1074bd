//! Joins the shards of a tournament, for `contest … merge`. Each was played in a folder of its own, often on
//! another machine; the result is one folder, as if a single machine had played all games.

use super::folder::{self, FolderError, GAMES, write_settings, write_whole};
use super::settings::Settings;
use super::shard::Shard;
use super::{Schedule, TournamentGame};
use crate::resume::RecordedMatch as _;
use arena::records::{RecordError, line_of};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why shards cannot be joined.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A folder cannot be read or written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error("no folders to merge")]
    Nothing,
    /// The settings of two folders differ in more than their shard.
    #[error("{first} and {second} belong to different tournaments: {difference}")]
    Mixed {
        first: PathBuf,
        second: PathBuf,
        difference: String,
    },
    /// The new folder has a tournament already.
    #[error("{0} has games already")]
    Occupied(PathBuf),
    /// Two records of the same game differ.
    #[error("game {id} was played twice, in {first} and in {second}")]
    Twice {
        id: String,
        first: PathBuf,
        second: PathBuf,
    },
    /// A game that the tournament's schedule does not have.
    #[error("{path}: game {id} does not belong to this tournament")]
    Foreign { path: PathBuf, id: String },
}

/// The size of a joined tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The number of games in the new folder.
    pub games: u64,
    /// The number of games that the tournament has in all.
    pub of: u64,
}

/// Joins the folders `parts` into the new folder `out`, with the games in the order of the schedule.
///
/// # Errors
/// If they are not parts of one tournament, a game does not replay, or `out` has a tournament already.
pub fn merge<C: TournamentGame>(out: &Path, parts: &[PathBuf]) -> Result<Merged, MergeError> {
    let settings = common_settings::<C>(parts)?;
    let schedule = Schedule::new(&settings);
    let table = C::archive(&settings, schedule.names().to_vec());
    // By id: the index of the folder, to name it in errors, and the game's line.
    let mut games: HashMap<String, (usize, Vec<u8>)> = HashMap::new();
    for (i, part) in parts.iter().enumerate() {
        let file = part.join(GAMES);
        let mut records = folder::records::<C>(&file).map_err(FolderError::from)?;
        while let Some(record) = records.next().transpose().map_err(FolderError::from)? {
            let id = C::Table::id(&record);
            let Some(scheduled) = schedule.scheduled(&id) else {
                let path = part.clone();
                return Err(MergeError::Foreign { path, id });
            };
            // Checked, since the folder may come from another machine.
            folder::verify::<C>(&table, &scheduled, &record, &file, records.line())?;
            let line = line_of(&record).map_err(std::io::Error::from);
            let line = line
                .map_err(RecordError::io("read", &file))
                .map_err(FolderError::from)?;
            match games.get(&id) {
                // Two folders may have the same game if the lines are equal, as after copying a folder.
                Some((_, same)) if *same == line => {}
                Some(&(first, _)) => {
                    return Err(MergeError::Twice {
                        id,
                        first: parts[first].clone(),
                        second: part.clone(),
                    });
                }
                None => {
                    games.insert(id, (i, line));
                }
            }
        }
    }
    // `out` is examined after the parts, so that their errors come first, and before anything is written.
    if !folder::is_new(out) {
        return Err(MergeError::Occupied(out.to_owned()));
    }
    folder::make(out)?;
    // The order of the schedule makes the result independent of who played which game, and when.
    let lines = schedule.scheduled_games().filter_map(|scheduled| {
        let game = games.get(&schedule.id(&scheduled));
        game.map(|(_, line)| &line[..])
    });
    // If a crash comes in between, games without settings are refused. The other way round, settings without games
    // would look like a tournament that has not begun.
    write_whole(&out.join(GAMES), lines)?;
    write_settings(out, &settings)?;
    Ok(Merged {
        games: games.len() as u64,
        of: schedule.games(),
    })
}

/// The settings of the whole tournament. Those of all folders must agree but for the shard.
fn common_settings<C: TournamentGame>(parts: &[PathBuf]) -> Result<Settings<C>, MergeError> {
    let Some(first) = parts.first() else {
        return Err(MergeError::Nothing);
    };
    let mut settings = folder::settings(first)?;
    // The parts differ in their shard; the whole has none.
    settings.shard = Shard::WHOLE;
    for part in &parts[1..] {
        if let Some(difference) = settings.difference(&folder::settings(part)?) {
            return Err(MergeError::Mixed {
                first: first.clone(),
                second: part.clone(),
                difference,
            });
        }
    }
    Ok(settings)
}
