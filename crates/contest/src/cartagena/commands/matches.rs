//! `contest cartagena match PARTICIPANT PARTICIPANT…`

use super::setting::GameArgs;
use crate::Usage;
use crate::cartagena::{Match, Options, Participant, Resumed};
use arena::participant::{BuiltinError, ParticipantArg, Spec, Syntax};
use arena::progress::{Progress, heading};
use arena::records::{Appender, Opening, TornLine};
use arena::stats::{Summary, Tally};
use arena::text_table::{Column, TextTable, number, percent};
use arena::{Block, GameResult, LineUp, Plan, ScheduledGame};
use clap::Args as ClapArgs;
use lab::cartagena::players::builtin;
use serde::Serialize;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

/// Plays games between programs and says who is better, and how sure that is.
///
/// A block is one board and one order of the deck, played in every rotation of the seats (all
/// permutations with two and three players). With as many programs as players exactly that
/// line-up is played; with fewer or more, every multiset with at least two different ones.
#[derive(Debug, ClapArgs)]
#[command(after_help = participants_help())]
pub(crate) struct Args {
    /// Programs: `builtin:NAME[,key=value…]`, with a label of their own as `LABEL=builtin:…`
    #[arg(required = true, value_name = "PARTICIPANT", num_args = 1..)]
    participants: Vec<String>,
    /// Number of players
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=6))]
    players: u8,
    /// Games of each line-up, rounded up to whole blocks
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    game: GameArgs,
    /// Seconds an action, for every program that can be told a time and names none itself
    #[arg(long, value_name = "SECONDS", conflicts_with = "nodes")]
    time: Option<f64>,
    /// Nodes an action, for every program that can be told a number and names none itself
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Appends every game to this file, a line of JSON each
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Goes on with an interrupted match: games that stand in the record are not played again
    #[arg(long, requires = "record")]
    resume: bool,
    /// Number of threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Prints the result as JSON
    #[arg(long)]
    json: bool,
}

fn participants_help() -> String {
    let mut text = "Built-in programs:\n".to_owned();
    for kind in builtin::ALL {
        text += &format!("  {:<10} {}", kind.name, kind.summary);
        if !kind.keys.is_empty() {
            text += &format!(" (settings: {})", kind.keys.join(", "));
        }
        text.push('\n');
    }
    text
}

/// What is printed with `--json`.
#[derive(Debug, Serialize)]
struct Report {
    players: u8,
    deal: u8,
    seed: u64,
    seconds: f64,
    line_ups: Vec<Summary>,
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let (participants, seats) = self.programs()?;
        let labels: Vec<String> = participants
            .iter()
            .map(|participant| participant.label.clone())
            .collect();
        let players = usize::from(self.players);
        let line_ups = if seats.len() == players {
            vec![LineUp(seats)]
        } else {
            LineUp::all(participants.len(), players)
        };
        if line_ups.is_empty() {
            let text = "a match needs two different programs, or as many as players";
            return Err(Usage::new(text).into());
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let plan = Plan {
            line_ups,
            games: self.games,
            jobs: self.jobs.map_or(cores, usize::from),
        };
        let table = Match {
            participants,
            line_ups: (1..=plan.line_ups.len()).map(|n| n.to_string()).collect(),
            options: Options {
                faultless: true,
                record: self.record.is_some(),
                ..self.game.options()?
            },
        };
        let start = Instant::now();
        let tallies = self.play(&plan, &table, &labels)?;
        let report = Report {
            players: self.players,
            deal: self.game.deal,
            seed: self.game.seed,
            seconds: start.elapsed().as_secs_f64(),
            line_ups: tallies.iter().map(|t| t.summary(&labels)).collect(),
        };
        let mut out = std::io::stdout().lock();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &report)?;
            writeln!(out)?;
        } else {
            for (line_up, summary) in plan.line_ups.iter().zip(&report.line_ups) {
                print(&mut out, &heading(line_up, &labels), summary)?;
            }
            let games = plan.total_games();
            let rate = games as f64 / report.seconds;
            writeln!(
                out,
                "{games} games in {:.1} s ({rate:.0} a second)",
                report.seconds
            )?;
        }
        Ok(())
    }

    /// The different programs, and which of them each name given means.
    fn programs(&self) -> anyhow::Result<(Vec<Participant>, Vec<usize>)> {
        let mut participants: Vec<(Participant, Spec)> = Vec::new();
        let mut seats = Vec::new();
        for text in &self.participants {
            let (label, spec) = self.spec(text)?;
            let known = participants
                .iter()
                .position(|(participant, _)| participant.label == label);
            if let Some(i) = known {
                if participants[i].1 != spec {
                    let text = format!("two different programs are called {label}");
                    return Err(Usage::new(text).into());
                }
                seats.push(i);
                continue;
            }
            let recipe =
                builtin::recipe(&spec).map_err(|error| Usage::new(format!("{text}: {error}")))?;
            seats.push(participants.len());
            participants.push((Participant::inside(label, recipe), spec));
        }
        Ok((
            participants
                .into_iter()
                .map(|(participant, _)| participant)
                .collect(),
            seats,
        ))
    }

    fn spec(&self, text: &str) -> anyhow::Result<(String, Spec)> {
        let wrong = |error: String| Usage::new(format!("{text}: {error}"));
        let arg = ParticipantArg::new(text, Syntax::PATHS);
        let Some(program) = arg.builtin() else {
            let expected = "expected builtin:NAME[,key=value…] or LABEL=builtin:NAME…";
            return Err(wrong(expected.to_owned()).into());
        };
        let read = |program: &str| {
            let spec: Spec = program.parse()?;
            Ok((builtin::kind(&spec)?.keys, spec))
        };
        let (keys, mut spec) =
            read(program).map_err(|error: BuiltinError| wrong(error.to_string()))?;
        if let Some(time) = self.time.filter(|_| keys.contains(&"time")) {
            spec.settings.set_default("time", time);
        }
        if let Some(nodes) = self.nodes.filter(|_| keys.contains(&"nodes")) {
            spec.settings.set_default("nodes", nodes);
        }
        Ok((arg.label, spec))
    }

    fn opening(&self) -> Opening {
        match self.resume {
            true => Opening {
                exclusive: true,
                torn: TornLine::Remove(|_| true),
                durable: false,
            },
            false => Opening::SHARED,
        }
    }

    fn play(&self, plan: &Plan, table: &Match, labels: &[String]) -> anyhow::Result<Vec<Tally>> {
        let mut file = match &self.record {
            Some(path) => Some(Appender::open(path, self.opening())?),
            None => None,
        };
        let resumed = match &self.record {
            Some(path) if self.resume => {
                let resumed = Resumed::new(table, plan, path).map_err(Usage::of)?;
                let (before, all) = (resumed.games(), plan.total_games());
                eprintln!("{before} of {all} games were played before");
                Some(resumed)
            }
            _ => None,
        };
        let mut tallies: Vec<Tally> = plan.line_ups.iter().map(Tally::new).collect();
        let mut written = Ok(());
        let progress = Progress::new(plan.total_games(), labels);
        let finished =
            |scheduled: &ScheduledGame, played: &GameResult| progress.finished(scheduled, played);
        let sink = |block: Block| {
            if let Some((scheduled, _)) = block.first() {
                tallies[scheduled.line_up].push(&block);
            }
            if let Some(file) = &mut file {
                // A block at a time: whatever happens to us, what was played is not lost.
                let lines: Vec<u8> = block.into_iter().flat_map(|(_, p)| p.line).collect();
                written = file.append(&lines);
            }
            match written {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        let played = match &resumed {
            Some(resumed) => plan.run(resumed, finished, sink),
            None => plan.run(table, finished, sink),
        };
        progress.clear();
        written?;
        played?;
        Ok(tallies)
    }
}

fn print(out: &mut impl Write, heading: &str, summary: &Summary) -> std::io::Result<()> {
    writeln!(
        out,
        "{heading}: {} games in {} blocks, {:.1} actions a game, {} stopped",
        summary.games, summary.blocks, summary.actions, summary.stopped
    )?;
    let mut table = TextTable::new([
        Column::left("program", 0),
        Column::right("seats", 0),
        Column::right("wins %", 0),
        Column::right("± 95 %", 0),
        Column::right("fair %", 0),
        Column::right("mean rank", 0),
        Column::right("actions", 0),
        Column::right("ms/action", 0),
        Column::right("99 % ms", 0),
    ]);
    for row in &summary.rows {
        table.push([
            row.label.clone(),
            row.seats.to_string(),
            percent(Some(row.share), 2),
            percent(row.margin, 2),
            percent(Some(row.fair), 2),
            number(Some(row.rank), 3),
            number(Some(row.actions), 1),
            number(Some(row.mean_ms), 4),
            number(Some(row.p99_ms), 4),
        ]);
    }
    for line in table.lines() {
        writeln!(out, "  {line}")?;
    }
    let seats: Vec<String> = summary
        .seat_wins
        .iter()
        .map(|share| format!("{:.2}", 100.0 * share))
        .collect();
    writeln!(out, "  wins by seat, %: {}", seats.join(", "))?;
    writeln!(out)
}
