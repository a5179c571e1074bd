//! A game at a table in its present position, as each game tells it: the trait [`TableGame`]. [`UnderWay`](crate::UnderWay)
//! leads it on and back, and a [`Kind`](crate::Kind) begins it. The games of the crate `contest` and
//! [`plain`](crate::plain) implement the trait.

use super::language::Text;
use arena::practice::Practice;
// The viewer for whom a view is made: a seat, an onlooker, or one who may see all hands.
pub use games::Eyes;
use serde::Serialize;
use serde_json::Value;
use std::any::Any;

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
    /// The same in a few words: `hat: from 3 to 9`.
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

/// An event of a game, for its log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// The seat that did it, from 0; `None` for an event of nobody, such as a deal.
    pub seat: Option<usize>,
    /// The event in English without the name: `plays a hat from 3 to 9`.
    pub words: String,
    /// Data from which the game's script draws it, with the seat that acted as `player`.
    pub entry: Value,
}

/// A game at a table in its present position. It only goes on; [`UnderWay`](crate::UnderWay) goes back by the same actions
/// from the start.
pub trait TableGame: Any + Send {
    /// A copy of the game.
    fn boxed(&self) -> Box<dyn TableGame>;

    /// The seat that acts next, from 0; none when the game is over.
    fn to_move(&self) -> Option<usize>;

    /// The game as these eyes see it, with the entries of what they are [`told`](TableGame::told) as `log`. It must hold
    /// nothing that they may not see; once the game is over, everything may be seen.
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

    /// What a terminal says of a game that is over without a winner; a game in which that cannot happen has none.
    fn undecided(&self) -> Option<Text> {
        None
    }

    /// The decision of a player of this level (from 0) for the seat that acts next. It may take long, as whatever a
    /// player or a search is asked: a table asks a copy of the game, on another thread.
    ///
    /// # Errors
    /// The reason why there is no decision.
    fn think(&self, level: usize) -> Result<String, String>;

    /// The decision of a program of this name, one of [`Kind::programs`](crate::Kind::programs), for the seat that acts
    /// next.
    ///
    /// # Errors
    /// The reason why there is no decision.
    fn consult(&self, program: &str) -> Result<String, String> {
        Err(format!(
            "this game is not played by programs such as {program}"
        ))
    }

    /// Called when the game is over: ends the programs that still run for it.
    fn close(&self) {}

    /// Advice for the seat that acts next, from what this seat may know alone.
    fn advise(&self) -> Advice;

    /// The value of the action `taken`, which comes next, for the review of a game of `actions` in all. It costs less
    /// than advice, and has `taken` among the candidates, however bad it is.
    fn judge(&self, taken: &str, actions: usize) -> Advice {
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

    /// The game as one page to step through without a server; none if this game has no such pages. Asked once the game
    /// is over, if it has a record.
    fn page(&self, names: &[String], practice: &Practice) -> Option<Vec<u8>> {
        let _ = (names, practice);
        None
    }

    /// The record of the game as a file of lines. Asked once the game is over, if it has one.
    fn record(&self, names: &[String], practice: &Practice) -> Option<Vec<u8>> {
        let _ = (names, practice);
        None
    }
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
