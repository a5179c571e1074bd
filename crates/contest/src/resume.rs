//! Continues an interrupted match from its record (`--resume`): recorded games are not played again.
//!
//! [`Resumed`] is a referee in front of a match. It answers from the record for games that are there, and lets the
//! match play the others. A tournament's folder uses the same checks.

use arena::records::{Reader, Record, RecordError};
use arena::schedule::{GameResult, Plan, Referee, ScheduledGame};
use std::collections::HashMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A referee whose games are recorded, so that a record can stand for its game.
pub trait RecordedMatch: Referee {
    type Record: Record;

    /// The contest's name in records.
    const CONTEST: &'static str;

    /// The id of a scheduled game in records.
    fn game_id(&self, scheduled: &ScheduledGame) -> String;

    /// The id in a record.
    fn id(record: &Self::Record) -> String;

    /// Compares a record with its scheduled game, and plays it again by the rules, so that a game of another match is
    /// found out, and a forged result unless the actions make it.
    ///
    /// # Errors
    /// The first difference, or the first mistake.
    fn verify(&self, scheduled: &ScheduledGame, record: &Self::Record) -> Result<(), String>;

    /// The result of a recorded game, as the referee would have returned it, but without its line. It is only asked
    /// for records that were [verified](RecordedMatch::verify).
    fn remembered(record: &Self::Record) -> GameResult;
}

/// A match with the results of the games that were played before.
///
/// The line of such a result is empty, so that it is not written to the file a second time.
pub struct Resumed<'a, T> {
    table: &'a T,
    played: HashMap<String, GameResult>,
}

/// Reasons why a match cannot be continued.
#[derive(Debug, Error)]
pub enum ResumeError {
    /// The record cannot be read.
    #[error(transparent)]
    Read(#[from] RecordError),
    /// A game of another match, or one that cannot have been played so.
    #[error("{}: line {line}, {noun} {id}: {what}", path.display())]
    Other {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The noun for a record.
        noun: &'static str,
        id: String,
        what: String,
    },
    /// A game that is recorded twice.
    #[error("{}: line {line}: {noun} {id} is recorded a second time", path.display())]
    Twice {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The noun for a record.
        noun: &'static str,
        id: String,
    },
}

/// The mistake of a record with another deal.
pub(crate) const OTHER_DEAL: &str = "its deal is not the one of the seed";

/// Compares a value of a record with the one that was scheduled.
///
/// # Errors
/// Both, if they differ.
pub(crate) fn same_value<T: PartialEq + Display>(
    property: &str,
    recorded: T,
    scheduled: T,
) -> Result<(), String> {
    match recorded == scheduled {
        true => Ok(()),
        false => Err(format!(
            "its {property} is {recorded}: expected {scheduled}"
        )),
    }
}

/// The same for the labels at a game's seats.
///
/// # Errors
/// All of them, if they differ.
pub(crate) fn same_line_up<'a>(
    recorded: impl Iterator<Item = &'a String>,
    scheduled: impl Iterator<Item = &'a String>,
) -> Result<(), String> {
    let recorded: Vec<&String> = recorded.collect();
    let scheduled: Vec<&String> = scheduled.collect();
    // Labels may contain commas, so that the texts could be equal where the lists are not.
    match recorded == scheduled {
        true => Ok(()),
        false => Err(format!(
            "its line-up is {recorded:?}: expected {scheduled:?}"
        )),
    }
}

/// Reads the record of an interrupted match of this contest, by the ids of its records. A last line without an end
/// counts as not written. `read` gives the value to keep of a record, or the mistake in it; none if the record is
/// beyond the match's plan.
///
/// # Errors
/// If the file cannot be read, a record does not belong to this match, or one is there twice.
pub(crate) fn recorded<T: Record, V>(
    contest: &'static str,
    path: &Path,
    id: impl Fn(&T) -> String,
    read: impl Fn(&T) -> Option<Result<V, String>>,
) -> Result<HashMap<String, V>, ResumeError> {
    let mut played = HashMap::new();
    let mut records = Reader::<_, T>::open(path)?
        .whole_lines()
        .of_contest(contest);
    while let Some(record) = records.next().transpose()? {
        let (path, line, noun) = (path.to_owned(), records.line(), T::NOUN);
        let Some(read) = read(&record) else {
            continue;
        };
        let id = id(&record);
        match read {
            // `insert` returns the value that was there before: this game would then count twice.
            Ok(value) => {
                if played.insert(id.clone(), value).is_some() {
                    return Err(ResumeError::Twice {
                        path,
                        line,
                        noun,
                        id,
                    });
                }
            }
            Err(what) => {
                return Err(ResumeError::Other {
                    path,
                    line,
                    noun,
                    id,
                    what,
                });
            }
        }
    }
    Ok(played)
}

impl<'a, T: RecordedMatch> Resumed<'a, T> {
    /// Reads the recorded games of a match; none without a record.
    ///
    /// Games beyond the plan are ignored: the match may have been shortened.
    ///
    /// # Errors
    /// If the record cannot be read, or a game does not belong to this match.
    pub fn new(
        table: &'a T,
        plan: &Plan,
        path: Option<&Path>,
    ) -> Result<Resumed<'a, T>, ResumeError> {
        let Some(path) = path else {
            let played = HashMap::new();
            return Ok(Resumed { table, played });
        };
        let scheduled_games: HashMap<String, ScheduledGame> = plan
            .scheduled_games()
            .map(|scheduled| (table.game_id(&scheduled), scheduled))
            .collect();
        let planned = |record: &T::Record| scheduled_games.get(&T::id(record));
        let played = recorded(T::CONTEST, path, T::id, |record: &T::Record| {
            let verified = table.verify(planned(record)?, record);
            Some(verified.map(|()| T::remembered(record)))
        })?;
        let (before, all) = (played.len(), plan.total_games());
        engine::note!("played before: {before} of {all} games");
        Ok(Resumed { table, played })
    }
}

impl<T: RecordedMatch> Referee for Resumed<'_, T> {
    type Error = T::Error;

    fn play(&self, scheduled: &ScheduledGame) -> Result<GameResult, T::Error> {
        match self.played.get(&self.table.game_id(scheduled)) {
            Some(played) => Ok(played.clone()),
            None => self.table.play(scheduled),
        }
    }
}
