//! The folder of a tournament: its settings and its games, which outlive whatever happens to us.

use super::Schedule;
use super::settings::{Conflict, Request, Settings, VERSION};
use crate::cartagena::Match;
use crate::cartagena::record::{ReadError, Record, read};
use crate::cartagena::resume::remembered;
use arena::play::{Fixture, Played};
use std::collections::HashSet;
use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The file with the settings.
pub const SETTINGS: &str = "tournament.json";
/// The file with the games, a record a line.
pub const GAMES: &str = "games.jsonl";

/// A tournament's folder that games are added to. Nobody else can add to it meanwhile.
pub struct Folder {
    path: PathBuf,
    settings: Settings,
    games: File,
    /// The end of the last whole line.
    length: u64,
}

/// What can be wrong with a folder.
#[derive(Debug, Error)]
pub enum FolderError {
    /// It cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What failed.
        error: io::Error,
    },
    /// Another process adds to it.
    #[error("{0}: another process is playing this tournament")]
    Busy(PathBuf),
    /// It has games and no settings.
    #[error("{0} has games, but no {SETTINGS} that says what they are")]
    NoSettings(PathBuf),
    /// The settings cannot be understood.
    #[error("{path}: {reason}")]
    Settings {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// It is played in another way than is asked for.
    #[error("{path}: {error}")]
    Conflict {
        /// The folder.
        path: PathBuf,
        /// What differs.
        error: Conflict,
    },
    /// A record cannot be read.
    #[error("{path}: {error}")]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: ReadError,
    },
    /// A game does not belong there.
    #[error("{path}, line {line}, game {id}: {what}")]
    Game {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The game.
        id: String,
        /// What is wrong with it.
        what: String,
    },
}

impl Folder {
    /// Makes a folder for a tournament, or opens one to go on with it. What is asked for is added to
    /// what is there, and kept by [`save`](Folder::save). A last line that was not written completely is taken away.
    ///
    /// # Errors
    /// If the folder cannot be used, or holds another tournament.
    pub fn go_on(path: &Path, request: Request) -> Result<Folder, FolderError> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |error| FolderError::Io { path, error }
        };
        fs::create_dir_all(path).map_err(io(path))?;
        let file = path.join(GAMES);
        let mut games = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&file)
            .map_err(io(&file))?;
        match games.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(FolderError::Busy(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(io(&file)(error)),
        }
        let length = cut_to_lines(&mut games).map_err(io(&file))?;
        let conflict = |error| FolderError::Conflict {
            path: path.to_owned(),
            error,
        };
        let settings = match read_settings(path)? {
            Some(settings) => settings.adapted(request).map_err(conflict)?,
            None if length > 0 => return Err(FolderError::NoSettings(path.to_owned())),
            None => Settings::new(request).map_err(conflict)?,
        };
        Ok(Folder {
            path: path.to_owned(),
            settings,
            games,
            length,
        })
    }

    /// Writes the settings down.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn save(&self) -> Result<(), FolderError> {
        write_settings(&self.path, &self.settings)
    }

    /// What is played.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What has been played.
    ///
    /// # Errors
    /// If a record cannot be read, or is not of this tournament.
    pub fn played(
        &self,
        schedule: &Schedule,
        table: &Match,
    ) -> Result<Vec<(Fixture, Played)>, FolderError> {
        let path = self.path.join(GAMES);
        let mut played = Vec::new();
        let mut ids = HashSet::new();
        for (line, record) in (1..).zip(records(&path)?) {
            let record = record?;
            let wrong = |what: &str| FolderError::Game {
                path: path.clone(),
                line,
                id: record.id.clone(),
                what: what.to_owned(),
            };
            // More games may have been asked for once than now.
            let Some(fixture) = schedule.fixture(&record.id) else {
                continue;
            };
            if let Some(what) = table.difference(&fixture, &record) {
                return Err(wrong(&format!("its {what} is not this tournament's")));
            }
            if !ids.insert(record.id.clone()) {
                return Err(wrong("it stands there a second time"));
            }
            played.push((fixture, remembered(&record)));
        }
        Ok(played)
    }

    /// Adds a game. If that fails, nothing of it is left behind.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, line: &[u8]) -> Result<(), FolderError> {
        let written = self
            .games
            .seek(SeekFrom::Start(self.length))
            .and_then(|_| self.games.write_all(line));
        match written {
            Ok(()) => {
                self.length += line.len() as u64;
                Ok(())
            }
            Err(error) => {
                // If this fails as well, the next one to open the file takes the line away.
                let _ = self.games.set_len(self.length);
                let path = self.path.join(GAMES);
                Err(FolderError::Io { path, error })
            }
        }
    }
}

/// The settings of a folder.
///
/// # Errors
/// If there are none, or they cannot be understood.
pub fn settings(path: &Path) -> Result<Settings, FolderError> {
    read_settings(path)?.ok_or_else(|| FolderError::Io {
        path: path.join(SETTINGS),
        error: ErrorKind::NotFound.into(),
    })
}

/// The records of a file; a last line that is not complete yet is left out.
///
/// # Errors
/// If the file cannot be opened; of each record, if it cannot be read.
pub fn records(
    path: &Path,
) -> Result<impl Iterator<Item = Result<Record, FolderError>> + use<>, FolderError> {
    let name = path.to_owned();
    let file = File::open(path).map_err(|error| FolderError::Io {
        path: name.clone(),
        error,
    })?;
    Ok(read(BufReader::new(file))
        .take_while(|record| !matches!(record, Err(ReadError::Truncated { .. })))
        .map(move |record| {
            record.map_err(|error| FolderError::Record {
                path: name.clone(),
                error,
            })
        }))
}

fn read_settings(folder: &Path) -> Result<Option<Settings>, FolderError> {
    let path = folder.join(SETTINGS);
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(FolderError::Io { path, error }),
    };
    let settings: Settings = match serde_json::from_slice(&text) {
        Ok(settings) => settings,
        Err(error) => {
            let reason = error.to_string();
            return Err(FolderError::Settings { path, reason });
        }
    };
    if (settings.contest.as_str(), settings.version) != ("cartagena", VERSION) {
        let reason = format!(
            "expected contest \"cartagena\", version {VERSION}, not {:?}, version {}",
            settings.contest, settings.version
        );
        return Err(FolderError::Settings { path, reason });
    }
    Ok(Some(settings))
}

/// Writes the settings of a folder.
pub(super) fn write_settings(folder: &Path, settings: &Settings) -> Result<(), FolderError> {
    let path = folder.join(SETTINGS);
    let mut text = serde_json::to_vec_pretty(settings).map_err(|error| FolderError::Io {
        path: path.clone(),
        error: error.into(),
    })?;
    text.push(b'\n');
    write_whole(&path, [&text[..]])
}

/// Writes a file whole or not at all.
pub(super) fn write_whole<'a>(
    path: &Path,
    parts: impl IntoIterator<Item = &'a [u8]>,
) -> Result<(), FolderError> {
    let write = || -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut file = BufWriter::new(tempfile::NamedTempFile::new_in(folder)?);
        for part in parts {
            file.write_all(part)?;
        }
        let file = file.into_inner()?;
        file.as_file().sync_all()?;
        // Temporary files are for their owner alone; results are not.
        file.as_file()
            .set_permissions(Permissions::from_mode(0o644))?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|error| FolderError::Io {
        path: path.to_owned(),
        error,
    })
}

/// Takes away what follows the last whole line, and returns the length left.
fn cut_to_lines(file: &mut File) -> io::Result<u64> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut end = length;
    let mut block = [0; 4096];
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let part = &mut block[..(end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(part)?;
        if let Some(i) = part.iter().rposition(|&b| b == b'\n') {
            end = start + i as u64 + 1;
            break;
        }
        end = start;
    }
    if end < length {
        file.set_len(end)?;
    }
    Ok(end)
}
