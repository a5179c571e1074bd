//! Plays the missing games of a tournament on all cores, until it is complete, decided or stopped.

use super::results::Results;
use super::{
    CallLimits, Folder, FolderError, Format, ParticipantRecord, ParticipantRecordError, Request,
    Schedule, Settings, Standings,
};
use crate::cartagena::{Match, MatchError};
use arena::process::{Confinement, Limits};
use arena::rating::{Anchor, OutcomeError, RatingError};
use arena::runner;
use arena::schedule::{GameResult, Referee, ScheduledGame};
use arena::sprt::{Decision, Hypotheses, Sprt, SprtError, State};
use std::collections::HashSet;
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
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    ParticipantRecord(#[from] ParticipantRecordError),
    /// A program that is not the one it was.
    #[error(
        "{label} has changed since it joined (fingerprint {now}, it was {then}): restore the old version, \
         or name a folder that has it, {label}=FOLDER; give the new version another label"
    )]
    Changed {
        label: String,
        /// Its fingerprint in the settings.
        then: String,
        now: String,
    },
    /// A game that could not be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A result that is none.
    #[error(transparent)]
    Outcome(#[from] OutcomeError),
    #[error(transparent)]
    Rating(#[from] RatingError),
    #[error(transparent)]
    Sprt(#[from] SprtError),
    /// A sequential test of what it cannot compare.
    #[error("--sprt compares two programs with one number of players; this tournament has {0}")]
    Comparison(String),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    Complete,
    /// The sequential test has decided.
    Decided,
    /// It was asked to stop.
    Stopped,
}

impl Tournament {
    /// Opens a folder, or makes it, with everything ready to play; [`save`](Tournament::save) keeps
    /// what was asked for. `cores` are those of this machine.
    ///
    /// # Errors
    /// If the folder is another tournament's, a program is missing or has changed, or a record does
    /// not belong there.
    pub fn open(
        path: &Path,
        request: Request,
        cores: usize,
        confinement: Option<Confinement>,
    ) -> Result<Self, TournamentError> {
        let folder = Folder::go_on(path, request)?;
        let settings = folder.settings();
        let limits = CallLimits {
            limits: Limits {
                confinement,
                ..settings.limits()
            },
            // With --pin each program gets its own cores, so that games at a time do not disturb each other.
            cores: settings.pin.then(|| settings.threads_of_a_program(cores)),
        };
        let participants: Result<Vec<_>, TournamentError> = settings
            .programs
            .iter()
            .map(|participant| {
                // A program that was changed under the same label would mix two programs' results.
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
        // Read and verified before anything is played.
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

    /// Stops the tournament as soon as it is clear whether the first program is better than the second (see
    /// [`Sprt`]), with a risk of 5 % of either wrong decision.
    ///
    /// # Errors
    /// If there are more programs or several numbers of players.
    pub fn stop_when_decided(&mut self, hypotheses: Hypotheses) -> Result<(), TournamentError> {
        let settings = self.folder.settings();
        let (programs, counts) = (settings.programs.len(), settings.players.len());
        // A Swiss tournament plays different pairings, and its rounds must be completed.
        if let Format::Swiss { .. } = settings.format {
            return Err(TournamentError::Comparison("rounds".to_owned()));
        }
        if programs != 2 || counts != 1 {
            let text = format!("{programs} programs and {counts} numbers of players");
            return Err(TournamentError::Comparison(text));
        }
        let sprt = Sprt::new(hypotheses.elo0, hypotheses.elo1, RISK, RISK)?;
        let mut sequential = Sequential::new(sprt, &self.schedule);
        // The test takes up games of earlier runs, in the order of the schedule.
        for (scheduled, _) in &self.before {
            sequential.finished(scheduled, &self.schedule, &self.results)?;
        }
        self.sprt = Some(sequential);
        Ok(())
    }

    pub fn settings(&self) -> &Settings {
        self.folder.settings()
    }

    /// All games of the tournament.
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
        if let Some(swiss) = self.schedule.swiss() {
            let rounds = swiss.rounds(&self.schedule, &self.results);
            return swiss.games() - rounds.games;
        }
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

    /// Plays the missing games, `jobs` at a time. `finished` gets every game and the state of the tournament
    /// with it. If it breaks off, games under way are finished and written, and no others begin.
    ///
    /// # Errors
    /// If a game cannot be played or written. What was written before stays.
    pub fn play(
        &mut self,
        jobs: usize,
        mut finished: impl FnMut(&Finished) -> ControlFlow<()> + Send,
    ) -> Result<Ending, TournamentError> {
        if self.sprt.as_ref().is_some_and(Sequential::is_decided) {
            return Ok(Ending::Decided);
        }
        // A round of a Swiss tournament depends on the one before; all other games can be played in any
        // order.
        if self.schedule.swiss().is_none() {
            let (schedule, played) = (self.schedule.clone(), self.ids());
            return self.play_games(schedule.open(&played), jobs, &mut finished);
        }
        while let Some(swiss) = self.schedule.swiss() {
            let due = swiss.rounds(&self.schedule, &self.results).due;
            if due.is_empty() {
                break;
            }
            match self.play_games(due.into_iter(), jobs, &mut finished)? {
                Ending::Complete => {}
                ending => return Ok(ending),
            }
        }
        Ok(Ending::Complete)
    }

    fn play_games(
        &mut self,
        open: impl Iterator<Item = ScheduledGame> + Send,
        jobs: usize,
        finished: &mut (impl FnMut(&Finished) -> ControlFlow<()> + Send),
    ) -> Result<Ending, TournamentError> {
        let Tournament {
            folder,
            schedule,
            table,
            results,
            sprt,
            ..
        } = self;
        let mut ending = Ok(Ending::Complete);
        // Games run on many threads; the closure below is called for one at a time, so results and file need
        // no lock.
        let play = |scheduled: &ScheduledGame| table.play(scheduled);
        runner::run(open, jobs, play, |scheduled, played| {
            // The game is in the file before it counts anywhere.
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
            let told = finished(&Finished {
                scheduled: &scheduled,
                result: &played,
                sequential: state,
                settings: folder.settings(),
                results,
            });
            // A decision is no interruption, so it is reported even if `finished` breaks off too.
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

/// A game that has just been played, and how the tournament stands with it.
pub struct Finished<'a> {
    pub scheduled: &'a ScheduledGame,
    pub result: &'a GameResult,
    /// The sequential test, if there is one.
    pub sequential: Option<State>,
    settings: &'a Settings,
    results: &'a Results,
}

impl Finished<'_> {
    pub fn settings(&self) -> &Settings {
        self.settings
    }

    /// How it stands.
    ///
    /// # Errors
    /// If the anchor is not one of the programs.
    pub fn standings(&self, anchor: Anchor) -> Result<Standings, TournamentError> {
        Standings::new(self.settings, self.results, anchor)
    }
}

/// The probability of a wrong decision of the sequential test, to either side.
const RISK: f64 = 0.05;

/// Checks that a program is the one that joined, by its fingerprint.
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

/// The sequential test, which gets whole blocks in the order of the schedule. Games that finish early are the
/// short ones, and must not decide first: that would bias the test.
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
        // Only the block that the test waits for can let it go on.
        if next != Some(&(scheduled.line_up, scheduled.block)) {
            return Ok(());
        }
        // This block may have been the last gap before others that are complete already.
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
