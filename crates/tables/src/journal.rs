//! A table's file: its setup, then a line for every action, every step back and every resignation. A table is
//! restored by playing these lines again, because a game's chance follows from its seed.

use super::setup::Setup;
use arena::records::{Appender, Opening, Reader, Record, RecordError};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::Path;

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Line {
    Table(Setup),
    /// An action of the seat that was to act, as the contest writes it.
    Act(String),
    /// The game went back to the position after this number of actions.
    Back(usize),
    /// The person at a seat, from 0, has resigned.
    Resign(usize),
    /// The time of the person at a seat was up: a built-in player took the next action, or the seat resigned.
    TimeUp(usize),
    /// The person at a seat used this many milliseconds of its time for the game.
    Used(usize, u64),
    /// The person at a seat was given hints.
    Hint(usize),
    /// Somebody with the link of a seat has come, at a table with a limit on time.
    Came(usize),
    /// The same people play again at another table: by seat, the person's link to it.
    Next(Vec<Option<String>>),
}

impl Record for Line {
    const NOUN: &'static str = "line of a table";

    fn parse(line: &[u8]) -> serde_json::Result<Line> {
        serde_json::from_slice(line)
    }
}

/// No other process may write the file. If this one was killed while it wrote a line, the part is removed:
/// nobody had seen that action yet.
const OPENING: Opening = Opening::Exclusive {
    is_ours: |_| true,
    durable: false,
};

/// A table's file, open to go on.
#[derive(Debug)]
pub(super) struct Journal(Appender);

impl Journal {
    /// Begins a file with these lines. The first one must set up the table.
    pub(super) fn begin(
        path: &Path,
        lines: impl Iterator<Item = Line>,
    ) -> Result<Journal, RecordError> {
        // Readable by its owner alone: the file holds the links of all seats.
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path).map_err(RecordError::io("write", path))?;
        let mut journal = Journal(Appender::open(path, OPENING)?);
        // One write for all lines: a table that was restored with only a part of its game would be another one.
        let written = journal.0.append_records(lines);
        if written.is_err() {
            let _ = std::fs::remove_file(path);
        }
        written.map(|()| journal)
    }

    /// Opens a file to go on with it, and reads what is in it.
    pub(super) fn resume(path: &Path) -> Result<(Journal, Vec<Line>), RecordError> {
        let journal = Journal(Appender::open(path, OPENING)?);
        let lines: Result<Vec<Line>, _> = Reader::open(path)?.whole_lines().collect();
        Ok((journal, lines?))
    }

    pub(super) fn write(&mut self, line: &Line) -> Result<(), RecordError> {
        self.0.append_record(line)
    }

    /// Writes all of these lines or none.
    pub(super) fn write_all(&mut self, lines: &[Line]) -> Result<(), RecordError> {
        self.0.append_records(lines)
    }
}
