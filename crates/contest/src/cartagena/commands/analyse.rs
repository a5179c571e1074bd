//! `contest cartagena analyse FILE`: prints what every action of a recorded game lost, as text or JSON. The work is
//! done in [`analysis`].

use super::games;
use crate::cartagena::analysis::{
    self, Account, Analysis, BLUNDER, DOUBTFUL, Judged, MISTAKE, Options,
};
use crate::cartagena::record::{Record, ResultRecord};
use crate::complain;
use crate::records::Selector;
use anyhow::Context;
use arena::progress::Steps;
use arena::text_table::{Column, TextTable};
use cartagena::evaluation::Evaluators;
use clap::{Args as ClapArgs, ValueEnum};
use engine::budget::Limits;
use seats::cli::numbers::seconds_above_none;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// The default number of positions that a search visits. A game of two players then takes well under a minute on two
/// cores.
const NODES: u64 = 300_000;

/// Goes through a recorded game and prints what every action lost.
///
/// Each action is judged as its player saw the game, without the hidden cards. Its loss is the
/// chance to win of the best action minus its own: doubtful from 2 %, a mistake from 5 %, a
/// blunder from 10 %. A player's error rate is its mean loss a decision, in thousandths of a win.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The file of records, or the folder of a tournament
    file: PathBuf,
    /// The game: its number in the file, from 1, or its id such as `1-20-2`
    #[arg(long, value_name = "GAME", default_value = "1")]
    game: Selector,
    /// Positions that the search for each action visits [default: 300000]
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds to search for each action, on one thread, instead of a number of positions
    #[arg(long, value_name = "SECONDS", value_parser = seconds_above_none)]
    time: Option<Duration>,
    /// The evaluation that the search uses
    #[arg(long, value_enum, default_value_t = Judge::Network)]
    judge: Judge,
    /// Seed of all random numbers
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    seed: u64,
    /// Also count it as a loss if ending the turn early was better
    #[arg(long)]
    allow_pass: bool,
    /// Number of threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Prints the analysis as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Judge {
    /// The trained network, or the evaluation made by hand if there is no network
    Network,
    /// The evaluation made by hand
    Handmade,
}

/// The output with `--json`.
#[derive(Debug, Serialize)]
struct Output<'a> {
    contest: &'a str,
    version: u32,
    game: &'a str,
    result: &'a ResultRecord,
    judge: Judge,
    /// The fingerprint of the evaluator, in hexadecimal.
    fingerprint: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    seed: u64,
    thresholds: Thresholds,
    #[serde(flatten)]
    analysis: &'a Analysis,
}

/// The losses from which on an action has each grade.
#[derive(Debug, Serialize)]
struct Thresholds {
    doubtful: f64,
    mistake: f64,
    blunder: f64,
}

/// The version of the output with `--json`.
const VERSION: u32 = 1;

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let limits = self.limits();
        let (record, history) = games::load(&self.file, &self.game)?;
        let evaluators = self.evaluators();
        let evaluator = &**evaluators.for_players(history.game.players);
        let options = Options {
            limits,
            seed: self.seed,
            allow_pass: self.allow_pass,
        };
        // The analysis runs on the current pool of rayon; this one has as many threads as --jobs says.
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.jobs.map_or(0, usize::from))
            .build()
            .context("cannot start threads for the search")?;
        let progress = Steps::new(record.actions.len() as u64, "actions");
        let analysis = pool
            .install(|| analysis::analyse(&record, evaluator, &options, || progress.finished()));
        // The progress bar is removed first, so that an error message gets a line to itself.
        progress.clear();
        let analysis = analysis?;
        let mut out = seats::cli::out();
        if self.json {
            let output = Output {
                contest: "cartagena",
                version: VERSION,
                game: &record.id,
                result: &record.result,
                judge: self.judge,
                fingerprint: format!("{:016x}", evaluator.fingerprint()),
                nodes: limits.nodes,
                seconds: self.time.map(|time| time.as_secs_f64()),
                seed: self.seed,
                thresholds: Thresholds {
                    doubtful: DOUBTFUL,
                    mistake: MISTAKE,
                    blunder: BLUNDER,
                },
                analysis: &analysis,
            };
            serde_json::to_writer_pretty(&mut out, &output)?;
            writeln!(out)?;
        } else {
            out.write_all(text(&record, &analysis).as_bytes())?;
        }
        Ok(())
    }

    /// The limits of each search.
    fn limits(&self) -> Limits {
        // By default positions are limited, so that the result is the same on any machine. Only --time limits the time.
        let nodes = self.nodes.unwrap_or(NODES);
        Limits {
            time: self.time,
            nodes: self.time.is_none().then_some(nodes),
        }
    }

    /// The evaluators that `--judge` names.
    fn evaluators(&self) -> Evaluators {
        match self.judge {
            Judge::Handmade => Evaluators::handmade(),
            Judge::Network => Evaluators::installed(complain),
        }
    }
}

/// The analysis as text: a table of actions, a summary of the players, and the worst actions.
fn text(record: &Record, analysis: &Analysis) -> String {
    let mut text = games::heading(record);
    let _ = writeln!(
        text,
        "\n\naction  turn  player  {:<14} {:>8}  {:<14} {:>8} {:>8} {:>7}",
        "played", "wins", "best", "wins", "loses", "±"
    );
    for judged in &analysis.actions {
        let _ = writeln!(text, "{}", row(judged).trim_end());
    }
    let _ = writeln!(
        text,
        "\nwins: the player's chance to win after the action, as it saw the game; loses: how much less that \
         is\nthan after the best action, with its standard error; doubtful from {}, mistake from {}, blunder \
         from {}\n",
        percent(DOUBTFUL),
        percent(MISTAKE),
        percent(BLUNDER)
    );
    summary(&mut text, &analysis.players);
    worst(&mut text, analysis);
    text
}

/// A probability as a percentage.
fn percent(chance: f64) -> String {
    format!("{:.2}%", 100.0 * chance)
}

/// The table's row of an action.
fn row(judged: &Judged) -> String {
    let mut row = format!(
        "{:>6}  {:>4}  {:>6}  {:<14} {:>8}",
        judged.action,
        judged.turn,
        judged.player,
        judged.played,
        percent(judged.chance),
    );
    // Three kinds of rows: a forced action, the best action, and one that lost something.
    if judged.choices < 2 {
        row.push_str("  the only choice");
    } else if judged.best == judged.played {
        row.push_str("  best");
    } else {
        // Without rollouts of both actions there is no standard error.
        let error = judged.loss_error.map_or_else(|| "-".to_owned(), percent);
        let _ = write!(
            row,
            "  {:<14} {:>8} {:>8} {error:>7}  {}",
            judged.best,
            percent(judged.best_chance),
            percent(judged.loss),
            judged.grade.map_or("", |grade| grade.name()),
        );
    }
    row
}

/// Writes a row for each player.
fn summary(text: &mut String, players: &[Account]) {
    let mut table = TextTable::new([
        Column::right("player", 0),
        Column::left("program", 0),
        Column::right("actions", 0),
        Column::right("decisions", 0),
        Column::right("doubtful", 0),
        Column::right("mistakes", 0),
        Column::right("blunders", 0),
        Column::right("lost in all", 0),
        Column::right("error rate", 0),
        Column::right("±", 6),
    ]);
    for player in players {
        table.push([
            player.player.to_string(),
            player.label.clone(),
            player.actions.to_string(),
            player.decisions.to_string(),
            player.doubtful.to_string(),
            player.mistakes.to_string(),
            player.blunders.to_string(),
            percent(player.loss),
            format!("{:.2}", player.error_rate),
            format!("{:.2}", player.rate_error),
        ]);
    }
    let _ = writeln!(text, "{table}");
    let _ = writeln!(
        text,
        "error rate: mean loss of a decision, in thousandths of a win"
    );
}

/// Writes the worst actions of each player.
fn worst(text: &mut String, analysis: &Analysis) {
    for player in analysis.players.iter().filter(|p| !p.worst.is_empty()) {
        let _ = writeln!(text, "\nworst of player {}:", player.player);
        for &action in &player.worst {
            // `worst` names actions by their numbers, which begin at 1.
            let judged = &analysis.actions[action - 1];
            let _ = writeln!(
                text,
                "  action {action}: {}, better {}, loses {}",
                judged.played,
                judged.best,
                percent(judged.loss),
            );
        }
    }
}
