//! Plays the missing games of a tournament on all cores, until it is complete, decided or stopped.
//!
//! [`Tournament::open`] reads and checks the folder, [`Tournament::play`] plays and writes games. With a sequential
//! test ([`Tournament::stop_when_decided`]) it ends as soon as the test decides.

use super::results::Results;
use super::{
    Folder, FolderError, Format, LiveGames, Request, Schedule, Settings, Standings, TournamentGame,
};
use crate::interrupt::has_been_requested;
use crate::match_error::MatchError;
use arena::participant::{ParticipantRecord, ParticipantRecordError};
use arena::plain_text::counted;
use arena::process::{Confinement, Limits};
use arena::rating::{Anchor, OutcomeError, RatingError};
use arena::runner::{self, until_failed};
use arena::schedule::{GameResult, ScheduledGame};
use arena::sprt::{Decision, Hypotheses, Sprt, SprtError, State};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// A tournament that is ready to be played, or under way.
pub struct Tournament<C: TournamentGame> {
    folder: Folder<C>,
    schedule: Schedule,
    table: C::Table,
    results: Results,
    /// The games that were in the folder when it was opened.
    before: Vec<(ScheduledGame, GameResult)>,
    sprt: Option<Sequential>,
    /// How often a game is played again if this machine has failed.
    retries: u32,
    watch: LiveGames,
}

/// Why a tournament cannot be played.
#[derive(Debug, Error)]
pub enum TournamentError {
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    ParticipantRecord(#[from] ParticipantRecordError),
    /// The files of a program have changed since it joined.
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
    /// A game whose ranks are no valid ranking.
    #[error(transparent)]
    Outcome(#[from] OutcomeError),
    #[error(transparent)]
    Rating(#[from] RatingError),
    #[error(transparent)]
    Sprt(#[from] SprtError),
    /// A sequential test of a tournament that does not compare two programs.
    #[error("--sprt compares two programs with one number of players; this tournament has {0}")]
    Comparison(String),
}

/// The reason why playing has ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// No game is missing.
    Complete,
    /// The sequential test has decided.
    Decided,
    /// The caller broke off.
    Stopped,
}

impl<C: TournamentGame> Tournament<C> {
    /// Opens a folder, or makes it, and gets everything ready to play. Only [`save`](Tournament::save) writes the
    /// settings. `cores` is the number of this machine's cores.
    ///
    /// # Errors
    /// If the folder is another tournament's, a program is missing or has changed, or a record does
    /// not belong there.
    pub fn open(
        path: &Path,
        request: Request<C::Asked>,
        cores: usize,
        confinement: Option<Confinement>,
    ) -> Result<Self, TournamentError> {
        let folder = Folder::<C>::go_on(path, request)?;
        let settings = folder.settings();
        let limits = Limits {
            confinement,
            ..settings.limits()
        };
        // With --pin the programs of each game keep to their own cores, so that simultaneous games do not slow each
        // other down.
        let cores = settings.pin.then(|| settings.threads_of_a_program(cores));
        // If a program changed under its label, its results would be those of two programs.
        settings.programs.iter().try_for_each(unchanged::<C>)?;
        let schedule = Schedule::new(settings);
        let table = C::table(settings, schedule.names().to_vec(), limits, cores)?;
        // The recorded games are checked before anything is played.
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
            retries: 0,
            watch: LiveGames::default(),
        })
    }

    /// The same, but a game that this machine could not play is played again, at most `retries` times.
    #[must_use]
    pub fn retrying(self, retries: u32) -> Self {
        Tournament { retries, ..self }
    }

    /// Writes the settings down: from now on they are the folder's.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn save(&self) -> Result<(), TournamentError> {
        Ok(self.folder.save()?)
    }

    /// Waits until all games are on the disk.
    ///
    /// # Errors
    /// If they did not reach it.
    pub fn settle(&self) -> Result<(), TournamentError> {
        Ok(self.folder.settle()?)
    }

    /// Stops the tournament as soon as it is clear whether the first program is better than the second (see
    /// [`Sprt`]). `risks` are the accepted chances of deciding for the stronger and for the weaker hypothesis if the
    /// other one is true.
    ///
    /// # Errors
    /// If there are more programs or several numbers of players.
    pub fn stop_when_decided(
        &mut self,
        hypotheses: Hypotheses,
        risks: [f64; 2],
    ) -> Result<(), TournamentError> {
        let sprt = sequential_test(self.settings(), hypotheses, risks)?;
        let mut sequential = Sequential::new(sprt, &self.schedule);
        // The test begins with the games of earlier runs. It takes their blocks in the order of the schedule.
        for (scheduled, _) in &self.before {
            sequential.finished(scheduled, &self.schedule, &self.results)?;
        }
        self.sprt = Some(sequential);
        Ok(())
    }

    pub fn settings(&self) -> &Settings<C> {
        self.folder.settings()
    }

    /// The games under way, for people who watch.
    pub fn watch(&self) -> LiveGames {
        self.watch.clone()
    }

    /// All games of the tournament.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The programs, and how games are played.
    pub fn table(&self) -> &C::Table {
        &self.table
    }

    /// The games that were there when the folder was opened.
    pub fn before(&self) -> &[(ScheduledGame, GameResult)] {
        &self.before
    }

    /// The games of this shard that are missing.
    pub fn missing(&self) -> u64 {
        if let Some(swiss) = self.schedule.swiss() {
            return swiss.missing(&self.schedule, &self.results);
        }
        let played = self.ids();
        self.schedule.open(&played).count() as u64
    }

    /// The ids of the games that were there when the folder was opened.
    fn ids(&self) -> HashSet<String> {
        let ids = self
            .before
            .iter()
            .map(|(scheduled, _)| self.schedule.id(scheduled));
        ids.collect()
    }

    /// The standings after all games so far. `anchor` fixes the zero of the ratings.
    ///
    /// # Errors
    /// If the anchor is not one of the programs.
    pub fn standings(&self, anchor: Anchor) -> Result<Standings, TournamentError> {
        Standings::new(self.settings(), &self.results, anchor)
    }

    /// The state of the sequential test, if there is one.
    pub fn sequential(&self) -> Option<State> {
        self.sprt.as_ref().map(|s| s.sprt.state())
    }

    /// Plays the missing games, `jobs` at a time. `finished` is called after every game, with the state of the
    /// tournament. If it breaks off, games under way are finished and written, and no others begin.
    ///
    /// # Errors
    /// If a game cannot be played or written. What was written before stays.
    pub fn play(
        &mut self,
        jobs: usize,
        mut finished: impl FnMut(&Finished<C>) -> ControlFlow<()> + Send,
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

    /// Plays the games `open`, and writes each before it counts in the results or the test.
    fn play_games(
        &mut self,
        open: impl Iterator<Item = ScheduledGame> + Send,
        jobs: usize,
        finished: &mut (impl FnMut(&Finished<C>) -> ControlFlow<()> + Send),
    ) -> Result<Ending, TournamentError> {
        let Tournament {
            folder,
            schedule,
            table,
            results,
            sprt,
            retries,
            watch,
            ..
        } = self;
        let (mut failed, mut ending) = (Ok(()), Ending::Complete);
        let labels = folder.settings().labels();
        let play = |scheduled: &ScheduledGame| {
            patiently(*retries, pause, || {
                let seats = scheduled.seats.iter();
                let players = seats.map(|&program| labels[program].clone()).collect();
                let watched = watch.begin(schedule.id(scheduled), players);
                C::play(&*table, scheduled, &watched)
            })
        };
        // Games run on many threads, but `runner::run` hands over one at a time. So results and file need no lock. After
        // an error the games under way are dropped, and played again when the tournament is continued.
        let mut sink = until_failed(
            &mut failed,
            |(scheduled, played): (ScheduledGame, GameResult)| {
                // A game that counted but was not written would be missing when the tournament is continued.
                folder.append(&played.line)?;
                results.push(&scheduled, &played);
                if let Some(sequential) = sprt {
                    sequential.finished(&scheduled, schedule, results)?;
                }
                let state = sprt.as_ref().map(|s| s.sprt.state());
                let told = finished(&Finished {
                    scheduled: &scheduled,
                    result: &played,
                    sequential: state,
                    settings: folder.settings(),
                    results,
                });
                // If the test decides in the same game in which `finished` breaks off, the decision is the ending.
                if state.is_some_and(|state| state.decision != Decision::Undecided) {
                    ending = Ending::Decided;
                    return Ok(ControlFlow::Break(()));
                }
                if told.is_break() {
                    ending = Ending::Stopped;
                }
                Ok(told)
            },
        );
        let played = runner::run(open, jobs, play, |scheduled, played| {
            sink((scheduled, played))
        });
        drop(sink);
        // A game that was stopped does not hide that another one could not be written.
        failed.and_then(|()| Ok(played.map(|()| ending)?))
    }
}

/// The sequential test of a tournament with these settings; see [`Tournament::stop_when_decided`].
///
/// # Errors
/// As there.
pub fn sequential_test<C: TournamentGame>(
    settings: &Settings<C>,
    hypotheses: Hypotheses,
    risks: [f64; 2],
) -> Result<Sprt, TournamentError> {
    let (programs, counts) = (settings.programs.len(), settings.players.len());
    // The test stops in the middle of the games, but a Swiss round must be completed.
    if let Format::Swiss { .. } = settings.format {
        return Err(TournamentError::Comparison("rounds".to_owned()));
    }
    if programs != 2 || counts != 1 {
        let text = format!(
            "{programs} programs and {} of players",
            counted(counts, "number")
        );
        return Err(TournamentError::Comparison(text));
    }
    Ok(Sprt::new(
        hypotheses.elo0,
        hypotheses.elo1,
        risks[0],
        risks[1],
    )?)
}

/// A game that has just been played, and the state of the tournament with it.
pub struct Finished<'a, C: TournamentGame> {
    pub scheduled: &'a ScheduledGame,
    pub result: &'a GameResult,
    /// The state of the sequential test, if there is one.
    pub sequential: Option<State>,
    settings: &'a Settings<C>,
    results: &'a Results,
}

impl<C: TournamentGame> Finished<'_, C> {
    pub fn settings(&self) -> &Settings<C> {
        self.settings
    }

    /// The standings with this game. `anchor` fixes the zero of the ratings.
    ///
    /// # Errors
    /// If the anchor is not one of the programs.
    pub fn standings(&self, anchor: Anchor) -> Result<Standings, TournamentError> {
        Standings::new(self.settings, self.results, anchor)
    }
}

/// Plays a game, and plays it again up to `retries` times if this machine has failed. A fault of a program is no such
/// failure, but a part of the game, and changed files are not repaired by playing again. `pause` waits before a repeated
/// try, and says whether there is to be one.
fn patiently<T>(
    retries: u32,
    pause: impl Fn(Duration) -> bool,
    play: impl Fn() -> Result<T, MatchError>,
) -> Result<T, MatchError> {
    for tried in 0..retries {
        let error = match play() {
            Err(error @ MatchError::Io { .. }) => error,
            played => return played,
        };
        let wait = Duration::from_secs(10_u64.saturating_pow(tried)).min(LONGEST_PAUSE);
        engine::note!(
            "warning: {error}: this game is played again in {} s",
            wait.as_secs()
        );
        if !pause(wait) {
            return Err(error);
        }
    }
    play()
}

/// The longest pause before a game is played again.
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// Waits, or returns false as soon as somebody asks to stop.
fn pause(time: Duration) -> bool {
    let end = Instant::now() + time;
    while Instant::now() < end && !has_been_requested() {
        thread::sleep(Duration::from_millis(100));
    }
    !has_been_requested()
}

/// Checks that a program is the one that joined, by its fingerprint.
fn unchanged<C: TournamentGame>(participant: &ParticipantRecord) -> Result<(), TournamentError> {
    let now = C::examined(participant.clone())?.fingerprint;
    if now == participant.fingerprint {
        return Ok(());
    }
    Err(TournamentError::Changed {
        label: participant.label.clone(),
        then: participant.fingerprint.clone(),
        now,
    })
}

/// The sequential test. It gets whole blocks in the order of the schedule, not in that in which games finish: short
/// games finish first, and a test that saw them first would be biased.
struct Sequential {
    sprt: Sprt,
    /// All blocks of this shard: line-up and block.
    units: Vec<(usize, u64)>,
    /// The index of the first block that the test has not got yet.
    next: usize,
}

impl Sequential {
    /// A test that has got no block yet.
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

    /// Gives the test all blocks that can follow now that this game is in the results.
    fn finished(
        &mut self,
        scheduled: &ScheduledGame,
        schedule: &Schedule,
        results: &Results,
    ) -> Result<(), TournamentError> {
        let next = self.units.get(self.next);
        // The test can go on only if the game belongs to the next block in order.
        if next != Some(&(scheduled.line_up, scheduled.block)) {
            return Ok(());
        }
        // Later blocks may be complete already, and have waited for this one.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};
    use std::io::{self, ErrorKind};

    fn failure() -> MatchError {
        MatchError::Io {
            game: "2p1.2-1-1".to_owned(),
            error: io::Error::from(ErrorKind::OutOfMemory),
        }
    }

    #[test]
    fn a_game_is_played_again_after_a_fault_of_the_machine() {
        // Plays a game that fails this often before it succeeds. Returns the result, the tries and the pauses in seconds.
        let played = |retries, failures| {
            let (tries, pauses) = (Cell::new(0), RefCell::new(Vec::new()));
            let pause = |time: Duration| {
                pauses.borrow_mut().push(time.as_secs());
                true
            };
            let result = patiently(retries, pause, || {
                tries.set(tries.get() + 1);
                match tries.get() > failures {
                    true => Ok(()),
                    false => Err(failure()),
                }
            });
            (result.is_ok(), tries.get(), pauses.into_inner())
        };
        assert_eq!(played(0, 0), (true, 1, vec![]));
        assert_eq!(played(0, 1), (false, 1, vec![]));
        assert_eq!(played(5, 2), (true, 3, vec![1, 10]));
        assert_eq!(played(5, 9), (false, 6, vec![1, 10, 100, 600, 600]));
    }

    #[test]
    fn changed_files_and_signals_are_not_played_again() {
        let tries = Cell::new(0);
        let stopped = patiently(
            5,
            |_| true,
            || {
                tries.set(tries.get() + 1);
                let game = String::new();
                Err::<(), _>(MatchError::Stopped { game })
            },
        );
        assert!(stopped.is_err());
        assert_eq!(tries.get(), 1);
        let given_up = patiently(5, |_| false, || Err::<(), _>(failure()));
        assert!(matches!(given_up, Err(MatchError::Io { .. })));
    }
}
