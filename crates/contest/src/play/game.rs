//! What a game has to do to be played at a table.

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

    /// The strengths of its players, the weakest first.
    fn levels(&self) -> &'static [Level];

    /// What the values of its actions are in.
    fn unit(&self) -> Unit;

    /// A game whose chance follows from the seed.
    fn begin(&self, seats: usize, seed: u64) -> Box<dyn TableGame>;

    /// The parts of the script that draws it. They share their names with the table's own script,
    /// for which they define `game`: see `assets/table.js`.
    fn scripts(&self) -> &'static [&'static str];

    /// Its style sheets.
    fn styles(&self) -> &'static [&'static str];

    /// HTML that the script refers to, such as icons.
    fn definitions(&self) -> &'static str;

    /// Its rules in short, as HTML.
    fn rules(&self) -> &'static str;
}

/// A strength of a game's player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// What it is called.
    pub name: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
}

/// Whose view it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eyes {
    /// A seat's, from 0.
    Seat(usize),
    /// An onlooker's, who sees what lies open.
    Onlooker,
}

/// A decision yet to be made, by work that is done without the table.
pub type Thought = Box<dyn FnOnce() -> String + Send>;

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
    pub words: String,
}

/// What to do, and what it is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// The best first.
    pub candidates: Vec<Candidate>,
}

/// An action that could be taken.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The action.
    #[serde(flatten)]
    pub choice: Choice,
    /// What it is worth to whoever takes it, in the game's [`Unit`].
    pub value: f64,
    /// How much less that is than the best one's, from 0.
    pub behind: f64,
    /// What is likely to follow, in words.
    pub then: Vec<String>,
    /// What the game's script draws of it.
    pub picture: Value,
}

/// Something that has happened, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// Who did it, from 0; none for what nobody does, such as a deal.
    pub seat: Option<usize>,
    /// What it was, without the name: `plays the flag from 3 to 9`.
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

    /// To how many actions the game can go back when this seat takes its last one back; none if it
    /// cannot. Unless `freely`, that is only as long as it has seen nothing new since and nobody else
    /// has acted.
    fn back(&self, seat: usize, freely: bool) -> Option<usize>;

    /// Goes back to the position after so many actions, with the same chance to come.
    fn go_back(&mut self, actions: usize);

    /// The decision of a player of this level (from 0) for the seat that acts next.
    fn think(&self, level: usize) -> Thought;

    /// What to do, for the seat that acts next, by what that seat may know.
    fn advise(&self) -> Advising;

    /// The actions that may be taken next; none when the game is over.
    fn choices(&self) -> Vec<Choice>;

    /// The position for a terminal, at most 80 columns wide, as these eyes see it.
    fn screen(&self, eyes: Eyes, names: &[String]) -> Vec<String>;

    /// What has happened, as these eyes saw it: at least an entry for every action, in order.
    fn told(&self, eyes: Eyes) -> Vec<Told>;

    /// The game as it was after so many actions, with the same chance to come.
    fn at(&self, actions: usize) -> Box<dyn TableGame>;

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
