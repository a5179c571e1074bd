//! Playing a tournament: what is missing, on all cores, until it is complete, decided or stopped.

use super::{
    CallLimits, Folder, FolderError, ParticipantRecord, ParticipantRecordError, Request, Schedule,
    Settings, Standings,
};
use crate::cartagena::{Match, MatchError};
use arena::process::{Confinement, Limits};
use arena::rating::{Anchor, Games, Outcome, OutcomeError, RatingError};
use arena::runner;
use arena::schedule::{GameResult, Referee, ScheduledGame};
use arena::sprt::{Decision, Hypotheses, Sprt, SprtError, State};
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;
use thiserror::Error;

/// A tournament that is being played.
pub struct Tournament {
    folder: Folder,
    schedule: Schedule,
    table: Match,
    results: Results,
    before: Vec<(ScheduledGame, GameResult)>,
    sprt: Option<Sequential>,
}

/// Why a tournament cannot be played.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// Its folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A program.
    #[error(transparent)]
    ParticipantRecord(#[from] ParticipantRecordError),
    /// A program that is not the one it was.
    #[error(
        "{label} has changed since it joined (fingerprint {now}, it was {then}): put back what it \
         was, or name a folder with that, {label}=FOLDER; the new version needs another label"
    )]
    Changed {
        /// The program's label.
        label: String,
        /// Its fingerprint in the settings.
        then: String,
        /// Its fingerprint now.
        now: String,
    },
    /// A game that could not be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A result that is none.
    #[error(transparent)]
    Outcome(#[from] OutcomeError),
    /// The ratings.
    #[error(transparent)]
    Rating(#[from] RatingError),
    /// The sequential test.
    #[error(transparent)]
    Sprt(#[from] SprtError),
    /// A sequential test of what it cannot compare.
    #[error("--sprt compares two programs with one number of players; this tournament has {0}")]
    Comparison(String),
}

/// How playing ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// Everything is played.
    Complete,
    /// The sequential test has decided.
    Decided,
    /// It was asked to stop.
    Stopped,
}

impl Tournament {
    /// Opens a folder, or makes it, with everything ready to play; [`save`](Tournament::save) keeps
    /// what was asked for. `cores` are those of a game, if its programs are to keep to them.
    ///
    /// # Errors
    /// If the folder is another tournament's, a program is missing or has changed, or a record does
    /// not belong there.
    pub fn open(
        path: &Path,
        request: Request,
        cores: Option<usize>,
        confinement: Option<Confinement>,
    ) -> Result<Self, TournamentError> {
        let folder = Folder::go_on(path, request)?;
        let settings = folder.settings();
        let limits = CallLimits {
            limits: Limits {
                confinement,
                ..settings.limits()
            },
            cores,
        };
        let participants: Result<Vec<_>, TournamentError> = settings
            .programs
            .iter()
            .map(|participant| {
                unchanged(participant)?;
                Ok(participant.participant(&limits)?)
            })
            .collect();
        let schedule = Schedule::new(settings);
        let table = Match {
            participants: participants?,
            line_ups: schedule.names().to_vec(),
            options: settings.options(),
        };
        let before = folder.played(&schedule, &table)?;
        let mut results = Results::default();
        for (scheduled, played) in &before {
            results.push(scheduled, played);
        }
        Ok(Tournament {
            folder,
            schedule,
            table,
            results,
            before,
            sprt: None,
        })
    }

    /// Writes the settings down: from now on they are the folder's.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn save(&self) -> Result<(), TournamentError> {
        Ok(self.folder.save()?)
    }

    /// Stops the tournament as soon as it is clear whether the first program is better than the
    /// second (see [`Sprt`]); risks of 5 % to either side.
    ///
    /// # Errors
    /// If there are more programs or several numbers of players.
    pub fn stop_when_decided(&mut self, hypotheses: Hypotheses) -> Result<(), TournamentError> {
        let settings = self.folder.settings();
        let (programs, counts) = (settings.programs.len(), settings.players.len());
        if programs != 2 || counts != 1 {
            let text = format!("{programs} programs and {counts} numbers of players");
            return Err(TournamentError::Comparison(text));
        }
        let sprt = Sprt::new(hypotheses.elo0, hypotheses.elo1, RISK, RISK)?;
        let mut sequential = Sequential::new(sprt, &self.schedule);
        for (scheduled, _) in &self.before {
            sequential.finished(scheduled, &self.schedule, &self.results)?;
        }
        self.sprt = Some(sequential);
        Ok(())
    }

    /// What is played.
    pub fn settings(&self) -> &Settings {
        self.folder.settings()
    }

    /// Which games there are.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The programs, and how games are played.
    pub fn table(&self) -> &Match {
        &self.table
    }

    /// The games that were there when the folder was opened.
    pub fn before(&self) -> &[(ScheduledGame, GameResult)] {
        &self.before
    }

    /// The games of this shard that are missing.
    pub fn missing(&self) -> u64 {
        let played = self.ids();
        self.schedule.open(&played).count() as u64
    }

    fn ids(&self) -> HashSet<String> {
        let ids = self
            .before
            .iter()
            .map(|(scheduled, _)| self.schedule.id(scheduled));
        ids.collect()
    }

    /// How it stands.
    ///
    /// # Errors
    /// If the anchor is not one of the programs.
    pub fn standings(&self, anchor: Anchor) -> Result<Standings, TournamentError> {
        Standings::new(self.settings(), &self.results, anchor)
    }

    /// How the sequential test stands, if there is one.
    pub fn sequential(&self) -> Option<State> {
        self.sprt.as_ref().map(|s| s.sprt.state())
    }

    /// Plays what is missing, `jobs` games at a time. `finished` is told of every game, and how the
    /// sequential test then stands; when it breaks off, games under way are finished, written and
    /// no others begun.
    ///
    /// # Errors
    /// If a game cannot be played or written. What was written before stays.
    pub fn play(
        &mut self,
        jobs: usize,
        mut finished: impl FnMut(&ScheduledGame, &GameResult, Option<State>) -> ControlFlow<()> + Send,
    ) -> Result<Ending, TournamentError> {
        let played = self.ids();
        let Tournament {
            folder,
            schedule,
            table,
            results,
            sprt,
            ..
        } = self;
        if sprt.as_ref().is_some_and(Sequential::is_decided) {
            return Ok(Ending::Decided);
        }
        let mut ending = Ok(Ending::Complete);
        let open = schedule.open(&played);
        let play = |scheduled: &ScheduledGame| table.play(scheduled);
        runner::run(open, jobs, play, |scheduled, played| {
            if let Err(error) = folder.append(&played.line) {
                ending = Err(error.into());
                return ControlFlow::Break(());
            }
            results.push(&scheduled, &played);
            if let Some(sequential) = sprt
                && let Err(error) = sequential.finished(&scheduled, schedule, results)
            {
                ending = Err(error);
                return ControlFlow::Break(());
            }
            let state = sprt.as_ref().map(|s| s.sprt.state());
            let told = finished(&scheduled, &played, state);
            if state.is_some_and(|state| state.decision != Decision::Undecided) {
                ending = Ok(Ending::Decided);
                return ControlFlow::Break(());
            }
            if told.is_break() {
                ending = Ok(Ending::Stopped);
            }
            told
        })?;
        ending
    }
}

/// The chance of a wrong decision of the sequential test, to either side.
const RISK: f64 = 0.05;

/// Says whether a program is what it was when it joined.
fn unchanged(participant: &ParticipantRecord) -> Result<(), TournamentError> {
    let now = participant.clone().examined()?.fingerprint;
    if now == participant.fingerprint {
        return Ok(());
    }
    Err(TournamentError::Changed {
        label: participant.label.clone(),
        then: participant.fingerprint.clone(),
        now,
    })
}

/// Outcomes by line-up and block, and in a block by rotation; and faults by program and kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    blocks: BTreeMap<(usize, u64), BTreeMap<usize, Outcome>>,
    faults: BTreeMap<usize, BTreeMap<&'static str, u64>>,
}

impl Results {
    fn push(&mut self, scheduled: &ScheduledGame, played: &GameResult) {
        let outcome = Outcome {
            seats: scheduled.seats.clone(),
            ranks: played.seats.iter().map(|seat| seat.rank).collect(),
        };
        self.add(scheduled, outcome);
        for (&program, seat) in scheduled.seats.iter().zip(&played.seats) {
            for &kind in &seat.faults {
                self.add_fault(program, kind);
            }
        }
    }

    pub(super) fn add(&mut self, scheduled: &ScheduledGame, outcome: Outcome) {
        let unit = (scheduled.line_up, scheduled.block);
        let block = self.blocks.entry(unit).or_default();
        block.insert(scheduled.rotation, outcome);
    }

    pub(super) fn add_fault(&mut self, program: usize, kind: &'static str) {
        *self
            .faults
            .entry(program)
            .or_default()
            .entry(kind)
            .or_default() += 1;
    }

    pub(super) fn has(&self, scheduled: &ScheduledGame) -> bool {
        let block = self.blocks.get(&(scheduled.line_up, scheduled.block));
        block.is_some_and(|block| block.contains_key(&scheduled.rotation))
    }

    pub(super) fn count(&self) -> u64 {
        self.blocks.values().map(|block| block.len() as u64).sum()
    }

    pub(super) fn faults(&self) -> &BTreeMap<usize, BTreeMap<&'static str, u64>> {
        &self.faults
    }

    pub(super) fn games(&self, labels: Vec<String>) -> Result<Games, OutcomeError> {
        let mut games = Games::new(labels);
        for block in self.blocks.values() {
            let block: Vec<Outcome> = block.values().cloned().collect();
            games.push(&block)?;
        }
        Ok(games)
    }

    /// A block, if all its games are there.
    fn whole(&self, unit: (usize, u64), schedule: &Schedule) -> Option<Vec<Outcome>> {
        let block = self.blocks.get(&unit)?;
        let whole = block.len() == schedule.seatings(unit.0).len();
        whole.then(|| block.values().cloned().collect())
    }
}

/// The sequential test, fed with whole blocks in the order of the schedule: which games happen to
/// finish first says something about their length, and must not decide.
struct Sequential {
    sprt: Sprt,
    units: Vec<(usize, u64)>,
    next: usize,
}

impl Sequential {
    fn new(sprt: Sprt, schedule: &Schedule) -> Sequential {
        Sequential {
            sprt,
            units: schedule.units().collect(),
            next: 0,
        }
    }

    fn is_decided(&self) -> bool {
        self.sprt.decision() != Decision::Undecided
    }

    fn finished(
        &mut self,
        scheduled: &ScheduledGame,
        schedule: &Schedule,
        results: &Results,
    ) -> Result<(), TournamentError> {
        let next = self.units.get(self.next);
        if next != Some(&(scheduled.line_up, scheduled.block)) {
            return Ok(());
        }
        while let Some(&unit) = self.units.get(self.next)
            && !self.is_decided()
            && let Some(block) = results.whole(unit, schedule)
        {
            self.sprt.push(&block, 0)?;
            self.next += 1;
        }
        Ok(())
    }
}
