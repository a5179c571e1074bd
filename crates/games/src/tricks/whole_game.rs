//! The record of a whole game, one line of JSON: its rounds and the ranks. Tournaments write it, so that a game is in the
//! file as a whole or not at all. Reports and replays read its rounds as they read those of a match.

use super::record::{FaultRecord, Record, RoundRecord};
use arena::practice::Practice;
use arena::records;
use serde::{Deserialize, Serialize};

/// The record of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WholeGameRecord {
    /// The contest: `eights` or `hearts`.
    pub contest: String,
    pub version: u32,
    /// The game's id in its tournament, such as `4p1.1.2.3-7-2`.
    pub id: String,
    pub seed: u64,
    /// The players' labels, by seat.
    pub players: Vec<String>,
    pub rounds: Vec<RoundRecord>,
    /// The place of each player, by seat, from 1; equals share the mean of their places.
    pub ranks: Vec<f64>,
}

impl WholeGameRecord {
    /// The rounds as records of their own. The round's number follows that of the block: `4p1.1.2.3-7.5-2` is round 5.
    pub fn rounds(&self) -> impl Iterator<Item = Record> + '_ {
        let (block, rotation) = self.id.rsplit_once('-').unwrap_or((&self.id, "1"));
        let rounds = self.rounds.iter().zip(1..);
        rounds.map(move |(round, number)| Record {
            contest: self.contest.clone(),
            version: self.version,
            id: format!("{block}.{number}-{rotation}"),
            seed: self.seed,
            players: self.players.clone(),
            practice: Practice::default(),
            round: round.clone(),
        })
    }
}

impl records::Record for WholeGameRecord {
    const NOUN: &'static str = "game";

    /// Reads a record. Its labels and messages may come from anybody's program, so control characters are replaced.
    fn parse(line: &[u8]) -> serde_json::Result<WholeGameRecord> {
        let mut game: WholeGameRecord = serde_json::from_slice(line)?;
        for text in [&mut game.id].into_iter().chain(&mut game.players) {
            arena::plain_text::clean(text);
        }
        for round in &mut game.rounds {
            round.faults.iter_mut().for_each(FaultRecord::clean);
        }
        Ok(game)
    }
}

/// A line of a file that has rounds, whole games, or both.
#[derive(Clone, Debug, PartialEq)]
pub enum RoundsLine {
    Round(Box<Record>),
    Game(WholeGameRecord),
}

impl RoundsLine {
    /// The round of the line, or those of its game.
    pub fn rounds(self) -> Vec<Record> {
        match self {
            RoundsLine::Round(round) => vec![*round],
            RoundsLine::Game(game) => game.rounds().collect(),
        }
    }
}

impl records::Record for RoundsLine {
    const NOUN: &'static str = "round";

    fn parse(line: &[u8]) -> serde_json::Result<RoundsLine> {
        // Within a text the quotes would have backslashes before them, so this can only be the field.
        let field = b"\"rounds\":";
        match line.windows(field.len()).any(|part| part == field) {
            true => WholeGameRecord::parse(line).map(RoundsLine::Game),
            false => Record::parse(line).map(|round| RoundsLine::Round(Box::new(round))),
        }
    }
}
