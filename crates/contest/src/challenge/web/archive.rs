//! The finished games of a journal, read behind the server's back: nothing here is shared with a
//! server that writes it.

use super::super::contest::GameLine;
use super::super::journal::Line;
use super::super::record::{Entry, Moved};
use arena::input;
use arena::records::{Reader, Record, RecordError};
use serde::Serialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// A game in a list of games. Pairs are in the order of the game's players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Its number.
    pub id: u64,
    /// The teams; the first one led.
    pub teams: [u64; 2],
    /// Their names, where the game has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<[String; 2]>,
    /// Which of the two won.
    pub winner: usize,
    /// Whether it was a game of the final.
    pub is_final: bool,
    /// Points at the end.
    pub points: [u8; 2],
    /// Games won in the round, this one included.
    pub round: Option<[u32; 2]>,
    /// Hands that were dealt.
    pub hands: usize,
    /// Whether an accepted challenge decided it.
    pub by_challenge: bool,
    /// Wrong and missing answers.
    pub faults: usize,
}

impl Summary {
    fn of(game: &GameLine) -> Summary {
        let mut summary = Summary {
            id: game.id,
            teams: game.teams,
            names: game.names.clone(),
            winner: game.winner.min(1),
            is_final: game.is_final,
            points: [0, 0],
            round: None,
            hands: 0,
            by_challenge: false,
            faults: 0,
        };
        for entry in &game.entries {
            summary.add(entry);
        }
        summary
    }

    fn add(&mut self, entry: &Entry) {
        match *entry {
            Entry::NewHand { .. } => {
                self.hands += 1;
                self.by_challenge = false;
            }
            Entry::PlayerMove {
                what: Moved::AcceptChallenge,
                ..
            } => self.by_challenge = true,
            Entry::PlayerMove {
                what: Moved::IllegalMove { .. },
                ..
            } => self.faults += 1,
            Entry::FinalGameResult {
                player0_score,
                player1_score,
                ..
            } => self.points = [player0_score, player1_score],
            Entry::NewRoundScore {
                player0_score,
                player1_score,
            } => self.round = Some([player0_score, player1_score]),
            _ => {}
        }
    }
}

struct Indexed {
    summary: Summary,
    start: u64,
    length: usize,
}

/// The finished games of a journal that may still grow.
pub struct Archive {
    path: PathBuf,
    /// To read single games again.
    file: File,
    lines: Reader<BufReader<File>, Line>,
    games: Vec<Indexed>,
    by_id: HashMap<u64, usize>,
}

impl Archive {
    /// Opens a journal and reads what is there.
    ///
    /// # Errors
    /// If it cannot be read, or a line is no game.
    pub fn open(path: &Path) -> Result<Archive, RecordError> {
        let mut archive = Archive {
            path: path.to_owned(),
            file: input::open(path).map_err(RecordError::io("read", path))?,
            lines: Reader::open(path)?.whole_lines(),
            games: Vec::new(),
            by_id: HashMap::new(),
        };
        archive.refresh()?;
        Ok(archive)
    }

    /// Reads what has come since; a last line without an end is left for later.
    ///
    /// # Errors
    /// If it cannot be read, or a line is no game.
    pub fn refresh(&mut self) -> Result<(), RecordError> {
        while let Some(line) = self.lines.next().transpose()? {
            if let Line::Game(game) = line {
                let (start, length) = self.lines.span();
                self.by_id.insert(game.id, self.games.len());
                self.games.push(Indexed {
                    summary: Summary::of(&game),
                    start,
                    length,
                });
            }
        }
        Ok(())
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The games of a team, or of all, that ended before another one, the latest first.
    pub fn latest(&self, team: Option<u64>, before: Option<u64>) -> impl Iterator<Item = &Summary> {
        let end = before
            .and_then(|id| self.by_id.get(&id).copied())
            .unwrap_or(self.games.len());
        let games = self.games[..end].iter().rev().map(|game| &game.summary);
        games.filter(move |game| team.is_none_or(|team| game.teams.contains(&team)))
    }

    /// A game with all that happened in it; none if there is no such game.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn game(&self, id: u64) -> Result<Option<GameLine>, RecordError> {
        let Some(game) = self.by_id.get(&id).map(|&i| &self.games[i]) else {
            return Ok(None);
        };
        let failed = RecordError::io("read", &self.path);
        let mut line = vec![0; game.length];
        let read = self.file.read_exact_at(&mut line, game.start);
        read.map_err(&failed)?;
        match Line::parse(&line) {
            Ok(Line::Game(game)) => Ok(Some(game)),
            Ok(Line::Stage(_)) => Ok(None),
            Err(error) => Err(failed(error.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::records::line_of;
    use std::io::Write;

    fn line(id: u64, teams: [u64; 2]) -> Vec<u8> {
        let score = |a, b| Entry::FinalGameResult {
            player0_score: a,
            player1_score: b,
            winner: 0,
        };
        let game = GameLine {
            id,
            teams,
            entries: vec![score(10, id as u8)],
            ..GameLine::default()
        };
        line_of(&game).unwrap()
    }

    #[test]
    fn it_grows_with_the_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut journal = File::create(&path).unwrap();
        journal.write_all(&line(3, [1, 2])).unwrap();
        let mut archive = Archive::open(&path).unwrap();
        assert_eq!(archive.len(), 1);
        let second = line(2, [4, 1]);
        let (torn, rest) = second.split_at(20);
        journal.write_all(torn).unwrap();
        archive.refresh().unwrap();
        assert_eq!((archive.len(), archive.game(2).unwrap()), (1, None));
        journal.write_all(rest).unwrap();
        journal.write_all(b"{\"final\":[1,2],\"at\":5}\n").unwrap();
        journal.write_all(&line(9, [2, 4])).unwrap();
        archive.refresh().unwrap();
        let ids = |team, before| -> Vec<u64> {
            archive.latest(team, before).map(|game| game.id).collect()
        };
        assert_eq!(ids(None, None), [9, 2, 3]);
        assert_eq!(ids(Some(1), None), [2, 3]);
        assert_eq!(ids(None, Some(2)), [3]);
        assert_eq!(archive.latest(None, None).next().unwrap().points, [10, 9]);
        assert_eq!(archive.game(2).unwrap().unwrap().teams, [4, 1]);
    }

    #[test]
    fn a_broken_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        std::fs::write(&path, [&line(1, [1, 2])[..], b"{}\n"].concat()).unwrap();
        let error = Archive::open(&path).err().unwrap().to_string();
        assert!(
            error.contains("line 2 is no game or stage record: missing field `id`"),
            "{error}"
        );
    }
}
