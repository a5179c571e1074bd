//! `lab cartagena truth`: makes truth sets, and scores players and networks by them.
//!
//! A *truth set* has positions of games, each with the values of its leading actions, estimated from thousands of games
//! played to the end. `make` plays them; `score` prints how much players' choices lose by these values, and how far
//! networks' values are off. `cartagena::truth` holds the computation, this file options and printing.

use crate::cartagena::truth::{
    PHASES, Plan, Policy, Regret, TruthSet, ValueErrors, losses_by_phase, phase_name, regret,
    value_errors,
};
use anyhow::{Context, Result, bail, ensure};
use arena::participant::BUILTIN;
use arena::stats::Blocks;
use arena::text_table::{Column, TextTable, percent};
use cartagena::evaluation::{Evaluator, Evaluators, NetworkEvaluator};
use clap::{Args as ClapArgs, Subcommand};
use rayon::ThreadPoolBuilder;
use seats::cartagena::participant::{CallLimits, Participant, ParticipantRecord};
use seats::cartagena::players::builtin;
use seats::cartagena::positions;
use seats::cartagena::programs::warmed_up;
use seats::cli::isolation::IsolationArgs;
use seats::cli::output::check_writable;
use seats::cli::programs::set_variables;
use seats::cli::{Usage, complain, interrupt};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The file is written again after this many positions, so a stopped call loses fewer.
const WRITE_EVERY: usize = 20;
/// The time that the contest gives a program for an action.
const PROGRAM_TIME: Duration = Duration::from_secs(15);

#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Choice,
}

#[derive(Debug, Subcommand)]
enum Choice {
    /// Value the leading actions of many positions by long rollouts; goes on with a file that is there
    Make(Make),
    /// Print the losses of players' choices, and the errors of networks' values
    Score(Score),
}

#[derive(Debug, ClapArgs)]
struct Make {
    /// The file to write, or to continue if it exists
    file: PathBuf,
    /// Number of players, 2 to 6
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=6))]
    players: u8,
    /// Positions to take from games of the player against itself
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = seats::cli::numbers::number(1usize, 10_000_000))]
    positions: usize,
    /// The most actions of a position that are valued
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u8).range(2..))]
    leading: u8,
    /// Games after each action, played in two halves
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    games: u32,
    /// Actions that everybody follows at each position of the turn in these games; with 1 nobody looks
    /// ahead
    #[arg(long, default_value_t = 3, value_name = "WIDTH", value_parser = clap::value_parser!(u8).range(1..=42))]
    look_ahead: u8,
    /// Everybody searches with this many nodes in these games instead
    #[arg(long, value_name = "N", conflicts_with = "look_ahead", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// With --nodes: only positions after this many actions a player, as such games take long
    #[arg(long, default_value_t = 0, value_name = "ACTIONS", requires = "nodes")]
    after: u16,
    /// The network of another folder than the program's
    #[arg(long, value_name = "FOLDER")]
    network: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
struct Score {
    /// A file that `make` wrote
    file: PathBuf,
    /// Players, each compared with the first: `NAME[,key=value…]` of a built-in one, or a folder
    /// with a `runme`; with a label as `LABEL=builtin:NAME…` or `LABEL=FOLDER`
    players: Vec<String>,
    /// Folders with networks whose values are to be checked, `-` for the program's
    #[arg(long, value_name = "FOLDER")]
    network: Vec<PathBuf>,
    /// Choices in each position, with different seeds
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    repeats: u64,
    /// Print the losses in each phase of the game as well
    #[arg(long)]
    phases: bool,
    /// Positions at a time [default: one a core, or one if a program is not built in]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Sets a variable of the environment of a program that is not built in
    #[arg(long = "env", value_name = "LABEL:NAME=VALUE")]
    variables: Vec<String>,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        match self.action {
            Choice::Make(make) => make.run(),
            Choice::Score(score) => score.run(),
        }
    }
}

impl Make {
    fn run(self) -> Result<()> {
        let players = usize::from(self.players);
        check_writable("FILE", &self.file)?;
        let file = super::network(self.network.as_deref(), players)?;
        let network = NetworkEvaluator::new(&file.network);
        let evaluators = Arc::new(match &self.network {
            Some(folder) => Evaluators::of_folder(folder.clone(), complain),
            None => Evaluators::embedded(complain),
        });
        let plan = Plan {
            players,
            leading: self.leading.into(),
            // The best action by one half of the games is valued by the other half: valued by the same games, the
            // luckiest would look best. A plan has the number of one half.
            games: self.games.div_ceil(2),
            policy: match (self.nodes, self.look_ahead) {
                (Some(nodes), _) => Policy::Search {
                    nodes,
                    after: self.after,
                },
                (None, 1) => Policy::Greedy,
                (None, width) => Policy::Turn(width),
            },
            network: evaluators.for_players(players).fingerprint(),
        };
        let mut set = match self.file.exists() {
            true => TruthSet::read(&self.file)?,
            false => TruthSet::new(plan),
        };
        ensure!(
            set.plan == plan,
            "{} was made with {}{}; asked for {}",
            self.file.display(),
            options(&set.plan),
            match set.plan.network == plan.network {
                true => "",
                false => ", and another network",
            },
            options(&plan)
        );
        let count = self.positions.max(set.taken);
        let records = positions::of_the_player(&evaluators, players, count);
        // The positions follow from the settings and the search, so a file that exists is continued after its last one
        // if the search has not changed.
        if let Some(number) = set.first_outside(&records[..set.taken]) {
            bail!(
                "{}: position {} with a choice is not made by this version of the search, expected one of the \
                 first {} positions of its games: name another file",
                self.file.display(),
                number + 1,
                set.taken
            );
        }
        let rest = records.get(set.taken..).unwrap_or_default();
        for chunk in rest.chunks(WRITE_EVERY) {
            set.extend(&evaluators, &network, chunk);
            set.write(&self.file)
                .with_context(|| format!("after {} positions", set.taken))?;
            engine::note!("{} of {} positions", set.taken, self.positions);
        }
        line!(
            "{}: {} positions with a choice, {} actions",
            self.file.display(),
            set.cases.len(),
            set.cases.iter().map(|c| c.actions.len()).sum::<usize>()
        )?;
        Ok(())
    }
}

/// The options that ask for this plan.
fn options(plan: &Plan) -> String {
    let policy = match plan.policy {
        Policy::Greedy => "--look-ahead 1".to_owned(),
        Policy::Turn(width) => format!("--look-ahead {width}"),
        Policy::Search { nodes, after } => format!("--nodes {nodes} --after {after}"),
    };
    // A plan has the number of one half.
    let games = 2 * u64::from(plan.games);
    let (players, leading) = (plan.players, plan.leading);
    format!("--players {players} --leading {leading} --games {games} {policy}")
}

impl Score {
    fn run(self) -> Result<()> {
        ensure!(
            !self.players.is_empty() || !self.network.is_empty(),
            Usage::new("name a player or a --network to be scored".to_owned())
        );
        let records = self.records()?;
        let set = TruthSet::read(&self.file)?;
        for folder in &self.network {
            self.values(&set, folder)?;
        }
        if records.is_empty() {
            return Ok(());
        }
        // A player may choose an action that the set does not hold. Its value is estimated now, by the network that
        // made the set: values by another one would not be comparable.
        let file = super::network(None, set.plan.players)?;
        let network = NetworkEvaluator::new(&file.network);
        let network =
            Some(&network).filter(|network| Evaluator::fingerprint(*network) == set.plan.network);
        if network.is_none() {
            engine::note!(
                "the set was made with another network: choices that it does not hold count as the worst"
            );
        }
        let outside = records.iter().any(|record| !record.is_builtin());
        let participants = self.participants(records, outside, set.plan.players)?;
        // Programs run one at a time unless asked otherwise; 0 stands for one a core.
        let jobs = self.jobs.map_or(usize::from(outside), usize::from);
        let pool = ThreadPoolBuilder::new().num_threads(jobs).build()?;
        let scores = pool.install(|| {
            let score = |participant: &Participant| {
                let label = &participant.label;
                // The first fault is shown, the others are counted.
                let faults = AtomicU64::new(0);
                let regret = regret(&set, network, self.repeats, |seed, question| {
                    let answer = (participant.maker)(seed)?(question, None)?;
                    if let Err(fault) = &answer.reply
                        && faults.fetch_add(1, Ordering::Relaxed) == 0
                    {
                        engine::note!("{label}: {fault}");
                    }
                    io::Result::Ok(answer.reply.ok())
                });
                let regret = regret.with_context(|| format!("cannot ask {label}"))?;
                let faults = faults.into_inner();
                if faults > 0 {
                    engine::note!(
                        "{label}: {faults} faults in all, each counts as the worst choice"
                    );
                }
                Ok((label.clone(), regret))
            };
            participants.iter().map(score).collect::<Result<_>>()
        })?;
        print(&set, scores, self.phases)
    }

    /// The players as named on the command line.
    fn records(&self) -> Result<Vec<ParticipantRecord>> {
        let mut records: Vec<ParticipantRecord> = Vec::new();
        for text in &self.players {
            let name = text.split(',').next().unwrap_or_default();
            let named = builtin::all().any(|kind| kind.name == name);
            let Ok(record) = match named && !Path::new(text).exists() {
                true => format!("{BUILTIN}{text}").parse::<ParticipantRecord>(),
                false => text.parse::<ParticipantRecord>(),
            };
            // A position of the set is one seat's view. A player that must see the other hands cannot be asked, so
            // its recipe is refused here.
            if let Some(spec) = record.program.strip_prefix(BUILTIN) {
                builtin::recipe_of(spec).map_err(|error| Usage::new(format!("{text}: {error}")))?;
            }
            records.push(record);
        }
        set_variables(&mut records, &self.variables)?;
        Ok(records)
    }

    /// The participants. Programs that are not built in are called once now, to warm up.
    fn participants(
        &self,
        records: Vec<ParticipantRecord>,
        outside: bool,
        players: usize,
    ) -> Result<Vec<Participant>> {
        let confinement = match outside {
            true => {
                interrupt::ends_all();
                self.isolation.confinement(true, &[])?
            }
            false => None,
        };
        let call = CallLimits::within(PROGRAM_TIME, confinement);
        records
            .into_iter()
            .map(|record| warmed_up(record, players, &call))
            .collect()
    }

    /// Prints the errors of a folder's network, by phase.
    fn values(&self, set: &TruthSet, folder: &Path) -> Result<()> {
        let players = set.plan.players;
        let file = super::network((folder != "-").then_some(folder), players)?;
        let (phases, all) = value_errors(set, &NetworkEvaluator::new(&file.network));
        let mut table = TextTable::new([
            Column::left("actions a player", 0),
            Column::right("values", 0),
            Column::right("bias %", 0),
            Column::right("error %", 0),
            Column::right("of differences %", 0),
        ]);
        let mut push = |name: String, errors: ValueErrors| {
            // A phase without positions has no error.
            let some = |error| percent((errors.actions > 0).then_some(error), 2);
            table.push([
                name,
                errors.actions.to_string(),
                some(errors.bias),
                some(errors.error),
                some(errors.difference),
            ]);
        };
        for (i, errors) in phases.into_iter().enumerate() {
            push(phase_name(i), errors);
        }
        push(phase_name(PHASES), all);
        line!("network {}", folder.display())?;
        line!("{table}")?;
        Ok(())
    }
}

/// Prints the losses, by player and by phase of the game.
fn print(set: &TruthSet, scores: Vec<(String, Regret)>, by_phase: bool) -> Result<()> {
    let mut table = TextTable::new([
        Column::left("player", 0),
        Column::right("loses %", 0),
        Column::right("± 95 %", 0),
        Column::right("gains %", 0),
        Column::right("± 95 %", 0),
        Column::right("others %", 0),
    ]);
    let mut phases = TextTable::new([
        Column::left("player", 0),
        Column::left("actions a player", 0),
        Column::right("positions", 0),
        Column::right("loses %", 0),
        Column::right("± 95 %", 0),
    ]);
    let first = scores.first().map(|(_, regret)| regret.losses.clone());
    for (number, (label, regret)) in scores.into_iter().enumerate() {
        let records = set.cases.iter().map(|case| &case.record);
        let mean = |values: &[f64]| positions::by_game(records.clone().zip(values.iter().copied()));
        let loss = mean(&regret.losses);
        // Losses in the same positions are compared pair by pair, which removes their differences
        // in difficulty.
        let gain = first.as_ref().filter(|_| number > 0).map(|first| {
            let pairs = first.iter().zip(&regret.losses);
            mean(&pairs.map(|(first, own)| first - own).collect::<Vec<f64>>())
        });
        table.push([
            label.clone(),
            percent((loss.count() > 0).then(|| loss.mean()), 3),
            percent(loss.margin(), 3),
            percent(gain.as_ref().map(Blocks::mean), 3),
            percent(gain.as_ref().and_then(Blocks::margin), 3),
            percent(Some(regret.outside), 1),
        ]);
        for (phase, (count, loss)) in losses_by_phase(set, &regret.losses).iter().enumerate() {
            phases.push([
                label.clone(),
                phase_name(phase),
                count.to_string(),
                percent((*count > 0).then(|| loss.mean()), 3),
                percent(loss.margin(), 3),
            ]);
        }
    }
    line!(
        "{} positions of {} players",
        set.cases.len(),
        set.plan.players
    )?;
    line!("{table}")?;
    if by_phase {
        line!("{phases}")?;
    }
    Ok(())
}
