//! The lines of a journal: finished games, and between them beginnings of games, void games, and stages of the
//! final. Every line is a JSON object; its first field shows its kind.

use super::super::record::{Entry, GameLine};
use arena::records::Record;
use serde::de::Error;
use serde::{Deserialize, Serialize};

/// A stage of the final that begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageLine {
    /// Its teams, the best first; one alone has won the contest.
    #[serde(rename = "final")]
    pub seeds: Vec<u64>,
    /// Milliseconds of the contest at its beginning.
    pub at: u64,
}

/// A game that begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BegunLine {
    /// The number of the game.
    pub begun: u64,
    /// Milliseconds of the contest at its beginning.
    pub at: u64,
    /// The teams; the first one leads.
    pub teams: [u64; 2],
}

/// A game that began and will never end: the server was stopped in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoidGame {
    pub id: u64,
    /// The teams; the first one led.
    pub teams: [u64; 2],
}

/// The games that were under way when a server was stopped, written by the next one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoidLine {
    pub void: Vec<VoidGame>,
    /// Milliseconds of the contest.
    pub at: u64,
}

/// The beginnings of lines that are not games.
const STAGE: &[u8] = b"{\"final\"";
const BEGUN: &[u8] = b"{\"begun\"";
const VOID: &[u8] = b"{\"void\"";
/// How the line of a game begins as it is written here.
const GAME: &[u8] = b"{\"id\":";

/// Whether the text after the last line end may be a line of a journal whose writing was interrupted. It then
/// begins like such a line, or is only a part of such a beginning, as `{"be` is.
pub fn is_torn(tail: &[u8]) -> bool {
    // `zip` stops at the shorter of the two, so even a tail of one byte is recognized.
    let starts = |line: &[u8]| tail.iter().zip(line).all(|(a, b)| a == b);
    [GAME, STAGE, BEGUN, VOID].into_iter().any(starts)
}

/// The largest number of a game, and the most milliseconds of a contest: beyond it pages cannot tell neighbouring whole
/// numbers apart, and adding to it must not overflow.
const MOST: u64 = 1 << 53;

/// A line of a journal.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    Game(GameLine),
    /// A stage of the final.
    Stage(StageLine),
    Begun(BegunLine),
    /// Games that will never end.
    Void(VoidLine),
}

impl Record for Line {
    const NOUN: &'static str = "game or stage";

    fn parse(line: &[u8]) -> serde_json::Result<Line> {
        let line = match line {
            _ if line.starts_with(STAGE) => serde_json::from_slice(line).map(Line::Stage)?,
            _ if line.starts_with(BEGUN) => serde_json::from_slice(line).map(Line::Begun)?,
            _ if line.starts_with(VOID) => serde_json::from_slice(line).map(Line::Void)?,
            _ => GameLine::parse(line).map(Line::Game)?,
        };
        line.check().map_err(serde_json::Error::custom)?;
        Ok(line)
    }
}

impl Line {
    /// Refuses numbers near the end of their range, as a server counts on from them, and games that contradict themselves.
    fn check(&self) -> Result<(), String> {
        let (ids, at, teams) = match self {
            Line::Game(game) => (vec![game.id], game.at, Some(game.teams)),
            Line::Stage(stage) => (Vec::new(), stage.at, None),
            Line::Begun(game) => (vec![game.begun], game.at, Some(game.teams)),
            Line::Void(line) => (
                line.void.iter().map(|game| game.id).collect(),
                line.at,
                None,
            ),
        };
        if let Some(id) = ids.into_iter().find(|&id| id > MOST) {
            return Err(format!("game {id}: expected a number up to {MOST}"));
        }
        if at > MOST {
            return Err(format!("at {at}: expected at most {MOST} milliseconds"));
        }
        if let Some([team, _]) = teams.filter(|[one, other]| one == other) {
            return Err(format!("teams: team {team} cannot play against itself"));
        }
        let Line::Game(game) = self else {
            return Ok(());
        };
        let won = game.entries.iter().rev().find_map(|entry| match entry {
            Entry::FinalGameResult { winner, .. } => Some(*winner),
            _ => None,
        });
        match won.filter(|&won| won != game.winner) {
            Some(won) => Err(format!("winner {}: the game was won by {won}", game.winner)),
            None => Ok(()),
        }
    }
}
