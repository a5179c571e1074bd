//! Continues an interrupted match (`contest cartagena match --resume`): recorded games are not played again.
//!
//! [`Resumed`] is a referee in front of a match. It answers from the record for games that are there, and lets the
//! match play the others. A tournament's folder uses the same checks.

use super::record::Record;
use super::{Match, MatchError};
use arena::ranking::shares;
use arena::records::{Reader, RecordError};
use arena::schedule::{GameResult, Plan, Referee, ScheduledGame, SeatResult};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A match with the results of the games that were played before.
///
/// The line of such a result is empty, so that it is not written to the file a second time.
pub struct Resumed<'a> {
    table: &'a Match,
    played: HashMap<String, GameResult>,
}

/// Reasons why a match cannot be continued.
#[derive(Debug, Error)]
pub enum ResumeError {
    /// The record cannot be read.
    #[error(transparent)]
    Read(#[from] RecordError),
    /// A game of another match; `what` names the difference.
    #[error("{}: line {line}, game {id}: its {what} differs from this match's", path.display())]
    Other {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        id: String,
        what: &'static str,
    },
    /// A game that is recorded twice.
    #[error("{}: line {line}: game {id} is recorded a second time", path.display())]
    Twice {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        id: String,
    },
}

impl<'a> Resumed<'a> {
    /// Reads the recorded games of a match. A last line without an end counts as not written.
    ///
    /// Games beyond the plan are ignored: the match may have been shortened.
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
            // `insert` returns the result that was there before: this game would then count twice.
            if let Some(id) = played
                .insert(record.id.clone(), remembered(&record))
                .map(|_| record.id)
            {
                return Err(ResumeError::Twice { path, line, id });
            }
        }
        Ok(Resumed { table, played })
    }

    /// The number of games that need not be played.
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
    /// The property in which a record differs from this match's game, if it does.
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
        // The deal is computed anew: a forged record could have the right seed and other cards.
        let (game, world) = self.deal(scheduled);
        let opening = super::record::Opening::of(&world);
        let same = record.pirates == game.pirates
            && record.boat_retreat == game.boat_retreat
            && record.opens(&game, &opening);
        if !same {
            return Some("deal or board");
        }
        // Later code relies on one rank for each player.
        let seats = record.players.len();
        (record.result.ranks.len() != seats).then_some("number of ranks")
    }
}

/// The result of a recorded game, as the match would have returned it, but without its line.
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
                // Records have milliseconds, statistics nanoseconds.
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
