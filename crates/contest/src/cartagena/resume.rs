//! Going on with a match that was interrupted: what its record holds is not played again.

use super::record::Record;
use super::{Match, MatchError};
use arena::ranking::shares;
use arena::records::{Reader, RecordError};
use arena::schedule::{GameResult, Plan, Referee, ScheduledGame, SeatResult};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A match of which some games were played before.
///
/// A game that was played before has an empty line: it stands in the record already.
pub struct Resumed<'a> {
    table: &'a Match,
    played: HashMap<String, GameResult>,
}

/// Why a record cannot be gone on with.
#[derive(Debug, Error)]
pub enum ResumeError {
    /// The record cannot be read.
    #[error(transparent)]
    Read(#[from] RecordError),
    /// A game of another match.
    #[error("{}: line {line}, game {id}: its {what} is not this match's", path.display())]
    Other {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        id: String,
        what: &'static str,
    },
    /// A game that stands there twice.
    #[error("{}: line {line}: game {id} stands there a second time", path.display())]
    Twice {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        id: String,
    },
}

impl<'a> Resumed<'a> {
    /// Reads what has been played of a match. A last line without an end counts as not written.
    ///
    /// Games beyond the plan are left alone: a longer match may have been shortened.
    ///
    /// # Errors
    /// If the record cannot be read, or a game does not belong to this match.
    pub fn new(table: &'a Match, plan: &Plan, path: &Path) -> Result<Resumed<'a>, ResumeError> {
        let scheduled_games: HashMap<String, ScheduledGame> = plan
            .scheduled_games()
            .map(|scheduled| (table.game_id(&scheduled), scheduled))
            .collect();
        let mut played = HashMap::new();
        let mut records = Reader::<_, Record>::open(path)?.whole_lines();
        while let Some(record) = records.next().transpose()? {
            let (path, line) = (path.to_owned(), records.line());
            let Some(scheduled) = scheduled_games.get(&record.id) else {
                continue;
            };
            if let Some(what) = table.difference(scheduled, &record) {
                let id = record.id;
                return Err(ResumeError::Other {
                    path,
                    line,
                    id,
                    what,
                });
            }
            if let Some(id) = played
                .insert(record.id.clone(), remembered(&record))
                .map(|_| record.id)
            {
                return Err(ResumeError::Twice { path, line, id });
            }
        }
        Ok(Resumed { table, played })
    }

    /// Games that need not be played.
    pub fn games(&self) -> usize {
        self.played.len()
    }
}

impl Referee for Resumed<'_> {
    type Error = MatchError;

    fn play(&self, scheduled: &ScheduledGame) -> Result<GameResult, MatchError> {
        match self.played.get(&self.table.game_id(scheduled)) {
            Some(played) => Ok(played.clone()),
            None => self.table.play(scheduled),
        }
    }
}

impl Match {
    /// What about a record shows that it is not this match's game.
    pub(super) fn difference(
        &self,
        scheduled: &ScheduledGame,
        record: &Record,
    ) -> Option<&'static str> {
        let labels = scheduled
            .seats
            .iter()
            .map(|&seat| &self.participants[seat].label);
        if !labels.eq(&record.players) {
            return Some("line-up");
        }
        if record.seed != self.block_seed(scheduled) {
            return Some("seed");
        }
        let (game, world) = self.deal(scheduled);
        let opening = super::record::Opening::of(&world);
        let same = record.pirates == game.pirates
            && record.boat_retreat == game.boat_retreat
            && record.opens(&game, &opening);
        if !same {
            return Some("deal or board");
        }
        let seats = record.players.len();
        (record.result.ranks.len() != seats).then_some("number of ranks")
    }
}

/// A recorded game as its result.
pub(super) fn remembered(record: &Record) -> GameResult {
    let seats = shares(&record.result.ranks)
        .into_iter()
        .zip(&record.result.ranks)
        .enumerate()
        .map(|(seat, (share, &rank))| SeatResult {
            share,
            rank,
            nanos: record
                .actions
                .iter()
                .filter(|step| step.player == seat + 1)
                .map(|step| (step.ms * 1e6) as u64)
                .collect(),
            faults: record
                .faults
                .iter()
                .filter(|fault| fault.player == seat + 1)
                .map(|fault| fault.kind.name())
                .collect(),
        })
        .collect();
    GameResult {
        seats,
        stopped: record.result.winner.is_none(),
        line: Vec::new(),
    }
}
