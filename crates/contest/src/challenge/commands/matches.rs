//! `contest challenge match`: plays two participants against each other and prints their results.
//!
//! A `ChallengeMatch` is the referee.

use crate::challenge::pairing::{
    ChallengeMatch, Client, Pairing, PairingError, PairingSettings, Participant, RemoteError,
    millis, participant,
};
use crate::challenge::record::GameLine;
use crate::challenge::record::Recorded;
use crate::isolation::IsolationArgs;
use crate::records::{RecordArgs, out_of, say_how_to_go_on};
use crate::resume::Resumed;
use crate::{Usage, cli, interrupt};
use anyhow::{Context, Result};
use arena::labels;
use arena::participant::Kind;
use arena::plain_text::counted;
use arena::progress::Progress;
use arena::records::{Appender, RecordError, line_of};
use arena::runner::until_failed;
use arena::stats::{Row, Tally};
use arena::text_table::percent;
use arena::{GameResult, LineUp, Plan, ScheduledGame};
use challenge::equilibrium::blueprint::Tables;
use challenge::player::Memory;
use challenge::program::LONGEST;
use challenge::rules::GameOptions;
use challenge_server::clocked_game::Conduct;
use challenge_server::journal::is_torn;
use clap::Args as ClapArgs;
use seats::challenge::duplicate::{Duplicate, Step, Writer, number};
use seats::cli::seed::SeedArgs;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Plays two participants against each other on duplicate deals: every order of the decks is played
/// twice, with sides swapped.
///
/// A participant is a built-in player's name, or a program: an executable, or a folder with an executable
/// `runme`, that connects to a contest's server. It is started with `HOST:PORT` as its argument, or with
/// what --args says. It plays with the contest's clock, and is ended with the match. LABEL=PARTICIPANT
/// gives it a label. Two built-in players play without a clock.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The first of the two participants
    a: String,
    /// The second of the two participants
    b: String,
    /// Games, rounded up to pairs on the same deals with sides swapped
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    #[command(flatten)]
    seed: SeedArgs,
    /// Threads; each has programs of its own. The result of built-in players does not depend on it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    jobs: u8,
    /// The arguments of a program, with `{host}` and `{port}` in them, such as "me:{host} {port} -q"
    #[arg(long, value_name = "LABEL:ARGUMENTS")]
    args: Vec<String>,
    /// A variable of a program's environment
    #[arg(long, value_name = "LABEL:NAME=VALUE")]
    env: Vec<String>,
    /// Seconds a program may take to connect
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(..=LONGEST))]
    connect: u64,
    #[command(flatten)]
    isolation: IsolationArgs,
    #[command(flatten)]
    file: RecordArgs,
    /// A folder with tables to be used instead of those inside the program [default: support beside the
    /// program]
    #[arg(long)]
    support: Option<PathBuf>,
    /// A folder with tables for one of two participants, to measure tables against others
    #[arg(long, value_name = "LABEL:FOLDER")]
    tables: Vec<String>,
    /// Prints the result as JSON
    #[arg(long)]
    json: bool,
}

/// Makes the record of a finished game, a line as in a journal, with these labels as names.
fn writer(labels: [String; 2]) -> Writer {
    Box::new(move |scheduled, steps, nanos| {
        let mut game = Recorded::new(GameOptions::default());
        for &step in steps {
            match step {
                Step::Deal(hands) => game.deal(hands),
                // The decision was legal when it was played, so there is no error to handle.
                Step::Decision(decision) => drop(game.decide(decision)),
            }
        }
        line_of(&GameLine {
            id: number(scheduled),
            names: Some([0, 1].map(|seat| labels[scheduled.seats[seat]].clone())),
            teams: [0, 1].map(|seat| scheduled.seats[seat] as u64 + 1),
            winner: game.game().winner().unwrap_or_default(),
            entries: game.into_entries(None),
            ms: Some(millis(nanos)),
            ..GameLine::default()
        })
    })
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        let participants = self.participants()?;
        let labels = participants.each_ref().map(|one| one.label.clone());
        let tables = self.tables(&labels)?;
        let builtins = participants.each_ref().map(Participant::builtin);
        let programs = builtins.iter().any(Option::is_none);
        let secrets = [self.file.record.as_deref(), self.seed.file()];
        let confinement = match programs {
            true => self.isolation.confinement_of_clients(true, &secrets)?,
            false => None,
        };
        let seed = self.seed.of(programs, self.file.record.as_deref())?;
        let record = self.file.open(is_torn)?;
        let table = match builtins {
            // Two built-in players need neither programs nor a clock.
            [Some(a), Some(b)] => {
                let duplicate = Duplicate {
                    players: [*a, *b],
                    tables,
                    memories: [(); 2].map(|()| Memory::default()),
                    seed,
                    record: record.is_some().then(|| writer(labels.clone())),
                };
                let labels = labels.clone();
                ChallengeMatch::Builtin { duplicate, labels }
            }
            _ => {
                let settings = PairingSettings {
                    conduct: Conduct::default(),
                    patience: Duration::from_secs(self.connect),
                    seed,
                    confinement,
                };
                let pairing = Pairing::new(participants, tables, settings);
                ChallengeMatch::Programs(Box::new(pairing.context("cannot listen")?))
            }
        };
        self.play(&table, &labels, seed, record)
    }

    /// Both participants, with the arguments and environments that the options give to programs.
    fn participants(&self) -> Result<[Participant; 2]> {
        let find = |text: &str| participant(text).map_err(Usage::of);
        let mut both = [find(&self.a)?, find(&self.b)?];
        if both[0].label == both[1].label {
            // Two participants with the same label become LABEL-1 and LABEL-2.
            both.iter_mut()
                .zip(1..)
                .for_each(|(one, number)| one.label += &format!("-{number}"));
        }
        labels::check(both.iter().map(|one| &*one.label)).map_err(Usage::of)?;
        for text in &self.args {
            let (label, arguments) = labelled(text, "LABEL:ARGUMENTS")?;
            external(&mut both, label, |_, template| {
                *template = arguments.to_owned()
            })?;
        }
        for text in &self.env {
            let (label, variable) = labelled(text, "LABEL:NAME=VALUE")?;
            let (name, value) = variable
                .split_once('=')
                .ok_or_else(|| Usage::new(format!("{text}: expected LABEL:NAME=VALUE")))?;
            external(&mut both, label, |program, _| {
                *program = program.clone().with_variable(name, value);
            })?;
        }
        Ok(both)
    }

    /// The tables of each participant.
    fn tables(&self, labels: &[String; 2]) -> Result<[Tables; 2]> {
        let both = cli::tables("--support", self.support.as_deref())?;
        let mut tables = [both.clone(), both];
        for text in &self.tables {
            let (label, folder) = labelled(text, "LABEL:FOLDER")?;
            let Some(number) = labels.iter().position(|known| known == label) else {
                return Err(unknown(label).into());
            };
            tables[number] = cli::tables(text, Some(Path::new(folder)))?;
        }
        Ok(tables)
    }

    /// Plays the match, records its games, and prints its results.
    fn play(
        &self,
        table: &ChallengeMatch,
        labels: &[String; 2],
        seed: u64,
        mut record: Option<Appender>,
    ) -> Result<()> {
        let line_up = LineUp(vec![0, 1]);
        let mut tally = Tally::new(&line_up);
        let plan = Plan {
            line_ups: vec![line_up],
            games: self.games,
            jobs: self.jobs.into(),
        };
        let referee = Resumed::new(table, &plan, self.file.resumed()).map_err(Usage::of)?;
        // Ctrl-C ends the match after the current block, and its results so far are shown.
        let requested = interrupt::requested();
        let progress = Progress::new(plan.total_games(), labels).with_lines();
        let mut faults = [BTreeMap::new(), BTreeMap::new()];
        let mut written: Result<(), RecordError> = Ok(());
        let played = plan.run(
            &referee,
            |scheduled, played| progress.finished(scheduled, played),
            until_failed(&mut written, |block| {
                tally.push(&block);
                for (scheduled, played) in &block {
                    count_faults(&mut faults, scheduled, played);
                }
                // The results that are printed end with a block that cannot be written.
                if let Some(file) = &mut record {
                    let lines: Vec<u8> = block.into_iter().flat_map(|(_, one)| one.line).collect();
                    file.append(&lines)?;
                }
                Ok(requested.flow())
            }),
        );
        progress.clear();
        let summary = tally.summary(labels);
        // Printed even if the match was broken off: the games so far are a result.
        if self.json {
            let rows = summary.rows.iter().zip(&faults);
            let rows: Vec<_> = rows.map(|(row, faults)| row_json(row, faults)).collect();
            let (games, pairs) = (summary.games, summary.blocks);
            line!(
                "{}",
                json!({ "games": games, "pairs": pairs, "seed": seed, "rows": rows })
            )?;
        } else if summary.games > 0 {
            line!(
                "{} games, {} of the same deals, seed {seed}",
                out_of(summary.games, plan.total_games()),
                counted(summary.blocks, "pair")
            )?;
            let longest = labels.iter().map(|label| label.chars().count()).max();
            for (row, faults) in summary.rows.iter().zip(&faults) {
                print(row, faults, longest.unwrap_or(0).max(12))?;
            }
            if summary.rows.iter().any(|row| row.margin.is_none()) {
                line!("too few pairs for a margin: play more --games")?;
            }
        }
        if summary.games < plan.total_games() && self.file.record.is_some() {
            say_how_to_go_on(" --resume", &self.seed, seed)?;
        }
        // The errors come after the results.
        written?;
        interrupt::unless_stopped(played, is_stopped).context("the match was broken off")
    }
}

/// Whether a game was left unplayed because its programs received the signal to stop too.
fn is_stopped(error: &PairingError) -> bool {
    matches!(error, PairingError::Remote(RemoteError::Stopped(_)))
}

/// Splits an option's text after its label.
fn labelled<'a>(text: &'a str, expected: &str) -> Result<(&'a str, &'a str)> {
    let parts = text.split_once(':');
    Ok(parts.ok_or_else(|| Usage::new(format!("{text}: expected {expected}")))?)
}

/// Changes the program with this label. `change` gets the program and the template of its arguments.
fn external(
    both: &mut [Participant; 2],
    label: &str,
    change: impl FnOnce(&mut arena::process::Program, &mut String),
) -> Result<()> {
    let one = both.iter_mut().find(|one| one.label == label);
    match one.map(|one| &mut one.kind) {
        Some(Kind::Program(Client { program, template })) => change(program, template),
        Some(Kind::Builtin(_)) => {
            refuse!("{label} is a built-in player: it has neither arguments nor an environment");
        }
        None => return Err(unknown(label).into()),
    }
    Ok(())
}

fn unknown(label: &str) -> Usage {
    Usage::new(format!("{label}: no participant has this label"))
}

/// By participant, how often each kind of fault has occurred.
type Faults = [BTreeMap<&'static str, u64>; 2];

/// Adds the faults of one game, which are by seat, to those of the participants.
fn count_faults(faults: &mut Faults, scheduled: &ScheduledGame, played: &GameResult) {
    for (&participant, seat) in scheduled.seats.iter().zip(&played.seats) {
        for &kind in &seat.faults {
            *faults[participant].entry(kind).or_default() += 1;
        }
    }
}

/// A participant's result as `--json` prints it.
fn row_json(row: &Row, faults: &BTreeMap<&'static str, u64>) -> serde_json::Value {
    json!({
        "label": row.label,
        "share": row.share,
        "margin": row.margin,
        "decisions": row.actions,
        "mean_ms": row.mean_ms,
        "p99_ms": row.p99_ms,
        "longest_ms": row.longest_ms,
        "faults": faults,
    })
}

/// Prints a participant's share of the games with its 95 % interval, its times, and its faults if there were any.
fn print(row: &Row, faults: &BTreeMap<&'static str, u64>, width: usize) -> Result<()> {
    // There is no margin after a single pair of games, because one pair gives no estimate of the error.
    let margin = percent(row.margin, 2);
    let faults: Vec<String> = faults
        .iter()
        .map(|(kind, number)| format!("{number} {kind}"))
        .collect();
    let faults = match faults.is_empty() {
        true => String::new(),
        false => format!("; faults: {}", faults.join(", ")),
    };
    line!(
        "{:<width$} {:6.2} % ± {margin}   {:5.1} decisions a game, {:.3} ms each, at most {:.1}{faults}",
        row.label,
        100.0 * row.share,
        row.actions,
        row.mean_ms,
        row.longest_ms
    )?;
    Ok(())
}
