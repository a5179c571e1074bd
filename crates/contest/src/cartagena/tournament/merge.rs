//! Joins the shards of a tournament that were played in different places.

use super::Schedule;
use super::folder::{self, FolderError, GAMES, write_settings, write_whole};
use super::settings::Settings;
use super::shard::Shard;
use std::collections::HashMap;
use std::fs;
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
    /// They are not parts of one tournament.
    #[error("{first} and {second} belong to different tournaments: {difference}")]
    Mixed {
        first: PathBuf,
        second: PathBuf,
        difference: String,
    },
    /// There are games where they are to go.
    #[error("{0} has games already")]
    Occupied(PathBuf),
    /// One game was played twice, in different ways.
    #[error("game {id} was played twice, in {first} and in {second}")]
    Twice {
        id: String,
        first: PathBuf,
        second: PathBuf,
    },
    /// A game that is not of this tournament.
    #[error("{path}: game {id} does not belong to this tournament")]
    Foreign { path: PathBuf, id: String },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Games that are there.
    pub games: u64,
    /// Games that the tournament has.
    pub of: u64,
}

/// Joins folders into a new one, with the games in the order of the schedule.
///
/// # Errors
/// If they are not parts of one tournament, or there is something in the new one already.
pub fn merge(out: &Path, parts: &[PathBuf]) -> Result<Merged, MergeError> {
    let settings = common_settings(parts)?;
    let schedule = Schedule::new(&settings);
    // By id: the folder of the line, to name it in errors, and the line itself.
    let mut games: HashMap<String, (usize, Vec<u8>)> = HashMap::new();
    for (i, part) in parts.iter().enumerate() {
        let file = part.join(GAMES);
        let mut records = folder::records(&file).map_err(FolderError::from)?;
        while let Some(record) = records.next().transpose().map_err(FolderError::from)? {
            if schedule.scheduled(&record.id).is_none() {
                let (path, id) = (part.clone(), record.id);
                return Err(MergeError::Foreign { path, id });
            }
            // Checked here too: a shard comes from another machine.
            folder::verify(&record, &file, records.line())?;
            let line = record.to_line();
            match games.get(&record.id) {
                // The same game in two folders is fine if it is the same to the byte, such as a copied folder.
                Some((_, same)) if *same == line => {}
                Some(&(first, _)) => {
                    return Err(MergeError::Twice {
                        id: record.id,
                        first: parts[first].clone(),
                        second: part.clone(),
                    });
                }
                None => {
                    games.insert(record.id, (i, line));
                }
            }
        }
    }
    // Checked last, but before anything is written.
    if out.join(folder::SETTINGS).exists() || out.join(GAMES).exists() {
        return Err(MergeError::Occupied(out.to_owned()));
    }
    fs::create_dir_all(out).map_err(|error| FolderError::Io {
        path: out.to_owned(),
        error,
    })?;
    // In the order of the schedule, so the result does not depend on who played what, or when.
    let lines = schedule.scheduled_games().filter_map(|scheduled| {
        let game = games.get(&schedule.id(&scheduled));
        game.map(|(_, line)| &line[..])
    });
    // Games first: settings without games would look like a tournament that has not begun.
    write_whole(&out.join(GAMES), lines)?;
    write_settings(out, &settings)?;
    Ok(Merged {
        games: games.len() as u64,
        of: schedule.games(),
    })
}

fn common_settings(parts: &[PathBuf]) -> Result<Settings, MergeError> {
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
