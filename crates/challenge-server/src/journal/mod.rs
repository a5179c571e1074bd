//! The journal of a contest: a file with a JSON object a line. A finished game is appended when it ends. The
//! beginnings of games and of stages of the final are appended, too.
//!
//! Reading a journal takes the memory of one game, however long it is. A contest's server keeps an index of
//! the games and a checkpoint of the contest beside it, and reads only what follows the checkpoint when it is
//! started again.

mod checkpoint;
mod line;
mod progress;

pub use line::{BegunLine, Line, StageLine, VoidGame, VoidLine};

use super::contest::Contest;
use super::index::Index;
use super::record::GameLine;
use arena::records::{Appender, Opening, Reader, Record, RecordError, line_of};
use checkpoint::{Paths, Place};
use engine::disk::{Disk, System};
pub use line::is_torn;
use progress::Progress;
use serde::Serialize;
use serde::de::Error;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Only one server at a time may append. A line is in the file before its result is announced; it is synchronized soon
/// after, so that a failure of the machine can lose the last moments.
const OPENING: Opening = Opening::Exclusive {
    is_ours: is_torn,
    durable: true,
};

/// Games between two checkpoints.
const INTERVAL: u64 = 2000;

/// The index beside a journal, and the place of its checkpoint.
#[derive(Debug)]
struct Beside<D: Disk> {
    paths: Paths,
    index: Index<D>,
    /// Games since the last checkpoint.
    since: u64,
}

/// The file of finished games. It is locked while it is open.
#[derive(Debug)]
pub struct Journal<D: Disk = System> {
    disk: D,
    file: Appender<D>,
    path: PathBuf,
    progress: Progress,
    lines: usize,
    /// The games that were under way when the journal was opened.
    newly_void: Vec<VoidGame>,
    beside: Option<Beside<D>>,
}

/// A file that is read by the calls of a `Disk`, so that tests can make reading fail.
struct Through<D> {
    disk: D,
    file: File,
}

impl<D: Disk> Read for Through<D> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.disk.call(|| self.file.read(bytes))
    }
}

impl Journal {
    /// Opens a journal or begins one, and counts its games into `contest`, each once. A last line without an
    /// end, left by a server that was killed in the middle of a write, is cut off.
    ///
    /// # Errors
    /// If it cannot be read, is no journal, or another server uses it.
    pub fn open(path: &Path, contest: &mut Contest) -> Result<Journal, RecordError> {
        let file = Appender::open(path, OPENING)?;
        Journal::on(System, file, path).read(contest, Place::default())
    }

    /// The same for the server of a contest: with an index, and from the last checkpoint on. Games that a
    /// server did not finish are void from now on. If there is a checkpoint that cannot be used, `on_discard`
    /// gets the reason, and all of the journal is read.
    ///
    /// # Errors
    /// As of [`open`](Journal::open), or if no index can be written.
    pub fn open_indexed(
        path: &Path,
        contest: &mut Contest,
        on_discard: impl FnOnce(String),
    ) -> Result<Journal, RecordError> {
        Journal::open_indexed_on(System, path, contest, on_discard)
    }
}

impl<D: Disk> Journal<D> {
    /// The highest number of a game in it; 0 if there is none.
    pub fn last_id(&self) -> u64 {
        self.progress.last_id
    }

    /// How long the contest has gone on, up to the time of its last line. The time between the end of one
    /// server and the start of the next does not count.
    pub fn elapsed(&self) -> Duration {
        Duration::from_millis(self.progress.elapsed)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its length in bytes.
    pub fn length(&self) -> u64 {
        self.file.end().unwrap_or(0)
    }

    /// Games that began and will never end, the latest last; the oldest are forgotten.
    pub fn void(&self) -> &[VoidGame] {
        &self.progress.void
    }

    /// The void games that were under way when the journal was opened. A later opening no longer names them.
    pub fn newly_void(&self) -> &[VoidGame] {
        &self.newly_void
    }

    /// The index of its games, if it has one, for another thread.
    ///
    /// # Errors
    /// If the system has no more files.
    pub fn index(&self) -> Result<Option<Index<D>>, RecordError> {
        let index = self.beside.as_ref().map(|beside| beside.index.reader());
        index
            .transpose()
            .map_err(RecordError::io("read", &self.path))
    }

    /// As [`open_indexed`](Journal::open_indexed), on any disk.
    ///
    /// # Errors
    /// As there.
    pub fn open_indexed_on(
        disk: D,
        path: &Path,
        contest: &mut Contest,
        on_discard: impl FnOnce(String),
    ) -> Result<Journal<D>, RecordError> {
        // The lock comes first: nobody else may write any of the files from here on.
        let file = Appender::on(disk.clone(), path, OPENING)?;
        let paths = Paths::of(path);
        let failed = RecordError::io("write", &paths.index);
        let is_new = !paths.index.exists();
        // A bad checkpoint costs time, never the contest.
        let loaded = checkpoint::load(&disk, &paths, contest).unwrap_or_else(|error| {
            on_discard(format!("discarded {}: {error}", paths.checkpoint.display()));
            None
        });
        let (place, progress, index) = match loaded {
            Some(loaded) => loaded,
            None => {
                let mut options = File::options();
                // Truncated, as an index without its checkpoint cannot be trusted.
                options.read(true).write(true).create(true).truncate(true);
                let file = disk.call(|| options.open(&paths.index)).map_err(&failed)?;
                let index = Index::on(disk.clone(), file).map_err(&failed)?;
                (Place::default(), Progress::default(), index)
            }
        };
        let beside = Beside {
            paths: paths.clone(),
            index,
            since: 0,
        };
        let journal = Journal {
            progress,
            beside: Some(beside),
            ..Journal::on(disk, file, path)
        };
        let mut journal = journal.read(contest, place).inspect_err(|_| {
            // A file that is no journal gets no index beside it.
            if is_new {
                let _ = std::fs::remove_file(&paths.index);
            }
        })?;
        // Void games are written before any new game can begin. From then on every game under way is one of this
        // server.
        journal.end_games()?;
        // If much of the journal had to be read, the next start should not read it again.
        journal.settle(contest);
        Ok(journal)
    }

    /// Reads all lines after `place` into `contest`, `progress` and the index, then removes a torn last line.
    fn read(mut self, contest: &mut Contest, place: Place) -> Result<Journal<D>, RecordError> {
        let path = &self.path;
        let opened = self.disk.call(|| File::open(path));
        let mut file = opened.map_err(RecordError::io("read", path))?;
        // Everything before the checkpoint is in `contest` and the index already.
        let sought = self.disk.call(|| file.seek(SeekFrom::Start(place.end)));
        sought.map_err(RecordError::io("read", path))?;
        let disk = self.disk.clone();
        let input = Through { disk, file };
        let lines = Reader::new(path, BufReader::with_capacity(1 << 16, input));
        let mut lines = lines.starting_at(place.end, place.lines).whole_lines();
        while let Some(line) = lines.next().transpose()? {
            // A match's games are between its own two players, whose numbers would be taken for teams.
            if matches!(&line, Line::Game(game) if game.names.is_some()) {
                return Err(RecordError::Line {
                    path: self.path,
                    line: lines.line(),
                    noun: Line::NOUN,
                    error: serde_json::Error::custom("a game of a match, as it has \"names\""),
                });
            }
            // A line that is a copy of an earlier game is neither counted nor indexed.
            let counted = self.progress.take(&line, contest);
            if let (Line::Game(game), true) = (&line, counted) {
                let (start, length) = lines.span();
                self.index_game(game, start, length);
            }
        }
        self.lines = lines.line();
        // Only a file whose whole lines could all be read is certainly a journal: nothing is cut off before.
        self.file.remove_torn_line()?;
        Ok(self)
    }

    /// A journal before anything is read from its file.
    fn on(disk: D, file: Appender<D>, path: &Path) -> Journal<D> {
        Journal {
            disk,
            file,
            path: path.to_owned(),
            progress: Progress::default(),
            lines: 0,
            newly_void: Vec::new(),
            beside: None,
        }
    }

    /// Appends a line about the time `at`. A line without the number of a game has 0, which leaves the highest
    /// unchanged.
    fn write(&mut self, line: &impl Serialize, id: u64, at: u64) -> Result<(), RecordError> {
        self.file.append_record(line)?;
        self.lines += 1;
        self.progress.at(id, at);
        Ok(())
    }

    /// Adds a game to the index, if the journal has one.
    fn index_game(&mut self, game: &GameLine, start: u64, length: usize) {
        if let Some(beside) = &mut self.beside {
            beside.index.push(game, start, length);
            beside.since += 1;
        }
    }

    /// Makes the games void that the last server did not finish, and appends a line about them.
    fn end_games(&mut self) -> Result<(), RecordError> {
        let under_way = self.progress.under_way.iter();
        let void: Vec<VoidGame> = under_way
            .map(|(&id, &teams)| VoidGame { id, teams })
            .collect();
        if void.is_empty() {
            return Ok(());
        }
        // The contest's clock stood still since the last line, so its time is the time of the last line.
        let at = self.progress.elapsed;
        let line = VoidLine { void, at };
        self.write(&line, 0, at)?;
        self.progress.set_void(&line.void);
        self.newly_void = line.void;
        Ok(())
    }

    /// Appends the time of the contest, `at` in milliseconds, if the last line is older than `age`. Otherwise a
    /// restarted server would not know how long the contest has gone on without a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn note_time(&mut self, at: u64, age: Duration) -> Result<(), RecordError> {
        if at < self.progress.elapsed + age.as_millis() as u64 {
            return Ok(());
        }
        // A line of no void games, so that earlier versions of this program read it too.
        let void = Vec::new();
        self.write(&VoidLine { void, at }, 0, at)
    }

    /// Waits until all lines are on the disk.
    ///
    /// # Errors
    /// If they did not reach it.
    pub fn wait_for_disk(&self) -> Result<(), RecordError> {
        self.file.settle()
    }

    /// Appends the beginning of a game, with one write.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(&mut self, game: &BegunLine) -> Result<(), RecordError> {
        self.write(game, game.begun, game.at)?;
        self.progress.under_way.insert(game.begun, game.teams);
        Ok(())
    }

    /// Appends a game, with one write. The caller counts it and then calls [`settle`](Journal::settle).
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: &GameLine) -> Result<(), RecordError> {
        // The line will begin where the file ends now, so the end is read before the file grows.
        let start = self.length();
        let line = line_of(game).map_err(std::io::Error::from);
        let line = line.map_err(RecordError::io("write", &self.path))?;
        self.file.append(&line)?;
        self.lines += 1;
        self.progress.at(game.id, game.at);
        self.progress.under_way.remove(&game.id);
        // The index has each number once, so a second game with the same number is not added.
        if self.progress.ids.insert(game.id) {
            self.index_game(game, start, line.len());
        }
        Ok(())
    }

    /// Appends a stage of the final, with one write.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append_stage(&mut self, stage: &StageLine) -> Result<(), RecordError> {
        self.write(stage, 0, stage.at)
    }

    /// Appends ready lines of games (see `arena::records::line_of`), with one write, to a journal without
    /// an index.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append_lines(&mut self, lines: &[u8]) -> Result<(), RecordError> {
        debug_assert!(
            self.beside.is_none(),
            "these games would not be in the index"
        );
        self.file.append(lines)
    }

    /// Writes a checkpoint if it is time for one. `contest` must be the state after all lines so far. If
    /// writing fails, a restart takes longer; nothing else depends on it.
    pub fn settle(&mut self, contest: &Contest) {
        let place = Place {
            end: self.length(),
            lines: self.lines,
        };
        if let Some(beside) = &mut self.beside
            // The checkpoint counts the index's entries, so all of them must be in the file.
            && beside.since >= INTERVAL
            && beside.index.is_written()
        {
            beside.since = 0;
            let (paths, index) = (&beside.paths, &beside.index);
            // Failure is ignored: the counter begins anew, and the next attempt is an interval away.
            let _ = checkpoint::save(&self.disk, paths, place, contest, &self.progress, index);
        }
    }
}

#[cfg(test)]
mod tests;
