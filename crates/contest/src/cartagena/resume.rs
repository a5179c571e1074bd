//! Going on with a match that was interrupted: what its record holds is not played again.

use super::game::shares;
use super::record::Record;
use super::{Match, MatchError};
use arena::records::{Reader, RecordError};
use arena::schedule::{Fixture, Plan, Played, SeatResult, Table};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A match of which some games were played before.
///
/// A game that was played before has an empty line: it stands in the record already.
pub struct Resumed<'a> {
    table: &'a Match,
    played: HashMap<String, Played>,
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
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The game.
        id: String,
        /// What differs.
        what: &'static str,
    },
    /// A game that stands there twice.
    #[error("{}: line {line}: game {id} stands there a second time", path.display())]
    Twice {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The game.
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
        let fixtures: HashMap<String, Fixture> = plan
            .fixtures()
            .map(|fixture| (table.game_id(&fixture), fixture))
            .collect();
        let mut played = HashMap::new();
        let mut records = Reader::<_, Record>::open(path)?.whole_lines();
        while let Some(record) = records.next().transpose()? {
            let (path, line) = (path.to_owned(), records.line());
            let Some(fixture) = fixtures.get(&record.id) else {
                continue;
            };
            if let Some(what) = table.difference(fixture, &record) {
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

impl Table for Resumed<'_> {
    type Error = MatchError;

    fn play(&self, fixture: &Fixture) -> Result<Played, MatchError> {
        match self.played.get(&self.table.game_id(fixture)) {
            Some(played) => Ok(played.clone()),
            None => self.table.play(fixture),
        }
    }
}

impl Match {
    /// What about a record shows that it is not this match's game.
    pub(super) fn difference(&self, fixture: &Fixture, record: &Record) -> Option<&'static str> {
        let labels = fixture.seats.iter().map(|&seat| &self.bots[seat].label);
        if !labels.eq(&record.players) {
            return Some("line-up");
        }
        if record.seed != self.block_seed(fixture) {
            return Some("seed");
        }
        let (game, world) = self.deal(fixture);
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
pub(super) fn remembered(record: &Record) -> Played {
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
    Played {
        seats,
        stopped: record.result.winner.is_none(),
        line: Vec::new(),
    }
}
