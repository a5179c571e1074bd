//! What a game has to do to be played at a table.

use super::language::{Language, Text};
use arena::practice::Practice;
use arena::report::script::Script;
pub use games::Eyes;
use serde::Serialize;
use serde_json::Value;
use std::ops::RangeInclusive;

/// A game that can be played at a table.
pub trait Kind: Send + Sync {
    /// What it is called in addresses and files: lower-case letters.
    fn name(&self) -> &'static str;

    /// What it is called on pages.
    fn title(&self) -> &'static str;

    /// How many can play it.
    fn seats(&self) -> RangeInclusive<usize>;

    /// How many strengths its player has, the weakest first. The texts call them `NAME-level-1` and so on, and
    /// say `NAME-level-1-summary` of them.
    fn levels(&self) -> usize;

    /// What a level (from 0) is called.
    fn level(&self, level: usize) -> Text {
        Text::of(format!("{}-level-{}", self.name(), level + 1))
    }

    /// What a level (from 0) does, in a few words.
    fn summary(&self, level: usize) -> Text {
        Text::of(format!("{}-level-{}-summary", self.name(), level + 1))
    }

    /// What is said at its tables, in Fluent's syntax. Games may share some of it.
    fn texts(&self, language: Language) -> Vec<&'static str>;

    /// What the values of its actions are in.
    fn unit(&self) -> Unit;

    /// A game whose chance follows from the seed.
    fn begin(&self, seats: usize, seed: u64) -> Box<dyn TableGame>;

    /// A game that starts as [`open`](Kind::open) has told.
    ///
    /// # Errors
    /// Why none can start like that.
    fn begin_at(
        &self,
        seats: usize,
        seed: u64,
        start: &Value,
    ) -> Result<Box<dyn TableGame>, String> {
        let _ = (seats, seed, start);
        Err(format!("{} starts with a deal", self.title()))
    }

    /// A position that [`open`](Kind::open) reads, for people to change; empty if it reads nothing. The texts say
    /// under `NAME-opens` what else it reads.
    fn opens(&self) -> &'static str {
        ""
    }

    /// Reads a game or a position from a text: a record, or what else the game's tools read.
    ///
    /// # Errors
    /// What is wrong with it, and what was expected.
    fn open(&self, text: &[u8]) -> Result<Opened, String> {
        let _ = text;
        Err(format!("files of {} cannot be opened here", self.title()))
    }

    /// Whether its games can be had as pages, see [`TableGame::page`].
    fn has_pages(&self) -> bool {
        false
    }

    /// Programs of participants that can sit down, by what they are called.
    fn programs(&self) -> Vec<String> {
        Vec::new()
    }

    /// The modules of the script that draws it, each after those it imports from. The last one opens the table
    /// with the game's part, see `assets/table.js`.
    fn scripts(&self) -> &'static [Script];

    fn styles(&self) -> &'static [&'static str];

    /// The module that lets people change a position, with those that it alone imports from before it; empty if
    /// there is none.
    fn editor(&self) -> &'static [Script] {
        &[]
    }

    /// HTML that the script refers to, such as icons.
    fn definitions(&self) -> &'static str;

    /// Its rules in short, as HTML.
    fn rules(&self, language: Language) -> &'static str;
}

/// A game or a position that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    pub names: Vec<String>,
    /// Where it starts, in a form that the game keeps to itself.
    pub start: Value,
    /// What was done from there.
    pub taken: Vec<String>,
    /// Who acts then, from 0.
    pub to_move: usize,
}

/// A decision yet to be made, by work that is done without the table: the action, or why there is none.
pub type Thought = Box<dyn FnOnce() -> Result<String, String> + Send>;

/// Advice yet to be worked out.
pub type Advising = Box<dyn FnOnce() -> Advice + Send>;

/// What the values of a game's actions are in. More is better for whoever acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// The chance to win, from 0 to 1.
    Chance,
    /// Points expected; those that a game counts against a player are negative.
    Points,
}

/// An action that may be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// As the contest writes it.
    pub action: String,
    /// The same in a few words: `flag: from 3 to 9`.
    pub words: Text,
}

/// What to do, and what it is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    pub candidates: Vec<Candidate>,
}

/// An action that could be taken.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    #[serde(flatten)]
    pub choice: Choice,
    /// What it is worth to whoever takes it, in the game's [`Unit`].
    pub value: f64,
    /// How much less that is than the best one's, from 0.
    pub behind: f64,
    /// What is likely to follow, in words.
    pub then: Vec<Text>,
    /// What the game's script draws of it.
    pub picture: Value,
}

/// Something that has happened, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// Who did it, from 0; none for what nobody does, such as a deal.
    pub seat: Option<usize>,
    /// What it was, without the name, in English: `plays the flag from 3 to 9`.
    pub words: String,
}

/// A game under way at a table.
pub trait TableGame: Send {
    /// The seat that acts next, from 0; none when the game is over.
    fn to_move(&self) -> Option<usize>;

    /// Actions taken so far.
    fn actions(&self) -> usize;

    /// The game as these eyes see it. It must hold nothing that they may not see; once the game is
    /// over, everything may be seen.
    fn view(&self, eyes: Eyes) -> Value;

    /// Takes the action of the seat that acts next, in the contest's notation.
    ///
    /// # Errors
    /// Why it cannot be taken; nothing has changed.
    fn act(&mut self, action: &str) -> Result<(), String>;

    /// The last action as the contest writes it, which may not be how it was written; none at the start.
    fn last(&self) -> Option<String>;

    /// To how many actions the game can go back when this seat takes its last one back; none if it
    /// cannot. Unless `freely`, that is only as long as it has seen nothing new since and nobody else
    /// has acted.
    fn back(&self, seat: usize, freely: bool) -> Option<usize>;

    /// Goes back to the position after so many actions, with the same chance to come.
    fn go_back(&mut self, actions: usize);

    /// The decision of a player of this level (from 0) for the seat that acts next.
    fn think(&self, level: usize) -> Thought;

    /// The decision of a program of this name, one of [`Kind::programs`], for the seat that acts next.
    fn consult(&self, program: &str) -> Thought {
        let reason = format!("this game is not played by programs such as {program}");
        Box::new(move || Err(reason))
    }

    /// Notes what makes the game one for practice, for its record; again whenever that changes.
    fn practise(&mut self, how: &Practice);

    /// The game goes on no further: programs that still run for it are ended.
    fn close(&self) {}

    /// What to do, for the seat that acts next, by what that seat may know.
    fn advise(&self) -> Advising;

    /// What the next action, which is to be the one taken, was worth, for a review: with less work than
    /// advice, and with `taken` among the candidates whatever it is worth.
    fn judge(&self, taken: &str) -> Advising {
        let _ = taken;
        self.advise()
    }

    /// What chance gave the seat of the last action by it, against its average, in the game's
    /// [`Unit`]; none if it gave nothing, or that is not known. What a deal gave is told with the first action of each
    /// seat after it.
    fn luck(&self) -> Option<f64> {
        None
    }

    /// The actions that may be taken next; none when the game is over.
    fn choices(&self) -> Vec<Choice>;

    /// The position for a terminal, at most 80 columns wide, as these eyes see it.
    fn screen(&self, eyes: Eyes, names: &[String]) -> Vec<String>;

    /// What has happened, as these eyes saw it: at least an entry for every action, in order.
    fn told(&self, eyes: Eyes) -> Vec<Told>;

    /// The game as it was after so many actions, with the same chance to come.
    fn at(&self, actions: usize) -> Box<dyn TableGame>;

    /// Whether the game, once it is over, can be had as a record: it may have started in the middle of one.
    fn has_record(&self) -> bool {
        true
    }

    /// The game as one page to step through without a server, once it is over; none if this game has no such
    /// pages.
    fn page(&self, names: &[String]) -> Option<Vec<u8>> {
        let _ = names;
        None
    }

    /// The record of the game as a file of lines, once it is over.
    fn record(&self, names: &[String]) -> Option<Vec<u8>>;
}

/// The names as labels of a record: with a number after those that are taken already.
pub fn distinct(names: &[String]) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for (seat, name) in names.iter().enumerate() {
        let taken = labels.contains(name);
        labels.push(if taken {
            format!("{name} ({})", seat + 1)
        } else {
            name.clone()
        });
    }
    labels
}
