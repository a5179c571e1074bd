//! `contest cartagena match PARTICIPANT PARTICIPANT…`: plays programs against each other and prints which is better.
//!
//! This file reads the options, makes the participants and the plan of line-ups and blocks, lets `arena` play it,
//! writes the games to the record, and prints shares of wins with their margins.

use super::setting::GameArgs;
use crate::cartagena::deals::used_again;
use crate::cartagena::{Match, MatchError, Options, Participant};
use crate::isolation::IsolationArgs;
use crate::records::{RecordArgs, begins, out_of, say_how_to_go_on};
use crate::resume::Resumed;
use crate::{Usage, interrupt};
use arena::labels;
use arena::participant::{BuiltinError, ParticipantArg, Spec, Syntax};
use arena::plain_text::counted;
use arena::process::Limits;
use arena::progress::{Progress, heading};
use arena::records::{Appender, RecordError};
use arena::runner::until_failed;
use arena::stats::{Summary, Tally};
use arena::text_table::{Column, TextTable, number, percent};
use arena::{Block, GameResult, LineUp, Plan, ScheduledGame};
use clap::Args as ClapArgs;
use seats::cartagena::participant::{CallLimits, ParticipantRecord};
use seats::cartagena::players::builtin;
use seats::cartagena::programs::warmed_up;
use seats::cli::numbers::seconds_above_none;
use seats::cli::programs::variable;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// Plays games between programs and prints which is better, with margins of error.
///
/// A block is one board and one order of the deck, played in every rotation of the seats (all permutations
/// with two and three players). If there are as many programs as players, they are the only line-up.
/// Otherwise every multiset of programs with at least two different ones is played.
///
/// An external program that makes a fault loses the game, as in a tournament.
#[derive(Debug, ClapArgs)]
#[command(after_help = participants_help())]
pub(crate) struct Args {
    /// Programs: a folder with a `runme`, an executable, or `builtin:NAME[,key=value…]`; `LABEL=PROGRAM`
    /// gives one a label
    #[arg(required = true, value_name = "PARTICIPANT", num_args = 1..)]
    participants: Vec<String>,
    /// Number of players in each game, 2 to 6
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=6))]
    players: u8,
    /// Games of each line-up, rounded up to whole blocks
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    #[command(flatten)]
    game: GameArgs,
    /// Seconds an action for built-in programs that have the setting `time` and name no limit
    #[arg(long, value_name = "SECONDS", conflicts_with = "nodes", value_parser = seconds_above_none)]
    time: Option<Duration>,
    /// Nodes an action for built-in programs that have the setting `nodes` and name no limit
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Seconds that an external program may take for an action
    #[arg(long, default_value = "15", value_name = "SECONDS", value_parser = seconds_above_none)]
    program_time: Duration,
    /// Resident memory of an external program with all its processes, in MiB [default: no limit]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    memory: Option<u64>,
    /// Sets a variable in the environment of an external program
    #[arg(long = "env", value_name = "LABEL:NAME=VALUE")]
    variables: Vec<String>,
    #[command(flatten)]
    isolation: IsolationArgs,
    #[command(flatten)]
    file: RecordArgs,
    /// Games at a time [default: one a core, or one with external programs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Prints the result as JSON
    #[arg(long)]
    json: bool,
}

/// The end of the help: a list of the built-in players with their settings.
fn participants_help() -> String {
    let mut text = "Built-in programs:\n".to_owned();
    for kind in builtin::all() {
        text += &format!("  {:<10} {}", kind.name, kind.summary);
        if !kind.keys.is_empty() {
            text += &format!(" (settings: {})", kind.keys.join(", "));
        }
        text.push('\n');
    }
    text
}

/// The output with `--json`.
#[derive(Debug, Serialize)]
struct Report {
    players: u8,
    deal: u8,
    seed: u64,
    seconds: f64,
    line_ups: Vec<Summary>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    faults: Faults,
}

impl Report {
    /// The number of games that were played, those before an interruption included.
    fn games(&self) -> u64 {
        self.line_ups.iter().map(|summary| summary.games).sum()
    }
}

/// Faults by program and kind.
type Faults = BTreeMap<String, BTreeMap<&'static str, u64>>;

/// The time after the limit of an action until an external program is killed.
const PATIENCE: Duration = Duration::from_secs(2);

/// A program named on the command line.
#[derive(Clone, Debug, PartialEq)]
enum Entry {
    /// A built-in player with its settings.
    Inside(Spec),
    /// An external program, as tournaments store it.
    Outside(ParticipantRecord),
}

/// The different programs with their labels.
type Entries = Vec<(String, Entry)>;

impl Args {
    /// Plays the match and prints its results. A match that was stopped prints the results so far.
    pub(super) fn run(self) -> anyhow::Result<()> {
        let (entries, seats) = self.entries()?;
        let labels: Vec<String> = entries.iter().map(|(label, _)| label.clone()).collect();
        let players = usize::from(self.players);
        // As many programs as seats are one line-up; otherwise all line-ups with two different programs.
        let line_ups = if seats.len() == players {
            vec![LineUp(seats)]
        } else {
            LineUp::all(entries.len(), players)
        };
        if line_ups.is_empty() {
            refuse!("name at least two different programs, or one for each seat");
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        // From here on the first stop signal only asks the match to stop, also while programs are warmed up.
        let stop = interrupt::requested();
        let is_outside = |(_, entry): &(_, Entry)| matches!(entry, Entry::Outside(_));
        let outside = entries.iter().any(is_outside);
        let seed = self.game.seed.of(outside, self.file.record.as_deref())?;
        let options = Options {
            // A fault of a built-in player is a bug of this program, so it ends the match.
            faultless: !outside,
            record: self.file.record.is_some(),
            ..self.game.options(seed)?
        };
        // An external program may use all cores itself, so by default one game is played at a time.
        let usual_jobs = if outside { 1 } else { cores };
        let plan = Plan {
            line_ups,
            games: self.games,
            jobs: self.jobs.map_or(usual_jobs, usize::from),
        };
        let line_ups = plan.line_ups.iter();
        let blocks = line_ups.map(|it| self.games.div_ceil(it.seatings().len() as u64));
        if let Some(warning) = used_again(&options.positions, blocks.max().unwrap_or(0)) {
            engine::note!("warning: {warning}");
        }
        let file = self.file.open(|tail| begins("cartagena", tail))?;
        let table = Match {
            participants: self.participants(entries, outside)?,
            // Line-ups are numbered, so the ids of a match are short.
            line_ups: (1..=plan.line_ups.len()).map(|n| n.to_string()).collect(),
            options,
        };
        let start = Instant::now();
        let (tallies, faults) = self.play(&plan, &table, &labels, file, stop)?;
        let report = Report {
            players: self.players,
            deal: self.game.deal,
            seed,
            seconds: start.elapsed().as_secs_f64(),
            faults,
            line_ups: tallies.iter().map(|t| t.summary(&labels)).collect(),
        };
        let (games, all) = (report.games(), plan.total_games());
        let mut out = seats::cli::out();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &report)?;
            writeln!(out)?;
        } else {
            let line_ups = plan.line_ups.iter().zip(&report.line_ups);
            // An interrupted match may not have reached every line-up.
            for (line_up, summary) in line_ups.filter(|(_, summary)| summary.games > 0) {
                print(&mut out, &heading(line_up, &labels), summary)?;
            }
            for (label, kinds) in &report.faults {
                let kinds: Vec<String> = kinds.iter().map(|(k, n)| format!("{n} {k}")).collect();
                writeln!(out, "faults of {label}: {}", kinds.join(", "))?;
            }
            // Shown after the match, when programs can no longer use it.
            if outside {
                writeln!(out, "seed {seed}")?;
            }
            let rate = games as f64 / report.seconds;
            writeln!(
                out,
                "{} games in {:.1} s ({rate:.0} a second)",
                out_of(games, all),
                report.seconds
            )?;
        }
        // The options that continue an interrupted match.
        if games < all && self.file.record.is_some() {
            say_how_to_go_on(" --resume", &self.game.seed, seed)?;
        }
        Ok(())
    }

    /// Reads the participants: the different programs, and for each participant the index of its program.
    fn entries(&self) -> anyhow::Result<(Entries, Vec<usize>)> {
        let mut entries = Entries::new();
        let mut seats = Vec::new();
        for text in &self.participants {
            let (label, entry) = match ParticipantArg::new(text, Syntax::PATHS).builtin() {
                Some(_) => {
                    let (label, spec) = self.spec(text)?;
                    (label, Entry::Inside(spec))
                }
                None => {
                    // It is easy to forget `builtin:`, so there is a message for that.
                    let is_player = builtin::all().any(|kind| kind.name == text);
                    if is_player && !Path::new(text).exists() {
                        refuse!("there is no program {text}; the player is builtin:{text}");
                    }
                    let Ok(record) = text.parse::<ParticipantRecord>();
                    (record.label.clone(), Entry::Outside(record))
                }
            };
            let known = entries.iter().position(|(known, _)| *known == label);
            // A label that comes twice is one program on two seats, provided that the two are equal in everything.
            if let Some(i) = known {
                if entries[i].1 != entry {
                    let program = ParticipantArg::new(text, Syntax::PATHS).program;
                    refuse!(
                        "two different programs have the label {label}: give one another label, as in other={program}"
                    );
                }
                seats.push(i);
                continue;
            }
            seats.push(entries.len());
            entries.push((label, entry));
        }
        labels::check(entries.iter().map(|(label, _)| &**label)).map_err(Usage::of)?;
        for text in &self.variables {
            let (label, name, value) = variable(text)?;
            let known = entries.iter_mut().find(|(known, _)| known == label);
            let Some((_, Entry::Outside(record))) = known else {
                refuse!("--env {text}: no external program is called {label}");
            };
            record.variables.insert(name.to_owned(), value.to_owned());
        }
        Ok((entries, seats))
    }

    /// Makes the participants. External programs are called once here, so that they can build themselves before the
    /// match.
    fn participants(&self, entries: Entries, outside: bool) -> anyhow::Result<Vec<Participant>> {
        let secrets = [self.file.record.as_deref(), self.game.seed.file()];
        let limits = Limits {
            late: self.program_time,
            kill: self.program_time + PATIENCE,
            memory: self.memory.map(|mb| mb << 20),
            confinement: match outside {
                true => self.isolation.confinement(true, &secrets)?,
                false => None,
            },
            ..Limits::default()
        };
        let call = CallLimits {
            limits,
            cores: None,
        };
        let participants = entries.into_iter().map(|(label, entry)| match entry {
            Entry::Inside(spec) => {
                let made = builtin::mind(&spec);
                let mind = made.map_err(|error| Usage::new(format!("{label}: {error}")))?;
                Ok(Participant::inside(label, mind))
            }
            Entry::Outside(record) => warmed_up(record, self.players.into(), &call),
        });
        participants.collect()
    }

    /// Reads a built-in player, with the defaults from `--time` and `--nodes`: its label and its settings.
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
        // These are only defaults: with a limit of its own, a player has no other.
        if ["time", "nodes"].iter().any(|key| spec.settings.has(key)) {
            return Ok((arg.label, spec));
        }
        if let Some(time) = self.time.filter(|_| keys.contains(&"time")) {
            spec.settings.set("time", time.as_secs_f64());
        }
        if let Some(nodes) = self.nodes.filter(|_| keys.contains(&"nodes")) {
            spec.settings.set("nodes", nodes);
        }
        Ok((arg.label, spec))
    }

    /// Plays the games of the plan that are not in the record. Returns the tallies of the line-ups, and the faults.
    fn play(
        &self,
        plan: &Plan,
        table: &Match,
        labels: &[String],
        mut file: Option<Appender>,
        stop: interrupt::Requested,
    ) -> anyhow::Result<(Vec<Tally>, Faults)> {
        let table = Resumed::new(table, plan, self.file.resumed()).map_err(Usage::of)?;
        let mut tallies: Vec<Tally> = plan.line_ups.iter().map(Tally::new).collect();
        let mut faults = Faults::new();
        // Warming programs up may take minutes, and a stop signal may have come meanwhile.
        if stop.is_set() {
            return Ok((tallies, faults));
        }
        let mut written: Result<(), RecordError> = Ok(());
        let progress = Progress::new(plan.total_games(), labels).with_lines();
        let finished =
            |scheduled: &ScheduledGame, played: &GameResult| progress.finished(scheduled, played);
        // `Plan::run` hands over whole blocks, in the order of the plan.
        let sink = until_failed(&mut written, |block: Block| {
            if let Some((scheduled, _)) = block.first() {
                tallies[scheduled.line_up].push(&block);
            }
            for (scheduled, played) in &block {
                for (&program, seat) in scheduled.seats.iter().zip(&played.seats) {
                    for &kind in &seat.faults {
                        let of = faults.entry(labels[program].clone()).or_default();
                        *of.entry(kind).or_default() += 1;
                    }
                }
            }
            if let Some(file) = &mut file {
                // A block is written as soon as it is finished, so an interruption loses none. After a failed write,
                // further games would be lost: it ends the match.
                let lines: Vec<u8> = block.into_iter().flat_map(|(_, p)| p.line).collect();
                file.append(&lines)?;
            }
            Ok(stop.flow())
        });
        let played = plan.run(&table, finished, sink);
        progress.clear();
        written?;
        // A stop signal is no error, so that the results so far are printed.
        interrupt::unless_stopped(played, |error| matches!(error, MatchError::Stopped { .. }))?;
        Ok((tallies, faults))
    }
}

/// Prints the results of one line-up as a table.
fn print(out: &mut impl Write, heading: &str, summary: &Summary) -> std::io::Result<()> {
    writeln!(
        out,
        "{heading}: {} games in {}, {:.1} actions a game, {} stopped",
        summary.games,
        counted(summary.blocks, "block"),
        summary.actions,
        summary.stopped
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
    // Over all programs, the shares by seat show the advantage of acting early.
    let seats: Vec<String> = summary
        .seat_wins
        .iter()
        .map(|share| format!("{:.2}", 100.0 * share))
        .collect();
    writeln!(out, "  wins by seat, %: {}", seats.join(", "))?;
    if summary.rows.iter().any(|row| row.margin.is_none()) {
        writeln!(out, "  too few blocks for a margin: play more --games")?;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use seats::cartagena::players::builtin::Searching;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    /// The limits of a player in a match with these options.
    fn limits(options: &str, player: &str) -> (Option<Duration>, Option<u64>) {
        let words = ["match", player, "builtin:random"]
            .into_iter()
            .chain(options.split_whitespace());
        let cli = Cli::try_parse_from(words)
            .map_err(|error| error.to_string())
            .unwrap();
        let (_, spec) = cli.args.spec(player).unwrap();
        let limits = Searching::new(&spec.settings).unwrap().limits;
        (limits.time, limits.nodes)
    }

    /// A player may have a limit of time and one of nodes, and the first that is reached ends its search. With a limit
    /// of its own it gets none of the match's.
    #[test]
    fn a_player_has_its_own_limits_or_those_of_the_match() {
        let time = |seconds| Some(Duration::from_secs_f64(seconds));
        let both = "builtin:runme,nodes=20,time=0.5";
        let (nodes, seconds) = ("builtin:runme,nodes=20", "builtin:runme,time=0.5");
        for options in ["", "--time 2", "--nodes 30"] {
            assert_eq!(limits(options, both), (time(0.5), Some(20)), "{options}");
            assert_eq!(limits(options, nodes), (None, Some(20)), "{options}");
            assert_eq!(limits(options, seconds), (time(0.5), None), "{options}");
        }
        assert_eq!(limits("--time 2", "builtin:runme"), (time(2.0), None));
        assert_eq!(limits("--nodes 30", "builtin:runme"), (None, Some(30)));
        assert_eq!(limits("", "builtin:runme"), (time(0.05), None));
    }
}
