//! The finished games of a journal for the web page, read independently of the journal's server. The two share only
//! files, the journal and its index. Memory holds only a few bytes for every thousand games.

use super::super::index::{IdSet, Index, IndexEntry};
use super::super::journal::{Journal, Line};
use super::super::record::GameLine;
use super::super::summary::Summary;
use arena::input;
use arena::records::{Reader, Record, RecordError};
use serde::Deserialize;
use std::fs::File;
use std::io::BufReader;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The state of reading a journal to make its index here.
struct Own {
    lines: Reader<BufReader<File>, Line>,
    ids: IdSet,
}

/// The finished games of a journal that may still grow.
pub struct Archive {
    path: PathBuf,
    file: File,
    index: Index,
    /// The state of reading, if this archive makes the index; none if the server keeps it up to date.
    own: Option<Own>,
}

/// The games to list.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    /// Only games of this team.
    pub team: Option<u64>,
    /// Only games that ended before this one.
    pub before: Option<u64>,
}

/// A part of a list of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// The games, the latest first.
    pub games: Vec<Summary>,
    /// Whether there are more.
    pub more: bool,
}

/// The part of a game's line that the index leaves out of its summary.
#[derive(Deserialize)]
struct Names {
    names: Option<[String; 2]>,
}

impl Archive {
    /// Opens any journal, makes an index of it in a temporary file, and reads what is there.
    ///
    /// # Errors
    /// If it cannot be read, a line is no game, or no file can be made.
    pub fn open(path: &Path) -> Result<Archive, RecordError> {
        let failed = RecordError::io("read", path);
        let file = input::open(path).map_err(&failed)?;
        let again = input::open(path).map_err(&failed)?;
        // This file has no name, so nothing is left of it when the process ends.
        let index = tempfile::tempfile().and_then(Index::new);
        let mut archive = Archive {
            path: path.to_owned(),
            file,
            index: index.map_err(&failed)?,
            own: Some(Own {
                // Games are found again by their place in the file itself, so it must be a plain one.
                lines: Reader::new(path, BufReader::new(again))
                    .whole_lines()
                    .of_contest("challenge"),
                ids: IdSet::default(),
            }),
        };
        archive.refresh()?;
        Ok(archive)
    }

    /// The games of a server's journal. Nothing is read now if the journal has an index.
    ///
    /// # Errors
    /// As of [`open`](Archive::open).
    pub fn of(journal: &Journal) -> Result<Archive, RecordError> {
        let path = journal.path();
        match journal.index()? {
            None => Archive::open(path),
            Some(index) => Ok(Archive {
                path: path.to_owned(),
                file: File::open(path).map_err(RecordError::io("read", path))?,
                index,
                own: None,
            }),
        }
    }

    /// Adds the games that were written since the last call. A last line without an end is left for later.
    ///
    /// # Errors
    /// If it cannot be read, or a line is no game.
    pub fn refresh(&mut self) -> Result<(), RecordError> {
        let Some(own) = &mut self.own else {
            let refreshed = self.index.refresh();
            return refreshed.map_err(RecordError::io("read", &self.path));
        };
        // The index has each number once, as the server counts a copied line once.
        while let Some(line) = own.lines.next().transpose()? {
            if let Line::Game(game) = line
                && own.ids.insert(game.id)
            {
                let (start, length) = own.lines.span();
                self.index.push(&game, start, length);
            }
        }
        Ok(())
    }

    /// How many games there are.
    pub fn len(&self) -> u64 {
        self.index.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// At most `limit` games, the latest first; none if the game of `filter.before` does not exist.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn latest(&self, filter: Filter, limit: usize) -> Result<Option<Listed>, RecordError> {
        let failed = RecordError::io("read", &self.path);
        let place = match filter.before {
            None => self.len(),
            Some(id) => match self.index.find(id).map_err(&failed)? {
                Some((place, _)) => place,
                None => return Ok(None),
            },
        };
        // One more than shown, to know whether there are more.
        let entries = self.index.latest(filter.team, place, limit + 1);
        let mut entries = entries.map_err(&failed)?;
        let more = entries.len() > limit;
        entries.truncate(limit);
        let games: Result<Vec<Summary>, RecordError> = entries
            .into_iter()
            .map(|entry| self.summary(entry))
            .collect();
        Ok(Some(Listed {
            games: games?,
            more,
        }))
    }

    /// A game in short, with its players' names if its line has them.
    fn summary(&self, entry: IndexEntry) -> Result<Summary, RecordError> {
        // Names are not in the index's entries of fixed size, so they are read from the journal.
        let names = match entry.has_names {
            true => {
                let line = self.line(&entry)?;
                let names = serde_json::from_slice::<Names>(&line).map_err(std::io::Error::from);
                names.map_err(RecordError::io("read", &self.path))?.names
            }
            false => None,
        };
        Ok(Summary {
            names,
            ..entry.summary
        })
    }

    /// The bytes of a game's line.
    fn line(&self, entry: &IndexEntry) -> Result<Vec<u8>, RecordError> {
        let mut line = vec![0; entry.length as usize];
        let read = self.file.read_exact_at(&mut line, entry.start);
        read.map_err(RecordError::io("read", &self.path))?;
        Ok(line)
    }

    /// A game with all its steps; none if there is no such game.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn game(&self, id: u64) -> Result<Option<GameLine>, RecordError> {
        let failed = RecordError::io("read", &self.path);
        let Some((_, entry)) = self.index.find(id).map_err(&failed)? else {
            return Ok(None);
        };
        match Line::parse(&self.line(&entry)?) {
            Ok(Line::Game(game)) => Ok(Some(game)),
            Ok(_) => Ok(None),
            Err(error) => Err(failed(error.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::contest::Contest;
    use super::super::super::record::Entry;
    use super::*;
    use arena::process::testing::scratch;
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
        let (_folder, path) = scratch("games.jsonl");
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
        journal.write_all(&line(9, [2, 4])).unwrap();
        archive.refresh().unwrap();
        let listed = |team, before| archive.latest(Filter { team, before }, 3).unwrap();
        let ids = |team, before| -> Vec<u64> {
            let games = listed(team, before).unwrap().games;
            games.iter().map(|game| game.id).collect()
        };
        assert_eq!(
            ids(None, None),
            [9, 2, 3],
            "a line that was copied is no game"
        );
        assert_eq!(ids(Some(1), None), [2, 3]);
        assert_eq!(ids(None, Some(2)), [3]);
        assert_eq!(listed(None, Some(4)), None);
        assert_eq!(listed(None, None).unwrap().games[0].points, [10, 9]);
        assert_eq!(archive.game(2).unwrap().unwrap().teams, [4, 1]);
    }

    #[test]
    fn a_servers_journal_is_followed_by_its_index() {
        let (_folder, path) = scratch("games.jsonl");
        let game = |id| GameLine {
            id,
            teams: [1, 2],
            names: (id == 2).then(|| ["one".to_owned(), "two".to_owned()]),
            ..GameLine::default()
        };
        let mut journal = Journal::open_indexed(&path, &mut Contest::default(), drop).unwrap();
        journal.append(&game(1)).unwrap();
        let mut archive = Archive::of(&journal).unwrap();
        assert_eq!(archive.len(), 1);
        journal.append(&game(2)).unwrap();
        journal.append(&game(2)).unwrap();
        archive.refresh().unwrap();
        let listed = archive.latest(Filter::default(), 1).unwrap().unwrap();
        assert_eq!((listed.games[0].id, listed.more), (2, true));
        assert_eq!(listed.games[0].names, game(2).names);
        assert_eq!(archive.game(1).unwrap(), Some(game(1)));
        assert_eq!(archive.game(3).unwrap(), None);
    }

    #[test]
    fn a_broken_line_is_named() {
        let (_folder, path) = scratch("games.jsonl");
        std::fs::write(&path, [&line(1, [1, 2])[..], b"{}\n"].concat()).unwrap();
        let error = Archive::open(&path).err().unwrap().to_string();
        assert!(
            error.contains("line 2 is no game or stage record: missing field `id`"),
            "{error}"
        );
    }
}
