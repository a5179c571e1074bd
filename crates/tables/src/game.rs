//! The two traits of a game at a table. [`Kind`] starts games, which its [`Scene`] describes; a [`TableGame`] is one in
//! its present position, which [`UnderWay`] leads on and back. The games of the crate `contest` and
//! [`Plain`](crate::Plain) implement them.

use super::UnderWay;
use super::language::{Text, Translated};
use arena::practice::Practice;
use arena::report::script::Script;
// The viewer for whom a view is made: a seat, an onlooker, or one who may see all hands.
pub use games::Eyes;
use serde::Serialize;
use serde_json::Value;
use std::any::Any;
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
    /// Whether a game that is over can be saved as a page, see [`TableGame::page`].
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

/// A game that can be played at a table.
pub trait Kind: Send + Sync {
    fn scene(&self) -> Scene;

    /// The same game with some of its extra rules; none if it does not have one of them.
    fn with_rules(&self, rules: &[String]) -> Option<Box<dyn Kind>> {
        // By default a game has the contest's rules alone.
        let _ = rules;
        None
    }

    /// A game whose chance follows from the seed.
    fn begin(&self, seats: usize, seed: u64) -> UnderWay;

    /// A game that begins with `start`, which [`open`](Kind::open) has returned in [`Opened::start`].
    ///
    /// # Errors
    /// The reason why it cannot start like that.
    fn begin_at(&self, seats: usize, seed: u64, start: &Value) -> Result<UnderWay, String> {
        // By default a game has no position to start at.
        let _ = (seats, seed, start);
        Err(format!("{} starts with a deal", self.scene().title))
    }

    /// Reads a game or a position from a text: a record, a position, or another format of this game.
    ///
    /// # Errors
    /// The mistake in the text, and the expected input.
    fn open(&self, text: &[u8]) -> Result<Opened, String> {
        // By default a game opens no files.
        let _ = text;
        let title = self.scene().title;
        Err(format!("files of {title} cannot be opened here"))
    }

    /// The labels of participants' programs that can sit at a table.
    fn programs(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A game or a position that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    pub names: Vec<String>,
    /// The start, in a form that only the game reads.
    pub start: Value,
    /// The actions since the start.
    pub taken: Vec<String>,
    /// The seat that acts at the start, from 0.
    pub to_move: usize,
}

/// The work for one decision. It needs the table no more, so it runs on another thread. It returns the action,
/// or the reason why there is none.
pub type Thought = Box<dyn FnOnce() -> Result<String, String> + Send>;

/// The work for advice, which runs on another thread like a [`Thought`].
pub type Advising = Box<dyn FnOnce() -> Advice + Send>;

/// The unit of a game's values. More is better for the seat that acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// The chance to win, from 0 to 1.
    Chance,
    /// Expected points; more are better.
    Points,
    /// Expected points that count against a player. The value is negative, people are shown the positive number.
    Penalty,
}

/// An action that may be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The action in the contest's notation.
    pub action: String,
    /// The same in a few words: `flag: from 3 to 9`.
    pub words: Text,
}

/// The candidates for the next action, the best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    pub candidates: Vec<Candidate>,
}

/// An action that could be taken.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    #[serde(flatten)]
    pub choice: Choice,
    /// Its value to the seat that acts, in the game's [`Unit`].
    pub value: f64,
    /// The best candidate's value minus its own: 0 or more.
    pub behind: f64,
    /// The likely continuation, in words.
    pub then: Vec<Text>,
    /// Data from which the game's script draws it.
    pub picture: Value,
}

/// An event of a game in words, for a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// The seat that did it, from 0; `None` for an event of nobody, such as a deal.
    pub seat: Option<usize>,
    /// The event in English without the name: `plays the flag from 3 to 9`.
    pub words: String,
}

/// A game at a table in its present position. It only goes on; [`UnderWay`] goes back by the same actions from the start.
pub trait TableGame: Any + Send {
    /// A copy of the game.
    fn boxed(&self) -> Box<dyn TableGame>;

    /// The seat that acts next, from 0; none when the game is over.
    fn to_move(&self) -> Option<usize>;

    /// The game as these eyes see it. It must hold nothing that they may not see; once the game is
    /// over, everything may be seen.
    fn view(&self, eyes: Eyes) -> Value;

    /// Takes the action of the seat that acts next, and returns it in the contest's notation, however it was typed. Chance
    /// follows from the start and the actions alone.
    ///
    /// # Errors
    /// The reason why it cannot be taken; nothing has changed.
    fn act(&mut self, action: &str) -> Result<String, String>;

    /// Called when the resignation of a seat ends a game of two: the other player has won.
    fn resign(&mut self, seat: usize) {
        // By default a game ends without a record then.
        let _ = seat;
    }

    /// Whether the last action has shown its seat something new, such as a card that it drew.
    fn has_shown(&self) -> bool;

    /// The place of each seat, from 1, once the game is over; equals share the mean of their places. `None` while it
    /// goes on.
    fn places(&self) -> Option<Vec<f64>>;

    /// The decision of a player of this level (from 0) for the seat that acts next.
    fn think(&self, level: usize) -> Thought;

    /// The decision of a program of this name, one of [`Kind::programs`], for the seat that acts next.
    fn consult(&self, program: &str) -> Thought {
        let reason = format!("this game is not played by programs such as {program}");
        Box::new(move || Err(reason))
    }

    /// Called when the game is over: ends the programs that still run for it.
    fn close(&self) {}

    /// Advice for the seat that acts next, from what this seat may know alone.
    fn advise(&self) -> Advising;

    /// The value of the action `taken`, which comes next, for the review of a game of `actions` in all. It costs less
    /// than advice, and has `taken` among the candidates, however bad it is.
    fn judge(&self, taken: &str, actions: usize) -> Advising {
        // A game without a cheaper judgement gives full advice.
        let _ = (taken, actions);
        self.advise()
    }

    /// The luck of the last action for its seat, in the game's [`Unit`]: the value of what chance gave with this
    /// action, minus the average over all that it could give. `None` if chance gave nothing, or the game does not
    /// measure it. The luck of a deal counts with each seat's first action after it.
    fn luck(&self) -> Option<f64> {
        None
    }

    /// The actions that may be taken next; none when the game is over.
    fn choices(&self) -> Vec<Choice>;

    /// The position for a terminal, at most 80 columns wide, as these eyes see it.
    fn screen(&self, eyes: Eyes, names: &[String]) -> Vec<String>;

    /// The events as these eyes saw them, in order: at least one for every action.
    fn told(&self, eyes: Eyes) -> Vec<Told>;

    /// Whether there is a record of the game once it is over. A game that started in its middle may have none.
    fn has_record(&self) -> bool {
        true
    }

    /// The game as one page to step through without a server, once it is over; none if this game has no such
    /// pages.
    fn page(&self, names: &[String], practice: &Practice) -> Option<Vec<u8>> {
        let _ = (names, practice);
        None
    }

    /// The record of the game as a file of lines, once it is over.
    fn record(&self, names: &[String], practice: &Practice) -> Option<Vec<u8>>;
}

/// A name in at most this many characters. The end of a longer one becomes `…`, but the number of its seat stays:
/// with 12 of them, "Bartholomew Roberts 2" becomes "Bartholom… 2".
pub(super) fn cut(name: &str, most: usize) -> String {
    let long = name.chars().count();
    if long <= most {
        return name.to_owned();
    }
    let is_number = |end: &&str| !end.is_empty() && end.bytes().all(|b| b.is_ascii_digit());
    let number = name.rsplit_once(' ').map(|(_, end)| end).filter(is_number);
    let end = number.map_or("…".to_owned(), |number| format!("… {number}"));
    let kept = most.saturating_sub(end.chars().count());
    let start: String = name.chars().take(kept).collect();
    format!("{}{end}", start.trim_end())
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

/// The names as labels of a record. A name that is taken already gets its seat's number.
pub fn distinct(names: &[String]) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for (seat, name) in names.iter().enumerate() {
        // Two players called Ann in the seats 1 and 3 become "Ann" and "Ann (3)".
        let taken = labels.contains(name);
        labels.push(if taken {
            format!("{name} ({})", seat + 1)
        } else {
            name.clone()
        });
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_cut_but_not_its_number() {
        assert_eq!(cut("Ann", 3), "Ann");
        assert_eq!(cut("Bartholomew Roberts", 8), "Barthol…");
        assert_eq!(cut("Bartholomew Roberts 2", 12), "Bartholom… 2");
        assert_eq!(cut("Bartholomew Roberts 12", 16), "Bartholomew… 12");
        assert_eq!(cut("Bartholomew 2nd", 12), "Bartholomew…");
    }
}
