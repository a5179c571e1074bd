//! `runme`: the Cartagena player as the contest calls it.

mod config;
mod explain;
mod input;
mod memory;
mod voice;

use crate::belief::ReplayOptions;
use crate::evaluation;
use crate::notation::print_action;
use crate::player::call::{Call, Choice, Decision, Means};
use crate::rules::{Action, ActionList};
use crate::search::Settings;
use clap::Parser;
use config::{Args, Config};
use engine::budget::Limits;
use memory::Files;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use voice::{say, show};

/// The exit status for input that cannot be read, and for wrong usage.
const UNREADABLE: u8 = 2;
/// Broken rules of a history that are named; the rest are counted.
const MOST_ODDITIES: usize = 10;
/// When the answer is given whatever the search is doing. The contest kills at 15 s.
const HARD_STOP: Duration = Duration::from_millis(13_800);
/// How far the search may overrun its time before the best action known is taken.
const OVERRUN: Duration = Duration::from_millis(800);

/// Runs the `runme` program with the process's arguments.
pub fn runme() -> ExitCode {
    let start = Instant::now();
    let config = Config::resolve(Args::parse());
    for warning in &config.warnings {
        say(warning);
    }
    let code = play(start, &config).unwrap_or_else(|error| {
        say(&format!("{error:#}"));
        ExitCode::FAILURE
    });
    voice::finish();
    code
}

fn play(start: Instant, config: &Config) -> anyhow::Result<ExitCode> {
    let text = match input::read(say) {
        Ok(text) => text,
        Err(error) => {
            say(&format!("{error:#}"));
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
            say(&format!("cannot read the game: {error}"));
            return Ok(ExitCode::from(UNREADABLE));
        }
    };
    let oddities = &call.replay.oddities;
    for oddity in oddities.iter().take(MOST_ODDITIES) {
        say(&format!("odd: {oddity}"));
    }
    if oddities.len() > MOST_ODDITIES {
        let more = oddities.len() - MOST_ODDITIES;
        say(&format!("odd: {more} more like these"));
    }
    if config.strict && !call.replay.oddities.is_empty() {
        return Ok(ExitCode::FAILURE);
    }
    if config.explain {
        show(&explain::position(&call));
    }
    match call.choice(config.allow_pass) {
        Choice::Over(winner) => say(&format!("the game is over: player {} has won", winner + 1)),
        Choice::Forced(Action::Pass) => say("no action is legal: nothing to answer"),
        Choice::Forced(action) => {
            answer(&call, action)?;
            if config.explain {
                show(&format!("\nthe only legal action: {action}\n"));
            }
        }
        Choice::Open(legal) => search(start, config, &call, &legal)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn search(start: Instant, config: &Config, call: &Call, legal: &ActionList) -> anyhow::Result<()> {
    let files = Files::at(&config.support);
    let players = call.record.players;
    let (evaluator, trouble) = evaluation::load(&files.networks(players), players);
    trouble.iter().for_each(|line| say(line));
    // Waiting for the input is the harness's time, but the contest's clock runs all the same.
    let waited = start.elapsed();
    let time = (waited + config.time).min(HARD_STOP - OVERRUN);
    let means = Means {
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
    let fingerprint = means.evaluator.fingerprint();
    let memory = files.recall(&call.record, fingerprint, say);
    let Decision {
        action,
        report,
        memory,
        trouble,
    } = call.decide(legal, &means, memory);
    if let Some(trouble) = &trouble {
        say(&format!("{trouble}: taking the best action known"));
    }
    answer(call, action)?;
    if config.explain {
        let elapsed = start.elapsed();
        if let Some(report) = &report {
            show(&explain::decision(report, elapsed));
        }
    }
    files.remember(&call.record, fingerprint, memory, say);
    Ok(())
}

/// The contest's answer, out of our hands before anything else is done.
fn answer(call: &Call, action: Action) -> anyhow::Result<()> {
    let line = print_action(call.replay.view.seat, action);
    if !line.is_empty() {
        let mut out = io::stdout().lock();
        writeln!(out, "{line}")?;
        out.flush()?;
    }
    Ok(())
}
