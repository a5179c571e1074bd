//! The finished games of a contest on disk, one JSON object a line, appended as they end; and the
//! stages of the final, as they begin.

use super::contest::{Contest, GameLine};
use super::record::{Entry, Moved};
use arena::plain_text::clean;
use arena::records::{Appender, Opening, Reader, Record, RecordError, TornLine};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

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

/// One server at a time; what it has announced is on the disk.
const OPENING: Opening = Opening {
    exclusive: true,
    torn: TornLine::Remove(is_torn),
    durable: true,
};

/// A line of a journal.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// A finished game.
    Game(GameLine),
    /// A stage of the final.
    Stage(StageLine),
}

impl Record for Line {
    const NOUN: &'static str = "game or stage";

    fn parse(line: &[u8]) -> serde_json::Result<Line> {
        if line.starts_with(STAGE) {
            serde_json::from_slice(line).map(Line::Stage)
        } else {
            let mut game: GameLine = serde_json::from_slice(line)?;
            game.names.iter_mut().flatten().for_each(clean);
            for entry in &mut game.entries {
                if let Entry::PlayerMove {
                    what: Moved::IllegalMove { reason },
                    ..
                } = entry
                {
                    clean(reason);
                }
            }
            Ok(Line::Game(game))
        }
    }
}

/// The file of finished games. It is locked while it is open.
#[derive(Debug)]
pub struct Journal {
    file: Appender,
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

    /// Opens a journal or begins one, and counts its games into `contest`, each once. A last line without an
    /// end, left by a server that was killed in the middle of a write, is cut off.
    ///
    /// # Errors
    /// If it cannot be read, is no journal, or another server uses it.
    pub fn open(path: &Path, contest: &mut Contest) -> Result<Journal, RecordError> {
        let mut file = Appender::open(path, OPENING)?;
        let (mut last_id, mut elapsed) = (0, 0);
        let mut counted = HashSet::new();
        for line in Reader::open(path)?.whole_lines() {
            match line? {
                // A line that was copied makes no second game.
                Line::Game(game) if !counted.insert(game.id) => {}
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
        file.remove_torn_line()?;
        Ok(Journal {
            file,
            last_id,
            elapsed: Duration::from_millis(elapsed),
        })
    }

    /// Appends a game, with one write.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: &GameLine) -> Result<(), RecordError> {
        self.file.append_record(game)?;
        self.last_id = self.last_id.max(game.id);
        Ok(())
    }

    /// Appends a stage of the final, with one write.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append_stage(&mut self, stage: &StageLine) -> Result<(), RecordError> {
        self.file.append_record(stage)
    }

    /// Appends lines of games that are written already (see `arena::records::line_of`), with one write.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append_lines(&mut self, lines: &[u8]) -> Result<(), RecordError> {
        self.file.append(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::Write;

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
            Err(RecordError::InUse(_))
        ));
        journal.append(&game(1, 0)).unwrap();
        journal.append(&game(2, 0)).unwrap();
        drop(journal);
        let mut torn = File::options().append(true).open(&path).unwrap();
        torn.write_all(b"{\"id\":3,\"te").unwrap();

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
    fn a_game_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut contest = Contest::new([4, 7]);
        let mut journal = Journal::open(&path, &mut contest).unwrap();
        for id in [1, 2, 2, 1, 3] {
            journal.append(&game(id, 0)).unwrap();
        }
        drop(journal);
        Journal::open(&path, &mut contest).unwrap();
        assert_eq!((contest.games(), contest.met([4, 7])), (3, 3));
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
        assert_eq!(contest.bracket().unwrap().next(), Some(vec![4, 9]));
        assert_eq!(contest.standing(9).won, 0, "the final is not rated");
    }

    #[test]
    fn what_is_no_journal_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "not one line of a journal").unwrap();
        let error = Journal::open(&path, &mut Contest::default()).unwrap_err();
        assert!(matches!(error, RecordError::Foreign(_)), "{error}");
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, "not one line of a journal");
        let full = Journal::open(Path::new("/dev/full"), &mut Contest::default());
        assert!(matches!(full, Err(RecordError::NotAFile(_))));
    }

    #[test]
    fn a_broken_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        std::fs::write(&path, "{}\n").unwrap();
        let error = Journal::open(&path, &mut Contest::default()).unwrap_err();
        assert!(
            error.to_string().ends_with(
                "line 1 is no game or stage record: missing field `id` at line 1 column 2"
            ),
            "{error}"
        );
    }
}
