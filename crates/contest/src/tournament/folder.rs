//! The folder of a tournament: a file with the settings and one with the games, a record a line.
//!
//! [`Folder`] opens both for playing, under a lock, and adds games so that a crash of the program loses none that
//! was reported. The functions [`settings`] and [`records`] read a folder without a lock, for ratings, reports and
//! merges. All of these replay each record, since anybody may have changed the file.

use super::conflict::Conflict;
use super::format::Format;
use super::request::Request;
use super::settings::Settings;
use super::{Schedule, TournamentGame};
use crate::resume::RecordedMatch;
use crate::shell;
use arena::input;
use arena::records::{Appender, Opening, Reader, RecordError, sync_folder_of};
use arena::schedule::{GameResult, ScheduledGame};
use std::collections::HashSet;
use std::fs::{self, Permissions};
use std::io::{self, BufRead, BufWriter, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The file with the settings.
pub const SETTINGS: &str = "tournament.json";
/// The file with the games, a record a line.
pub const GAMES: &str = "games.jsonl";
/// The usual name of a report.
const REPORT: &str = "report.html";

/// A tournament's folder to which games are added. A lock keeps other processes from adding to it meanwhile.
pub struct Folder<C: TournamentGame> {
    path: PathBuf,
    settings: Settings<C>,
    games: Appender,
}

/// One process at a time writes. Each game is in the file before it is reported, and is synchronized soon after.
const OPENING: Opening = Opening::Exclusive {
    is_ours: |_| true,
    durable: true,
};

/// Why a folder cannot be used.
#[derive(Debug, Error)]
pub enum FolderError {
    /// A file or the folder cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        error: io::Error,
    },
    #[error(
        "there is no tournament in {}: expected a folder with a {SETTINGS}; name programs to begin one, as in \
         contest {contest} tournament PROGRAM PROGRAM --out {quoted}",
        .path.display(),
        quoted = shell::argument(.path)
    )]
    Missing {
        contest: &'static str,
        path: PathBuf,
    },
    /// A file of this name is there.
    #[error("{0}: expected a folder, found a file")]
    File(PathBuf),
    /// Another process is playing this tournament.
    #[error("{0}: another process is playing this tournament")]
    Busy(PathBuf),
    /// The folder has games, but no settings.
    #[error("{0} has games, but no {SETTINGS} that describes them")]
    NoSettings(PathBuf),
    /// The settings cannot be understood.
    #[error("{path}: {reason}")]
    Settings { path: PathBuf, reason: String },
    /// The request contradicts the tournament in the folder, or makes no sense.
    #[error("{path}: {error}")]
    Conflict { path: PathBuf, error: Conflict },
    /// The request has fewer games, or fewer rounds of a Swiss tournament, than were played.
    #[error(
        "{path} has {played} {noun}, more than the {asked} of this tournament: played games \
         count. To continue, name at least that number with {option}; for fewer games begin another \
         tournament, as in \
         contest {contest} tournament PROGRAM PROGRAM {option} N --out NEW-FOLDER"
    )]
    Fewer {
        contest: &'static str,
        path: PathBuf,
        /// The number that was played.
        played: u64,
        /// The number in the settings.
        asked: u64,
        /// The noun for these numbers.
        noun: &'static str,
        /// The option that says how many there are.
        option: &'static str,
    },
    /// The games cannot be read or written.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// A record is not of this tournament, does not replay, or has a game that was there before.
    #[error("{path}, line {line}, game {id}: {what}")]
    Game {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        id: String,
        /// The mistake in the game's record.
        what: String,
    },
}

impl FolderError {
    /// The error of this file or folder.
    fn io_of(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
        let path = path.to_owned();
        |error| FolderError::Io { path, error }
    }
}

impl<C: TournamentGame> Folder<C> {
    /// Makes a folder for a new tournament, or opens one to continue it. The request is added to the settings in the
    /// folder, but only [`save`](Folder::save) writes the result. The first append removes a last line that was not
    /// written completely.
    ///
    /// # Errors
    /// If the folder cannot be used, or holds another tournament.
    pub fn go_on(path: &Path, request: Request<C::Asked>) -> Result<Folder<C>, FolderError> {
        let conflict = |error| FolderError::Conflict {
            path: path.to_owned(),
            error,
        };
        if path.is_file() {
            return Err(FolderError::File(path.to_owned()));
        }
        // A tournament that cannot be begun must not leave a folder behind.
        if is_new(path) {
            Folder::<C>::begun(path, request.clone())?;
        }
        make(path)?;
        // Opening takes the lock, so the settings read below cannot change any more.
        let games = match Appender::open(&path.join(GAMES), OPENING) {
            Err(RecordError::InUse(_)) => return Err(FolderError::Busy(path.to_owned())),
            opened => opened?,
        };
        let settings = match read_settings(path)? {
            Some(settings) => settings.adapted(request).map_err(conflict)?,
            // Without their settings the games cannot be checked, so they are not continued.
            None if !games.is_empty() => return Err(FolderError::NoSettings(path.to_owned())),
            None => Settings::new(request).map_err(conflict)?,
        };
        Ok(Folder {
            path: path.to_owned(),
            settings,
            games,
        })
    }

    /// The settings of a new tournament in this folder, in which nothing is read or written.
    ///
    /// # Errors
    /// If the request names no programs, or makes no sense.
    pub(super) fn begun(
        path: &Path,
        request: Request<C::Asked>,
    ) -> Result<Settings<C>, FolderError> {
        if request.programs.is_empty() {
            return Err(missing::<C>(path));
        }
        Settings::new(request).map_err(|error| FolderError::Conflict {
            path: path.to_owned(),
            error,
        })
    }

    /// Writes the settings down.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn save(&self) -> Result<(), FolderError> {
        write_settings(&self.path, &self.settings)
    }

    pub fn settings(&self) -> &Settings<C> {
        &self.settings
    }

    /// The games that have been played.
    ///
    /// # Errors
    /// If a record cannot be read, or is not of this tournament.
    pub fn played(
        &self,
        schedule: &Schedule,
        table: &C::Table,
    ) -> Result<Vec<(ScheduledGame, GameResult)>, FolderError> {
        let mut played = Vec::new();
        let mut ids = HashSet::new();
        let take = |_, scheduled: ScheduledGame, result| {
            if !ids.insert(schedule.id(&scheduled)) {
                return Err("it is recorded a second time");
            }
            played.push((scheduled, result));
            Ok(true)
        };
        each_game(&self.path, &self.settings, schedule, table, take)?;
        Ok(played)
    }

    /// Adds a game. If that fails, nothing of the game remains in the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, line: &[u8]) -> Result<(), FolderError> {
        Ok(self.games.append(line)?)
    }

    /// Waits until all games are on the disk.
    ///
    /// # Errors
    /// If they did not reach it.
    pub fn settle(&self) -> Result<(), FolderError> {
        Ok(self.games.settle()?)
    }
}

/// Gives each game in a folder to `take`, with its line. `take` says whether the game counts, or what is wrong with it.
///
/// # Errors
/// If a record cannot be read, is not of this tournament, or `take` says what is wrong.
pub(super) fn each_game<C: TournamentGame>(
    folder: &Path,
    settings: &Settings<C>,
    schedule: &Schedule,
    table: &C::Table,
    mut take: impl FnMut(usize, ScheduledGame, GameResult) -> Result<bool, &'static str>,
) -> Result<(), FolderError> {
    let path = folder.join(GAMES);
    let mut beyond = Beyond::default();
    let mut count = 0;
    let mut records = records::<C>(&path)?;
    // Every record is checked against the schedule and replayed: anybody may have changed the file.
    while let Some(record) = records.next().transpose()? {
        let (line, id) = (records.line(), C::Table::id(&record));
        let Some(scheduled) = schedule.scheduled(&id) else {
            // Noted for one message at the end: games beyond the schedule mean that the request has fewer games
            // than were played.
            beyond.push(schedule, &id);
            continue;
        };
        verify::<C>(table, &scheduled, &record, &path, line)?;
        let taken = take(line, scheduled, C::Table::remembered(&record));
        count += u64::from(taken.map_err(|what| wrong_game(&path, line, id, what))?);
    }
    beyond.check(folder, settings, schedule, count)
}

/// Collects recorded games of blocks after the schedule's last one. They are an error, since leaving them out would
/// change the result.
#[derive(Default)]
struct Beyond {
    /// The number of games of a line-up up to the last such block, for the line-up with the most; 0 if there is none.
    games: u64,
    /// The number of such games.
    count: u64,
}

impl Beyond {
    /// Notes the id of a game that is not scheduled. Ids of other kinds are ignored.
    fn push(&mut self, schedule: &Schedule, id: &str) {
        if let Some(games) = schedule.games_beyond(id) {
            self.games = self.games.max(games);
            self.count += 1;
        }
    }

    /// Returns an error if there was such a game. `scheduled` is the number of the others: in a Swiss tournament a game
    /// of a later round need not be beyond its line-up's last block, so the rounds follow from the number of all games.
    fn check<C: TournamentGame>(
        &self,
        path: &Path,
        settings: &Settings<C>,
        schedule: &Schedule,
        scheduled: u64,
    ) -> Result<(), FolderError> {
        let (played, asked, noun, option) = match (settings.format, schedule.swiss()) {
            (Format::Swiss { rounds }, Some(swiss)) => {
                let played = swiss.rounds_of(scheduled + self.count, self.games);
                (played, rounds.into(), "rounds", "--rounds")
            }
            _ => (self.games, settings.games, "games of a line-up", "--games"),
        };
        if played <= asked {
            return Ok(());
        }
        Err(FolderError::Fewer {
            contest: C::NAME,
            path: path.to_owned(),
            played,
            asked,
            noun,
            option,
        })
    }
}

/// Whether a tournament in this folder would be a new one: nothing of another is there.
pub(crate) fn is_new(path: &Path) -> bool {
    !path.join(SETTINGS).exists() && !path.join(GAMES).exists()
}

/// The settings of a folder.
///
/// # Errors
/// If there are none, or they cannot be understood.
pub fn settings<C: TournamentGame>(path: &Path) -> Result<Settings<C>, FolderError> {
    read_settings(path)?.ok_or_else(|| missing::<C>(path))
}

/// The file with the games of a tournament's folder; any other path is the file itself.
pub(crate) fn games_file(path: &Path) -> PathBuf {
    match path.is_dir() {
        true => path.join(GAMES),
        false => path.to_owned(),
    }
}

/// The usual path of a report on these results: in a tournament's folder, beside a file with its name, or in the
/// current folder if the records come from standard input.
pub(crate) fn report_file(results: &Path) -> PathBuf {
    match results.is_dir() {
        true => results.join(REPORT),
        false if results == Path::new("-") => PathBuf::from(REPORT),
        false => seats::cli::output::beside(results, "jsonl", "html"),
    }
}

/// A reader of the games of a tournament.
pub type Records<C> = Reader<Box<dyn BufRead + Send>, <C as TournamentGame>::Record>;

/// The records of a file. A last line that is not complete yet is left out.
///
/// # Errors
/// If the file cannot be opened. The iterator gives an error for each record that cannot be read.
pub fn records<C: TournamentGame>(path: &Path) -> Result<Records<C>, RecordError> {
    Ok(Reader::open(path)?.whole_lines().of_contest(C::NAME))
}

/// Compares a recorded game from this line of a file with the schedule, and replays it. So a game of another tournament is
/// found out, and a forged winner unless the actions make it win.
///
/// # Errors
/// If the game is another one, does not replay, or its result does not follow from the actions.
pub(super) fn verify<C: TournamentGame>(
    table: &C::Table,
    scheduled: &ScheduledGame,
    record: &C::Record,
    path: &Path,
    line: usize,
) -> Result<(), FolderError> {
    let verified = table.verify(scheduled, record);
    verified.map_err(|what| wrong_game(path, line, C::Table::id(record), what))
}

/// The error of a recorded game.
fn wrong_game(path: &Path, line: usize, id: String, what: impl Into<String>) -> FolderError {
    let (path, what) = (path.to_owned(), what.into());
    FolderError::Game {
        path,
        line,
        id,
        what,
    }
}

/// The most bytes of settings that are read. The settings of a thousand programs are shorter.
const MOST_SETTINGS: u64 = 16 << 20;

fn missing<C: TournamentGame>(path: &Path) -> FolderError {
    let (contest, path) = (C::NAME, path.to_owned());
    match path.is_file() {
        true => FolderError::File(path),
        false => FolderError::Missing { contest, path },
    }
}

/// Reads the settings of a folder; none if the file does not exist.
fn read_settings<C: TournamentGame>(folder: &Path) -> Result<Option<Settings<C>>, FolderError> {
    let path = folder.join(SETTINGS);
    let text = match input::read(&path, MOST_SETTINGS) {
        Ok(text) => text,
        // A file in place of the folder has no settings either.
        Err(error) if [ErrorKind::NotFound, ErrorKind::NotADirectory].contains(&error.kind()) => {
            return Ok(None);
        }
        Err(error) => return Err(FolderError::Io { path, error }),
    };
    match Settings::parse(&text) {
        Ok(settings) => Ok(Some(settings)),
        Err(reason) => Err(FolderError::Settings { path, reason }),
    }
}

/// Writes the settings of a folder.
pub(super) fn write_settings<C: TournamentGame>(
    folder: &Path,
    settings: &Settings<C>,
) -> Result<(), FolderError> {
    let path = folder.join(SETTINGS);
    let text = serde_json::to_vec_pretty(settings).map_err(io::Error::from);
    let mut text = text.map_err(FolderError::io_of(&path))?;
    text.push(b'\n');
    write_whole(&path, [&text[..]])
}

/// Makes a folder, with those above it, unless it exists.
pub(super) fn make(folder: &Path) -> Result<(), FolderError> {
    fs::create_dir_all(folder).map_err(FolderError::io_of(folder))
}

/// Writes a file from its parts, whole or not at all.
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
        // The content must be on the disk before the file gets its name. Then a crash leaves either the old file or
        // the new one, never half a file.
        file.as_file().sync_all()?;
        // Temporary files are readable by their owner only; results are for everybody.
        file.as_file()
            .set_permissions(Permissions::from_mode(0o644))?;
        file.persist(path)?;
        sync_folder_of(path)
    };
    write().map_err(FolderError::io_of(path))
}
