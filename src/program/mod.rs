//! `runme`: the Cartagena player as the contest calls it.

mod config;
mod diagnostics;
mod explain;
mod input;
mod support;

use crate::belief::ReplayOptions;
use crate::evaluation;
use crate::notation::print_action;
use crate::player::call::{Call, Choice, Decision, SearchOptions};
use crate::rules::{Action, ActionList};
use crate::search::Settings;
use clap::{CommandFactory, Parser};
use config::{Args, Config};
use diagnostics::{print, report_line};
use engine::budget::Limits;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use support::SupportFiles;

/// The exit status for input that cannot be read, and for wrong usage.
const UNREADABLE: u8 = 2;
/// Inconsistencies of a history that are named; the rest are counted.
const MAX_NAMED: usize = 10;
/// When the answer is given whatever the search is doing. The contest kills at 15 s.
const HARD_STOP: Duration = Duration::from_millis(13_800);
/// How far the search may overrun its time before the best action known is taken.
const OVERRUN: Duration = Duration::from_millis(800);

/// The program's command line, for its manual and for shells.
pub fn command() -> clap::Command {
    config::Args::command()
}

/// Runs the `runme` program with the process's arguments.
pub fn runme() -> ExitCode {
    let start = Instant::now();
    let config = Config::resolve(Args::parse());
    for warning in &config.warnings {
        report_line(warning);
    }
    let code = play(start, &config).unwrap_or_else(|error| {
        report_line(&format!("{error:#}"));
        ExitCode::FAILURE
    });
    diagnostics::flush();
    code
}

fn play(start: Instant, config: &Config) -> anyhow::Result<ExitCode> {
    let text = match input::read(report_line) {
        Ok(text) => text,
        Err(error) => {
            report_line(&format!("{error:#}"));
            return Ok(ExitCode::from(UNREADABLE));
        }
    };
    let options = ReplayOptions {
        deal: config.deal,
        boat_retreat: config.boat_retreat,
    };
    let call = match Call::read(&text, &options) {
        Ok(call) => call,
        Err(error) => {
            report_line(&format!("cannot read the game: {error}"));
            return Ok(ExitCode::from(UNREADABLE));
        }
    };
    let inconsistencies = &call.replay.inconsistencies;
    for inconsistency in inconsistencies.iter().take(MAX_NAMED) {
        report_line(&format!("inconsistency: {inconsistency}"));
    }
    if inconsistencies.len() > MAX_NAMED {
        let more = inconsistencies.len() - MAX_NAMED;
        report_line(&format!("inconsistency: {more} more like these"));
    }
    if config.strict && !call.replay.inconsistencies.is_empty() {
        return Ok(ExitCode::FAILURE);
    }
    if config.explain {
        print(&explain::position(&call));
    }
    match call.choice(config.allow_pass) {
        Choice::Over(winner) => {
            report_line(&format!("the game is over: player {} has won", winner + 1))
        }
        Choice::Forced(Action::Pass) => report_line("no action is legal: nothing to answer"),
        Choice::Forced(action) => {
            answer(&call, action)?;
            if config.explain {
                print(&format!("\nthe only legal action: {action}\n"));
            }
        }
        Choice::Open(legal) => search(start, config, &call, &legal)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn search(start: Instant, config: &Config, call: &Call, legal: &ActionList) -> anyhow::Result<()> {
    let files = SupportFiles::at(&config.support);
    let players = call.record.players;
    let (evaluator, trouble) = evaluation::load(&files.networks(players), players);
    trouble.iter().for_each(|line| report_line(line));
    // Waiting for the input is the harness's time, but the contest's clock runs all the same.
    let waited = start.elapsed();
    let time = (waited + config.time).min(HARD_STOP - OVERRUN);
    let options = SearchOptions {
        evaluator,
        start,
        limits: Limits {
            time: Some(time),
            nodes: config.nodes,
        },
        hard_stop: (time + OVERRUN).min(HARD_STOP),
        threads: config.threads,
        settings: Settings {
            seed: config.seed,
            allow_pass: config.allow_pass,
            ..Settings::default()
        },
    };
    let fingerprint = options.evaluator.fingerprint();
    let cache = files.load_turn(&call.record, fingerprint, report_line);
    let Decision {
        action,
        report,
        cache,
        trouble,
    } = call.decide(legal, &options, cache);
    if let Some(trouble) = &trouble {
        report_line(&format!("{trouble}: taking the best action known"));
    }
    answer(call, action)?;
    if config.explain {
        let elapsed = start.elapsed();
        if let Some(report) = &report {
            print(&explain::decision(report, elapsed));
        }
    }
    files.save_turn(&call.record, fingerprint, cache, report_line);
    Ok(())
}

/// Writes and flushes the contest's answer before anything else is done.
fn answer(call: &Call, action: Action) -> anyhow::Result<()> {
    let line = print_action(call.replay.view.seat, action);
    if !line.is_empty() {
        let mut out = io::stdout().lock();
        writeln!(out, "{line}")?;
        out.flush()?;
    }
    Ok(())
}
