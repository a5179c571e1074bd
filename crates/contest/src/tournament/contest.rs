//! A contest as its tournaments need it.

use super::{Conflict, Settings, WatchedGame};
use crate::match_error::MatchError;
use crate::resume::RecordedMatch;
use arena::fault::Fault;
use arena::participant::{ParticipantRecord, ParticipantRecordError};
use arena::process::Limits;
use arena::schedule::{GameResult, ScheduledGame};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::io;
use std::ops::RangeInclusive;

/// The rules of a contest's games as the settings of a tournament have them. Everything in a tournament that knows a
/// game goes through this trait.
pub trait TournamentGame:
    Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The contest's name in settings, in records, and after `contest` on the command line.
    const NAME: &'static str;
    /// The contest's name for people.
    const TITLE: &'static str;
    /// A single decision of a player, such as `action` or `card`.
    const DECISION: &'static str;
    /// The price of a fault that does not cost the game.
    const STAND_IN: &'static str;
    /// The numbers of players that a game can have.
    const PLAYERS: RangeInclusive<u8>;
    /// The number of players, unless a request names others.
    const USUAL_PLAYERS: u8;
    /// Seconds that a program may take for a decision, unless a request says otherwise.
    const SECONDS: f64;
    /// Whether a program is called for each decision. One that stays for a game cannot be given its own cores for a
    /// decision, and has no time left once it is late.
    const CALLS: bool;
    /// The styles of the pages that are not those of all pages.
    const STYLES: &'static [&'static str];

    /// Values of these rules in a request. A value that is not there keeps the tournament's, or gets the default.
    type Asked: Clone + Debug + Default;
    /// The referee of all games.
    type Table: RecordedMatch<Record = Self::Record, Error = MatchError> + Send;
    /// The record of a game, on one line.
    type Record: arena::records::Record + Serialize;
    /// A position that programs are asked about, to measure their pace.
    type Sample;

    /// The rules of a new tournament.
    ///
    /// # Errors
    /// If the request makes no sense.
    fn new(asked: Self::Asked) -> Result<Self, Conflict>;

    /// Refuses values that differ from those of the tournament, as games depend on them.
    ///
    /// # Errors
    /// If one does.
    fn accepts(&self, asked: &Self::Asked) -> Result<(), Conflict>;

    /// Checks the values, which may come from a file.
    ///
    /// # Errors
    /// If one makes no sense.
    fn check(&self) -> Result<(), Conflict>;

    /// The rules as names and values, for pages.
    fn told(&self) -> Vec<(String, String)>;

    /// Lines about the rules before a tournament in which a line-up has at most `blocks` blocks.
    fn warnings(&self, blocks: u64) -> Vec<String> {
        let _ = blocks;
        Vec::new()
    }

    /// Reads a participant as a user names it.
    ///
    /// # Errors
    /// If it can be none.
    fn entered(text: &str) -> Result<ParticipantRecord, ParticipantRecordError>;

    /// Completes a participant by its whole path and its fingerprint.
    ///
    /// # Errors
    /// If there is no such program.
    fn examined(entered: ParticipantRecord) -> Result<ParticipantRecord, ParticipantRecordError>;

    /// Calls programs that have not played yet, so that they can build themselves. Returns whether one did.
    ///
    /// # Errors
    /// If a program cannot be started.
    fn warm_up<'a>(
        programs: impl Iterator<Item = &'a ParticipantRecord>,
        players: usize,
        limits: &Limits,
    ) -> anyhow::Result<bool> {
        let _ = (programs.count(), players, limits);
        Ok(false)
    }

    /// The referee of a tournament whose line-ups have these names. `limits` are those of a decision, and `cores` the
    /// processor cores of each of the games played at a time, if programs keep to them.
    ///
    /// # Errors
    /// If a program is missing.
    fn table(
        settings: &Settings<Self>,
        line_ups: Vec<String>,
        limits: Limits,
        cores: Option<usize>,
    ) -> Result<Self::Table, ParticipantRecordError>;

    /// The same referee without the programs, which need not exist here: it checks records, and plays no game.
    fn archive(settings: &Settings<Self>, line_ups: Vec<String>) -> Self::Table;

    /// Plays a game while `watched` hears of every decision.
    ///
    /// # Errors
    /// As of [`Referee::play`](arena::Referee::play).
    fn play(
        table: &Self::Table,
        scheduled: &ScheduledGame,
        watched: &WatchedGame,
    ) -> Result<GameResult, MatchError>;

    /// A position of a game, which follows from the number of players and a seed.
    fn sample(&self, players: usize, seed: u64) -> Self::Sample;

    /// The number of decisions in the whole game of a sample.
    fn decisions(sample: &Self::Sample) -> usize;

    /// Asks a program for a decision in the position of a sample.
    ///
    /// # Errors
    /// If this machine fails.
    fn ask(table: &Self::Table, program: usize, sample: &Self::Sample) -> io::Result<Answered>;
}

/// The answer to a question that measures a program's pace.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// Wall-clock time of a decision in nanoseconds.
    pub nanos: u64,
    /// Wall-clock time in nanoseconds that a program which stays takes once a game, to start.
    pub start_nanos: u64,
    /// Time of all processors in nanoseconds, if known.
    pub processor_nanos: Option<u64>,
    pub fault: Option<Fault>,
}
