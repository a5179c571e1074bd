//! `runme`: the Cartagena player as the contest calls it.
//!
//! An answer must come within the contest's 15 seconds, whatever the disk, the harness and the other processes of the
//! machine do. So input, files, diagnostics and the search have their own threads, and the first thread waits
//! for each of them only until a deadline. The wait for the end of the input has its deadline once a whole game is
//! there. The answer is written before anything is saved or explained.
//!
//! # One input, from end to end
//!
//! The input is `tests/data/cartagena/interface-example.txt`: three players, and player 2 is to move.
//!
//! *The script.* `./runme` finds its folder and checks, without starting another process, whether the
//! program is older than its sources. It is not, so the script becomes the program (`exec`); the
//! variable `RUNME_HOME` names the folder of `support/`. This module resolves flags and variables into
//! a `Config` and reads standard input. If a harness never closes standard input, the program waits 6 s
//! for the end at most.
//!
//! *Text to record.* `notation::parse` reads `3`, the board from `cell` to `boat`, ten moves, `2`, and
//! three cards. It checks that every number exists in this game, not whether a move is legal. An error
//! names the line, the column and what was expected.
//!
//! *Record to view and belief.* `belief::replay` plays the moves; the description of `belief` continues
//! the example.
//!
//! *Is there a choice?* `player::call` asks the rules. A finished game, or a turn without a legal
//! action, ends the call with no output. A single legal action is printed at once. Otherwise the
//! evaluator is loaded, and the cache of the turn's previous action is recalled from `support/cache`.
//!
//! *The search* runs on threads of its own. The first thread reads no file and searches nothing: it
//! waits for the others with a deadline (`engine::watched`), and raises its own priority where the
//! system permits that.
//!
//! *The answer.* The action is printed and flushed. After that the rollouts that the turn's next action can
//! use are written to `support/cache`: to a temporary file that is renamed, without a sync. If another
//! process holds the lock of the folder, nothing is written. The process waits 90 ms at most for the write
//! and exits. No child and no thread is left.

mod config;
mod diagnostics;
mod explain;
mod input;
mod support;

use crate::belief::ReplayOptions;
use crate::notation::print_action;
use crate::player::call::{Call, Choice, Decision, SearchOptions};
use crate::rules::{Action, ActionList};
use crate::search::Settings;
use anyhow::Context;
use clap::CommandFactory;
use config::{Args, Config};
use diagnostics::{print, report_line};
use engine::arguments;
use engine::budget::{Clock, Limits};
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::io;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use support::{SupportFiles, TurnFiles};

/// The exit status for input that cannot be read, and for wrong usage.
const UNREADABLE: u8 = 2;
/// The most inconsistencies of a history that are named one by one; the rest are counted.
const MAX_NAMED: usize = 10;
/// The time after the start of the contest's clock at which the answer is given, whatever the search is doing. The
/// contest ends a call after 15 s.
const HARD_STOP: Duration = Duration::from_millis(13_500);
/// The time after the start of the contest's clock at which the process no longer waits for its standard error to be
/// read.
const LAST_WORDS: Duration = Duration::from_millis(14_500);
/// How far the search may overrun its time before the best action known so far is taken.
const OVERRUN: Duration = Duration::from_millis(500);
/// How long the search waits for networks and caches. Reading them takes 1 ms on a disk that answers.
const FILES_WAIT: Duration = Duration::from_secs(1);

/// The program's command line, for its manual and for shells.
pub fn command() -> clap::Command {
    Args::command()
}

/// Runs the `runme` program with the process's arguments.
pub fn runme() -> ExitCode {
    let config = Config::resolve(arguments::parse());
    for warning in &config.warnings {
        report_line(warning);
    }
    // The contest's clock begins with the game, however late that comes.
    let (start, code) = match input::read(report_line) {
        Ok(input) => (input.start, play(&config, &input)),
        Err(error) => {
            report_line(&format!("{error:#}"));
            (Instant::now(), Ok(ExitCode::from(UNREADABLE)))
        }
    };
    let code = code.unwrap_or_else(|error| {
        report_line(&format!("{error:#}"));
        ExitCode::FAILURE
    });
    diagnostics::flush(start + LAST_WORDS);
    code
}

/// Answers a game. Returns the exit status.
fn play(config: &Config, input: &input::Input) -> anyhow::Result<ExitCode> {
    let options = ReplayOptions {
        deal: config.deal,
        boat_retreat: config.boat_retreat,
    };
    let call = match Call::read(&input.text, &options) {
        Ok(call) => call,
        Err(error) => {
            report_line(&format!("cannot read the game: {error}"));
            return Ok(ExitCode::from(UNREADABLE));
        }
    };
    // A history that breaks the rules is played on as far as it makes sense: an answer may be right, and no answer is
    // always wrong.
    let inconsistencies = &call.replay.inconsistencies;
    for inconsistency in inconsistencies.iter().take(MAX_NAMED) {
        report_line(&format!("inconsistency: {inconsistency}"));
    }
    if inconsistencies.len() > MAX_NAMED {
        let more = inconsistencies.len() - MAX_NAMED;
        report_line(&format!("inconsistency: {more} more like these"));
    }
    for left in &call.replay.left {
        report_line(&left.to_string());
    }
    if config.strict && !inconsistencies.is_empty() {
        report_line(
            "refused, because --strict is given: correct the history, or leave out --strict, and the game \
             is played on as far as it makes sense",
        );
        return Ok(ExitCode::FAILURE);
    }
    match call.choice(config.allow_pass) {
        Choice::Over(winner) => {
            report_line(&format!("the game is over: player {} has won", winner + 1))
        }
        Choice::Forced(Action::Pass) => report_line("no action is legal: nothing to answer"),
        // A single legal action needs no search, no network and no cache.
        Choice::Forced(action) => {
            Answers::prepare(&call, &[action]).give(action)?;
            if config.explain {
                explain(&call, &format!("\nthe only legal action: {action}\n"));
            }
            return Ok(ExitCode::SUCCESS);
        }
        Choice::Open(legal) => {
            search(input.start, config, &call, &legal)?;
            return Ok(ExitCode::SUCCESS);
        }
    }
    if config.explain {
        explain(&call, "");
    }
    Ok(ExitCode::SUCCESS)
}

/// Searches for an action among several, answers, and saves the cache for the turn's next action. `start` is when the
/// contest's clock began.
fn search(start: Instant, config: &Config, call: &Call, legal: &ActionList) -> anyhow::Result<()> {
    let answers = Answers::prepare(call, legal);
    // Reading the input may have taken a part of the contest's time. The search gets its full time all the same, as
    // far as it ends before the hard stop.
    let last = start + HARD_STOP;
    let files = SupportFiles::at(&config.support, config.explain);
    let reading = (Instant::now() + FILES_WAIT).min(last - OVERRUN);
    let TurnFiles { evaluator, cache } = files.read(&call.record, reading, report_line);
    let fingerprint = evaluator.fingerprint();
    // The shortest of three limits: the processor time that the system grants, the time asked for, and the rest of the
    // contest's time less the time that the search may overrun.
    let begun = Instant::now();
    let time = processor_time(config.threads)
        .unwrap_or(config.time)
        .min(config.time)
        .min(
            last.saturating_duration_since(begun)
                .saturating_sub(OVERRUN),
        );
    let options = SearchOptions {
        evaluator,
        clock: Clock::system(),
        limits: Limits {
            time: Some(time),
            nodes: config.nodes,
        },
        hard_stop: (begun + time + OVERRUN).min(last),
        threads: config.threads,
        settings: Settings {
            seed: config.seed,
            allow_pass: config.allow_pass,
            enough: config.enough,
            ..Settings::default()
        },
        before_waiting: raise_priority,
    };
    let Decision {
        action,
        report,
        cache,
        trouble,
    } = call.decide(legal, &options, cache);
    answers.give(action)?;
    // The answer is given. Everything after it may fail or be slow without harm.
    let thought = begun.elapsed();
    if let Some(trouble) = trouble {
        report_line(&format!("{trouble}: took the best action known"));
    }
    if let Some(cache) = cache {
        files.save_turn(&call.record, fingerprint, cache, report_line);
    }
    if config.explain {
        // A search that was late or died has no report.
        let decision = report.map(|report| explain::decision(&report, thought));
        explain(call, decision.as_deref().unwrap_or_default());
    }
    Ok(())
}

/// Prints the position and the decision for people. It is called once the answer is given, so that it takes no time
/// from the search.
fn explain(call: &Call, decision: &str) {
    print(&explain::position(call));
    print(decision);
}

/// The time that a search may take until its threads have used the process's limit of processor time, if there is one:
/// with 10 s left and 2 threads 0.7 · 10 / 2 = 3.5 s. The system would end the process.
fn processor_time(threads: usize) -> Option<Duration> {
    // The search gets a share of it: reading files and starting threads take some time as well, and the kernel checks
    // the limit only at its ticks.
    const SHARE: f64 = 0.7;
    let limit = Duration::from_secs(getrlimit(Resource::Cpu).current?);
    let used = clock_gettime(ClockId::ProcessCPUTime);
    let used = Duration::try_from(used).unwrap_or_default();
    Some(limit.saturating_sub(used).mul_f64(SHARE / threads as f64))
}

/// Gives the thread that must answer the highest priority, where the system permits it, so that it answers in time on a
/// busy machine. It only waits, and so slows nothing else down.
fn raise_priority() {
    // On Linux this affects the calling thread alone, though POSIX says the process: see setpriority(2), "C
    // library/kernel differences".
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, -20);
}

/// The output for each action that may be the answer. It is made before the search, so that answering at the hard stop
/// needs no memory and no formatting.
struct Answers(Vec<(Action, String)>);

impl Answers {
    /// Makes the output of each of these actions, and that of a pass.
    fn prepare(call: &Call, actions: &[Action]) -> Answers {
        let seat = call.replay.view.seat;
        let line = |&action: &Action| {
            let line = print_action(seat, action);
            let end = if line.is_empty() { "" } else { "\n" };
            (action, format!("{line}{end}"))
        };
        // A pass has no output, and so no line to end. The search may choose it where ending the turn is allowed.
        let pass = Action::Pass;
        Answers(actions.iter().chain([&pass]).map(line).collect())
    }

    /// Writes the answer at once.
    ///
    /// # Errors
    /// If the action is not among the answers, or standard output cannot be written.
    fn give(&self, action: Action) -> anyhow::Result<()> {
        let known = self.0.iter().find(|(known, _)| *known == action);
        let (_, line) = known.with_context(|| format!("{action} is not among the answers"))?;
        write_all(line.as_bytes()).context("cannot write the answer")
    }
}

/// Writes to standard output without the library's buffer and its lock, which another thread could hold.
#[cfg(unix)]
fn write_all(mut bytes: &[u8]) -> io::Result<()> {
    // A call may write a part of the bytes, or be interrupted by a signal: both are repeated.
    while !bytes.is_empty() {
        match rustix::io::write(rustix::stdio::stdout(), bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn write_all(bytes: &[u8]) -> io::Result<()> {
    use io::Write;
    let mut out = io::stdout();
    out.write_all(bytes)?;
    out.flush()
}
