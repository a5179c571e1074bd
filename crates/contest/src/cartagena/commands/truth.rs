//! `contest cartagena truth`

use crate::Usage;
use anyhow::{Context, Result, ensure};
use arena::participant::BuiltinError;
use arena::stats::Mean;
use arena::text_table::{Column, TextTable, number};
use cartagena::evaluation::{Evaluators, NetworkEvaluator};
use clap::{Args as ClapArgs, Subcommand};
use lab::cartagena::bench::choices;
use lab::cartagena::players::builtin::{Recipe, recipe_of};
use lab::cartagena::truth::{
    PHASES, Plan, Policy, TruthSet, ValueErrors, phase_name, regret, value_errors,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Positions between two times that the file is written.
const WRITE_EVERY: usize = 20;

#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Choice,
}

#[derive(Debug, Subcommand)]
enum Choice {
    /// Value the leading actions of many positions by long rollouts; goes on with a file that is there
    Make(Make),
    /// Say what players' choices lose, and how far the networks' values are off
    Score(Score),
}

#[derive(Debug, ClapArgs)]
struct Make {
    /// The file
    file: PathBuf,
    /// Number of players, 2 to 6
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=6))]
    players: u8,
    /// Positions to take from games of the player against itself
    #[arg(long, default_value_t = 2000, value_name = "N")]
    positions: usize,
    /// The most actions of a position that are valued
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u8).range(2..))]
    leading: u8,
    /// Games after each action, played in two halves
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,
    /// Actions that everybody follows at each position of the turn in these games; with 1 nobody looks
    /// ahead
    #[arg(long, default_value_t = 3, value_name = "WIDTH", value_parser = clap::value_parser!(u8).range(1..=42))]
    look_ahead: u8,
    /// The network of another folder than the program's
    #[arg(long, value_name = "FOLDER")]
    network: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
struct Score {
    /// A file that `make` wrote
    file: PathBuf,
    /// Players (`NAME[,key=value…]`), each compared with the first
    players: Vec<String>,
    /// Folders with networks whose values are to be checked, `-` for the program's
    #[arg(long, value_name = "FOLDER")]
    network: Vec<PathBuf>,
    /// Choices in each position, with different seeds
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    repeats: u64,
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
        let file = super::network(self.network.as_deref(), players)?;
        let network = NetworkEvaluator::new(&file.network);
        let evaluators = Arc::new(match &self.network {
            Some(folder) => Evaluators::of_folder(folder.clone(), super::report_trouble),
            None => Evaluators::embedded(super::report_trouble),
        });
        let plan = Plan {
            players,
            leading: self.leading.into(),
            games: self.games.div_ceil(2),
            policy: match self.look_ahead {
                1 => Policy::Greedy,
                width => Policy::Turn(width),
            },
            network: evaluators.for_players(players).fingerprint(),
        };
        let mut set = match self.file.exists() {
            true => TruthSet::read(&self.file)?,
            false => TruthSet::new(plan),
        };
        ensure!(
            set.plan == plan,
            "{} was made with other settings or another network: {:?}; asked for {plan:?}",
            self.file.display(),
            set.plan
        );
        let records = choices::positions(&evaluators, players, self.positions);
        let rest = records.get(set.taken..).unwrap_or_default();
        for chunk in rest.chunks(WRITE_EVERY) {
            set.extend(&evaluators, &network, chunk);
            set.write(&self.file)
                .with_context(|| format!("after {} positions", set.taken))?;
            eprintln!("{} of {} positions", set.taken, self.positions);
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

impl Score {
    fn run(self) -> Result<()> {
        let recipes: Vec<Recipe> = self
            .players
            .iter()
            .map(|text| recipe_of(text))
            .collect::<Result<_, BuiltinError>>()
            .map_err(|error| Usage::new(error.to_string()))?;
        ensure!(
            !recipes.is_empty() || !self.network.is_empty(),
            Usage::new("name a player or a --network to be scored".to_owned())
        );
        let set = TruthSet::read(&self.file)?;
        for folder in &self.network {
            self.values(&set, folder)?;
        }
        if recipes.is_empty() {
            return Ok(());
        }
        let mut table = TextTable::new([
            Column::left("player", 0),
            Column::right("loses %", 0),
            Column::right("± 95 %", 0),
            Column::right("gains %", 0),
            Column::right("± 95 %", 0),
            Column::right("others %", 0),
        ]);
        let mut first: Option<Vec<f64>> = None;
        for (text, recipe) in self.players.iter().zip(&recipes) {
            let regret = regret(&set, recipe, self.repeats);
            let loss = mean(regret.losses.iter().copied());
            let gain = first.as_ref().map(|first| {
                let pairs = first.iter().zip(&regret.losses);
                mean(pairs.map(|(first, own)| first - own))
            });
            table.push([
                text.clone(),
                percent(Some(loss.mean()), 3),
                percent(loss.margin(), 3),
                percent(gain.map(|gain| gain.mean()), 3),
                percent(gain.and_then(|gain| gain.margin()), 3),
                percent(Some(regret.outside), 1),
            ]);
            first.get_or_insert(regret.losses);
        }
        line!(
            "{} positions of {} players",
            set.cases.len(),
            set.plan.players
        )?;
        for text in table.lines() {
            line!("{text}")?;
        }
        Ok(())
    }

    /// How far the values of a folder's network are off, by phase.
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
            table.push([
                name,
                errors.actions.to_string(),
                percent(Some(errors.bias), 2),
                percent(Some(errors.error), 2),
                percent(Some(errors.difference), 2),
            ]);
        };
        for (i, errors) in phases.into_iter().enumerate() {
            push(phase_name(i), errors);
        }
        push(phase_name(PHASES), all);
        line!("network {}", folder.display())?;
        for text in table.lines() {
            line!("{text}")?;
        }
        Ok(())
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Mean {
    let mut mean = Mean::default();
    values.for_each(|value| mean.push(value));
    mean
}

pub(super) fn percent(share: Option<f64>, digits: usize) -> String {
    number(share.map(|share| 100.0 * share), digits)
}
