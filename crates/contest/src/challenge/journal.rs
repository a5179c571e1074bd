//! The finished games of a contest on disk, one JSON object a line, appended as they end; and the
//! stages of the final, as they begin.

use super::contest::{Contest, GameLine};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// A stage of the final as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageLine {
    /// Its teams, the best first; one alone has won the contest.
    #[serde(rename = "final")]
    pub seeds: Vec<u64>,
    /// Milliseconds of the contest at its beginning.
    pub at: u64,
}

/// How the line of a stage begins, and that of no game.
const STAGE: &[u8] = b"{\"final\"";
/// How the line of a game begins as it is written here.
const GAME: &[u8] = b"{\"id\":";

/// Whether a line that has no end may be what is left of one of a journal.
fn is_torn(tail: &[u8]) -> bool {
    let starts = |line: &[u8]| tail.iter().zip(line).all(|(a, b)| a == b);
    starts(GAME) || starts(STAGE)
}

/// A line of a journal.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// A finished game.
    Game(GameLine),
    /// A stage of the final.
    Stage(StageLine),
}

impl Line {
    /// Reads a line.
    ///
    /// # Errors
    /// If it is neither a game nor a stage.
    pub fn read(line: &[u8]) -> Result<Line, serde_json::Error> {
        if line.starts_with(STAGE) {
            serde_json::from_slice(line).map(Line::Stage)
        } else {
            serde_json::from_slice(line).map(Line::Game)
        }
    }
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line is no game.
    #[error("{}, line {line}: {error}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// It ends with something no journal has.
    #[error(
        "{}, line {line}: expected a game or a stage of the final, found text without an end of line",
        path.display()
    )]
    Tail {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// A device, or a pipe.
    #[error("{}: expected a file, found a device or a pipe", .0.display())]
    NoFile(PathBuf),
    /// Another server uses it.
    #[error("{}: another server uses this file", .0.display())]
    InUse(PathBuf),
}

/// The file of finished games. It is locked while it is open.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    last_id: u64,
    elapsed: Duration,
}

impl Journal {
    /// The highest number of a game in it; 0 if there is none.
    pub fn last_id(&self) -> u64 {
        self.last_id
    }

    /// How long the contest has gone on, as far as its last line tells. The time between the end of
    /// one server and the start of the next is no part of it.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Opens a journal or begins one, and counts its games into `contest`. A last line without an
    /// end, left by a server that was killed in the middle of a write, is cut off.
    pub fn open(path: &Path, contest: &mut Contest) -> Result<Journal, JournalError> {
        let failed = |error| JournalError::Io {
            path: path.to_owned(),
            error,
        };
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(JournalError::NoFile(path.to_owned()));
        }
        file.try_lock()
            .map_err(|_| JournalError::InUse(path.to_owned()))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed)?;
        let (mut last_id, mut elapsed) = (0, 0);
        let whole = text
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        let (lines, tail) = text.split_at(whole);
        let mut number = 1;
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            let line = Line::read(line).map_err(|error| JournalError::Line {
                path: path.to_owned(),
                line: number,
                error,
            })?;
            number += 1;
            match line {
                Line::Game(game) => {
                    last_id = last_id.max(game.id);
                    elapsed = elapsed.max(game.at);
                    contest.count(game.teams, game.winner.min(1), game.is_final);
                }
                Line::Stage(stage) => {
                    elapsed = elapsed.max(stage.at);
                    contest.begin_stage(stage.seeds);
                }
            }
        }
        if !is_torn(tail) {
            return Err(JournalError::Tail {
                path: path.to_owned(),
                line: number,
            });
        }
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Journal {
            file,
            path: path.to_owned(),
            last_id,
            elapsed: Duration::from_millis(elapsed),
        })
    }

    /// Appends a game, with one write.
    pub fn append(&mut self, game: &GameLine) -> Result<(), JournalError> {
        self.write(game)?;
        self.last_id = self.last_id.max(game.id);
        Ok(())
    }

    /// Appends a stage of the final, with one write.
    pub fn append_stage(&mut self, stage: &StageLine) -> Result<(), JournalError> {
        self.write(stage)
    }

    /// Appends lines of games that are written already (see [`GameLine::to_line`]), with one write.
    pub fn append_lines(&mut self, lines: &[u8]) -> Result<(), JournalError> {
        let written = self.file.write_all(lines);
        written.map_err(|error| self.failed(error))
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let mut text = serde_json::to_vec(line).map_err(|error| self.failed(error.into()))?;
        text.push(b'\n');
        self.append_lines(&text)
    }

    fn failed(&self, error: io::Error) -> JournalError {
        JournalError::Io {
            path: self.path.clone(),
            error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(id: u64, winner: usize) -> GameLine {
        GameLine {
            id,
            at: 1000 * id,
            teams: [4, 7],
            winner,
            ..GameLine::default()
        }
    }

    #[test]
    fn a_torn_line_is_cut_off_and_the_rest_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut contest = Contest::new([4, 7]);
        let mut journal = Journal::open(&path, &mut contest).unwrap();
        assert!(matches!(
            Journal::open(&path, &mut contest),
            Err(JournalError::InUse(_))
        ));
        journal.append(&game(1, 0)).unwrap();
        journal.append(&game(2, 0)).unwrap();
        journal.file.write_all(b"{\"id\":3,\"te").unwrap();
        drop(journal);

        let mut again = Contest::new([4, 7]);
        let mut journal = Journal::open(&path, &mut again).unwrap();
        assert_eq!((again.games(), journal.last_id()), (2, 2));
        assert_eq!(again.round([4, 7]).games, [2, 0]);
        journal.append(&game(3, 1)).unwrap();
        drop(journal);
        let mut third = Contest::new([4, 7]);
        Journal::open(&path, &mut third).unwrap();
        assert_eq!(third.round([4, 7]).games, [2, 1]);
    }

    #[test]
    fn a_final_is_taken_up_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut journal = Journal::open(&path, &mut Contest::default()).unwrap();
        journal.append(&game(1, 0)).unwrap();
        let stage = StageLine {
            seeds: vec![4, 9, 7],
            at: 1500,
        };
        journal.append_stage(&stage).unwrap();
        for id in 2..=6 {
            let teams = [7, 9];
            let is_final = true;
            journal
                .append(&GameLine {
                    teams,
                    is_final,
                    ..game(id, 1)
                })
                .unwrap();
        }
        drop(journal);
        let mut contest = Contest::new([4, 7, 9]);
        let journal = Journal::open(&path, &mut contest).unwrap();
        assert_eq!(journal.elapsed(), Duration::from_secs(6));
        assert_eq!(contest.knockout().unwrap().next(), Some(vec![4, 9]));
        assert_eq!(contest.standing(9).won, 0, "the final is not rated");
    }

    #[test]
    fn what_is_no_journal_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "not one line of a journal").unwrap();
        let error = Journal::open(&path, &mut Contest::default()).unwrap_err();
        assert!(
            matches!(error, JournalError::Tail { line: 1, .. }),
            "{error}"
        );
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, "not one line of a journal");
        let full = Journal::open(Path::new("/dev/full"), &mut Contest::default());
        assert!(matches!(full, Err(JournalError::NoFile(_))));
    }

    #[test]
    fn a_broken_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        std::fs::write(&path, "{}\n").unwrap();
        let error = Journal::open(&path, &mut Contest::default()).unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("line 1: missing field `id` at line 1 column 2"),
            "{error}"
        );
    }
}
