//! The host's own games that are over, with their results, and a rating from them for each game. They stay when their
//! tables are removed.
//!
//! The rating is Glicko's ([`arena::glicko`]), from the games in the order in which they ended. It begins at 1500. Each
//! built-in player in a game counts as one opponent, with the fixed rating of its level; to be placed before it is a
//! win, beside it a draw. A level's rating follows from the measured wins against the level below; the first level has
//! 1000.

use super::kind::{Kind, Scene, ratings};
use super::setup::Occupant;
use arena::glicko::Rating;
use arena::records::{Appender, Opening, Reader, Record, RecordError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file in the folder of the tables. Its ending keeps it from being read as a table.
const FILE: &str = "own-games.list";

/// A game of the host that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct OwnGame {
    /// The id of its table.
    pub table: String,
    pub game: String,
    /// Seconds from 1970 to its end.
    pub at: u64,
    pub seats: Vec<Holder>,
    /// The seat of the host, from 0.
    pub own: usize,
    /// The place of each seat, from 1; equals share the mean of their places.
    pub places: Vec<f64>,
    /// Whether it counts for the rating: played without hints, and not for practice.
    pub rated: bool,
}

/// The holder of a seat, without secrets: of a game that is kept, or one that a person asks for. The file of own games and
/// requests of the start page have it so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Holder {
    Person(String),
    /// The level, from 0.
    Player(usize),
    /// A participant's program, by its label.
    Program(String),
}

impl Holder {
    pub(super) fn of(occupant: &Occupant) -> Holder {
        match occupant {
            Occupant::Person { name, .. } => Holder::Person(name.clone()),
            Occupant::Player(level) => Holder::Player(*level),
            Occupant::Program(label) => Holder::Program(label.clone()),
        }
    }
}

impl Record for OwnGame {
    const NOUN: &'static str = "finished game";

    fn parse(line: &[u8]) -> serde_json::Result<OwnGame> {
        serde_json::from_slice(line)
    }
}

/// All of them, in the order in which they ended.
#[derive(Debug, Default)]
pub(super) struct OwnGames {
    path: PathBuf,
    games: Vec<OwnGame>,
    known: BTreeSet<String>,
}

impl OwnGames {
    /// Reads the games of a folder, up to the first that cannot be read; `report` gets the reason. The file stays as it
    /// is.
    pub(super) fn open(folder: &Path, report: impl Fn(&str)) -> OwnGames {
        let path = folder.join(FILE);
        let read = |games: &mut Vec<OwnGame>| -> Result<(), RecordError> {
            for game in Reader::open(&path)?.whole_lines() {
                games.push(game?);
            }
            Ok(())
        };
        let mut games = Vec::new();
        if path.exists()
            && let Err(error) = read(&mut games)
        {
            report(&format!("own games are left out from here on: {error}"));
        }
        let known = games.iter().map(|game| game.table.clone()).collect();
        OwnGames { path, games, known }
    }

    /// Keeps a game, unless one of its table is kept: only the first end of a game counts.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn keep(&mut self, game: OwnGame) -> Result<(), RecordError> {
        if self.known.contains(&game.table) {
            return Ok(());
        }
        let opening = Opening::Exclusive {
            is_ours: |_| true,
            durable: false,
        };
        Appender::open(&self.path, opening)?.append_record(&game)?;
        self.known.insert(game.table.clone());
        self.games.push(game);
        Ok(())
    }

    /// The latest `most` games, and the ratings, for the host's page.
    pub(super) fn shown(&self, kinds: &[Arc<Kind>], most: usize) -> Value {
        let kind = |name: &str| kinds.iter().find(|kind| kind.scene.name == name);
        let name = |kind: &Arc<Kind>, seat: &Holder| match seat {
            Holder::Person(name) => json!(name),
            Holder::Player(level) => json!(kind.scene.level(*level)),
            Holder::Program(label) => json!(label),
        };
        let games = self.games.iter().rev().take(most).filter_map(|game| {
            let kind = kind(&game.game)?;
            let names = game.seats.iter().map(|seat| name(kind, seat));
            Some(json!({
                "table": game.table,
                "title": kind.scene.title,
                "at": game.at,
                "names": names.collect::<Vec<_>>(),
                "own": game.own,
                "places": game.places,
                "rated": game.rated,
            }))
        });
        let ratings = kinds.iter().filter_map(|kind| {
            let (rating, counted) = self.rating(kind)?;
            let levels = ratings(kind.scene.steps).into_iter().enumerate();
            let levels = levels
                .map(|(level, value)| json!({ "name": kind.scene.level(level), "value": value }));
            Some(json!({
                "title": kind.scene.title,
                "value": rating.value,
                // Two deviations: the strength is within them 95 times in 100.
                "margin": 2.0 * rating.deviation,
                "games": counted,
                "levels": levels.collect::<Vec<_>>(),
            }))
        });
        json!({ "games": games.collect::<Vec<_>>(), "ratings": ratings.collect::<Vec<_>>() })
    }

    /// The host's rating in a game, and the number of games that it rests on; none without such a game.
    fn rating(&self, kind: &Kind) -> Option<(Rating, usize)> {
        let Scene { name, steps, .. } = kind.scene;
        let games = self.games.iter();
        let games = games.filter(|game| game.rated && game.game == name);
        rating(games, &ratings(steps))
    }
}

/// The host's rating after these games against levels with these ratings, and the number of games that it rests on.
fn rating<'a>(games: impl Iterator<Item = &'a OwnGame>, levels: &[f64]) -> Option<(Rating, usize)> {
    let mut own = Rating::default();
    let mut counted = 0;
    for game in games {
        let Some(place) = game.places.get(game.own) else {
            continue;
        };
        let before = own;
        for (seat, other) in game.seats.iter().zip(&game.places) {
            let Holder::Player(level) = seat else {
                continue;
            };
            let Some(&value) = levels.get(*level) else {
                continue;
            };
            let score = match place.total_cmp(other) {
                Ordering::Less => 1.0,
                Ordering::Equal => 0.5,
                Ordering::Greater => 0.0,
            };
            // A level's rating is fixed, so it has no deviation.
            let level = Rating {
                value,
                deviation: 0.0,
            };
            own = own.after(&level, score);
        }
        // A game of people alone says nothing about levels.
        counted += usize::from(own != before);
    }
    (counted > 0).then_some((own, counted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::fs;

    fn game(table: &str, level: usize, places: [f64; 2]) -> OwnGame {
        OwnGame {
            table: table.to_owned(),
            game: "hearts".to_owned(),
            at: 0,
            seats: vec![Holder::Player(level), Holder::Person("Ann".to_owned())],
            own: 1,
            places: places.to_vec(),
            rated: true,
        }
    }

    #[test]
    fn games_are_kept_once_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let whole = |text: &str| panic!("{text}");
        let mut own = OwnGames::open(folder.path(), whole);
        own.keep(game("a", 0, [2.0, 1.0])).unwrap();
        own.keep(game("a", 0, [1.0, 2.0])).unwrap();
        // A write of the second failed when the disk was full, or its process was killed.
        let path = folder.path().join(FILE);
        let torn = [fs::read(&path).unwrap(), b"{\"table\":\"b".to_vec()].concat();
        fs::write(&path, torn).unwrap();
        own.keep(game("b", 0, [1.0, 2.0])).unwrap();
        let again = OwnGames::open(folder.path(), whole);
        assert_eq!(again.games, own.games);
        assert_eq!(again.games.len(), 2);
        assert_eq!(again.known, ["a", "b"].map(str::to_owned).into());
        // A line that is none costs the games after it, not the tables.
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen('\n', "\nno game\n", 1)).unwrap();
        let told = RefCell::new(String::new());
        let again = OwnGames::open(folder.path(), |text| *told.borrow_mut() = text.to_owned());
        assert_eq!(again.games, own.games[..1]);
        assert!(told.borrow().contains("line 2"), "{}", told.borrow());
    }

    #[test]
    fn wins_against_stronger_levels_are_worth_more() {
        // 75 of 100 wins are odds of three to one, or 191 points.
        let levels = ratings(&[0.75, 0.75]);
        assert_eq!(
            levels.iter().map(|one| one.round()).collect::<Vec<_>>(),
            [1000.0, 1191.0, 1382.0]
        );
        let of = |level: usize, places: [f64; 2]| {
            let rated = rating([&game("a", level, places)].into_iter(), &levels);
            rated.map(|(rating, _)| rating.value)
        };
        let won = [0, 1, 2].map(|level| of(level, [2.0, 1.0]).unwrap());
        assert!(
            1500.0 < won[0] && won[0] < won[1] && won[1] < won[2],
            "{won:?}"
        );
        let lost = of(0, [1.0, 2.0]).unwrap();
        let drawn = of(0, [1.5, 1.5]).unwrap();
        assert!(lost < drawn && drawn < 1500.0, "{lost} {drawn}");
        assert_eq!(of(9, [2.0, 1.0]), None, "there is no such level");
    }

    /// Whoever always wins three of four games against a level gets close to the rating of the level above.
    #[test]
    fn the_rating_finds_the_strength() {
        let levels = ratings(&[0.75, 0.75]);
        let games: Vec<OwnGame> = (0..200)
            .map(|number| match number % 4 {
                0 => game("a", 1, [1.0, 2.0]),
                _ => game("a", 1, [2.0, 1.0]),
            })
            .collect();
        let (found, counted) = rating(games.iter(), &levels).unwrap();
        assert_eq!(counted, 200);
        assert!((found.value - levels[2]).abs() < 40.0, "{found:?}");
    }
}
