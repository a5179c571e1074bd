//! A game that can be played at tables: its [`Scene`], all that pages need to know of it, and how its games begin.

use super::UnderWay;
use super::game::{TableGame, Unit};
use super::language::{Text, Translated};
use arena::input;
use arena::report::script::Script;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::ops::RangeInclusive;

/// A game as its tables describe it: names, levels, texts, and the files of its pages.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Its name in addresses and files: lower-case letters.
    pub name: &'static str,
    /// Its name on pages.
    pub title: &'static str,
    /// The numbers of players.
    pub seats: RangeInclusive<usize>,
    /// The number of its player's levels, the weakest first.
    pub levels: usize,
    /// The beginning of the names of the levels' texts: with `NAME` they are `NAME-level-1` and so on, their
    /// descriptions `NAME-level-1-summary`.
    pub level_texts: &'static str,
    /// For each level but the first, the measured share of games that it wins against the level below. Ratings of the
    /// levels follow from it; empty if nothing was measured.
    pub steps: &'static [f64],
    /// The texts of its tables, in Fluent's syntax. Games may share some of them.
    pub texts: Vec<Translated>,
    /// Its rules in short, as HTML.
    pub rules: Translated,
    /// The unit of its actions' values.
    pub unit: Unit,
    /// The rules that a table can have in addition to the contest's, by their names. The text `NAME-rule-RULE` describes
    /// each.
    pub extra_rules: &'static [&'static str],
    /// An example of a position that [`Kind::open`] reads, for people to change; empty if the game opens nothing. The
    /// text `NAME-opens` describes everything that it reads.
    pub example: &'static str,
    /// Whether a game that is over can be saved as a page, see [`TableGame::page`](crate::TableGame::page).
    pub has_pages: bool,
    /// The modules of the script that draws it, each after those it imports from. The last one opens the table
    /// with the game's part, see `assets/table.js`.
    pub scripts: &'static [Script],
    /// The module that lets people change a position, with those that it alone imports from before it; empty if
    /// there is none.
    pub editor: &'static [Script],
    /// The style sheets of its tables, which are joined into one file.
    pub styles: &'static [&'static str],
    /// HTML that the script refers to, such as icons.
    pub definitions: &'static str,
}

impl Scene {
    /// The name of a level, from 0.
    pub fn level(&self, level: usize) -> Text {
        Text::of(format!("{}-level-{}", self.level_texts, level + 1))
    }

    /// A level, from 0, in a few words.
    pub fn summary(&self, level: usize) -> Text {
        Text::of(format!("{}-level-{}-summary", self.level_texts, level + 1))
    }
}

/// How a game at a table begins.
#[derive(Clone, Copy, Debug)]
pub struct Beginning<'a> {
    pub seats: usize,
    /// Chance follows from it and the actions alone.
    pub seed: u64,
    /// The rules in addition to the contest's, of [`Scene::extra_rules`].
    pub rules: &'a [String],
    /// The start, as [`Kind::open`] has returned it; `None` for a deal.
    pub start: Option<&'a Value>,
}

impl<'a> Beginning<'a> {
    /// A game by the contest's rules that begins with a deal.
    pub fn deal(seats: usize, seed: u64) -> Beginning<'a> {
        Beginning {
            seats,
            seed,
            rules: &[],
            start: None,
        }
    }

    /// Whether one of the additional rules holds.
    pub fn has(&self, rule: &str) -> bool {
        self.rules.iter().any(|one| one == rule)
    }

    /// The start as the game's own type.
    ///
    /// # Errors
    /// If it is none.
    pub fn start<S: DeserializeOwned>(&self) -> Result<Option<S>, String> {
        let read = |start: &Value| S::deserialize(start).map_err(|error| error.to_string());
        self.start.map(read).transpose()
    }

    /// Checks that the start is one for as many players as there are seats.
    ///
    /// # Errors
    /// If it is not.
    pub fn check(&self, players: usize) -> Result<(), String> {
        match self.seats {
            seats if seats == players => Ok(()),
            seats => Err(format!("the start is one for {players}, not for {seats}")),
        }
    }
}

/// The most bytes of a file that is opened. No game's record is that long.
pub const LARGEST: usize = 4 << 20;

/// A game or a position that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    pub names: Vec<String>,
    /// The start, in a form that only the game reads.
    pub start: Value,
    /// The actions since the start.
    pub taken: Vec<String>,
}

impl Opened {
    /// A start, with the players' names and the actions since.
    ///
    /// # Errors
    /// If the start cannot be written.
    pub fn new(
        names: Vec<String>,
        start: impl Serialize,
        taken: Vec<String>,
    ) -> Result<Opened, String> {
        let start = serde_json::to_value(start).map_err(|error| error.to_string())?;
        Ok(Opened {
            names,
            start,
            taken,
        })
    }
}

type Begin = dyn Fn(&Beginning) -> Result<UnderWay, String> + Send + Sync;

type Open = dyn Fn(&[u8]) -> Result<Opened, String> + Send + Sync;

/// A game that can be played at tables.
pub struct Kind {
    pub scene: Scene,
    /// The labels of participants' programs that can sit at a table.
    pub programs: Vec<String>,
    begin: Box<Begin>,
    open: Box<Open>,
}

impl Kind {
    /// A game that `begin` begins. `open` reads a game or a position from a text: a record, a position, or another
    /// format of this game.
    pub fn new<G: TableGame>(
        scene: Scene,
        programs: Vec<String>,
        begin: impl Fn(&Beginning) -> Result<G, String> + Send + Sync + 'static,
        open: impl Fn(&[u8]) -> Result<Opened, String> + Send + Sync + 'static,
    ) -> Kind {
        Kind {
            scene,
            programs,
            begin: Box::new(move |beginning| begin(beginning).map(UnderWay::new)),
            open: Box::new(open),
        }
    }

    /// Begins a game.
    ///
    /// # Errors
    /// The reason why it cannot begin like that.
    pub fn begin(&self, beginning: &Beginning) -> Result<UnderWay, String> {
        let Scene {
            title,
            extra_rules: known,
            ..
        } = self.scene;
        let mut rules = beginning.rules.iter();
        if let Some(unknown) = rules.find(|rule| !known.contains(&rule.as_str())) {
            return Err(match known.join(" or ") {
                none if none.is_empty() => {
                    format!("{title} has no rule {unknown:?}: none can be added to it")
                }
                known => format!("{title} has no rule {unknown:?}: expected {known}"),
            });
        }
        (self.begin)(beginning)
    }

    /// Reads a game or a position from a text.
    ///
    /// # Errors
    /// The mistake in the text, and the expected input.
    pub fn open(&self, text: &[u8]) -> Result<Opened, String> {
        let text = input::unmarked(text);
        let opened = (self.open)(text).map_err(|reason| {
            // A file of records has a game on every line, and a table has one.
            let first = text.trim_ascii_start().split(|&byte| byte == b'\n').next();
            match first.is_some_and(|line| line.starts_with(b"{") && (self.open)(line).is_ok()) {
                true => format!("{reason}; the first line alone can be opened"),
                false => reason,
            }
        })?;
        // Begun on trial with one seed, so that a mistake is reported now, and not when the game begins.
        self.begin(&Beginning {
            start: Some(&opened.start),
            ..Beginning::deal(opened.names.len(), 0)
        })?;
        Ok(opened)
    }
}

/// The ratings of the levels on the scale of Elo: the first level has 1000, and a share of 3/4 against the level below
/// is 191 points. None if nothing was measured.
pub(super) fn ratings(steps: &[f64]) -> Vec<f64> {
    let mut rating = 1000.0;
    let first = (!steps.is_empty()).then_some(rating);
    let others = steps.iter().map(|&share| {
        rating += 400.0 * (share / (1.0 - share)).log10();
        rating
    });
    first.into_iter().chain(others).collect()
}
