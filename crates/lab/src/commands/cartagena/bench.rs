//! `lab cartagena bench`: the signature and the speed of the Cartagena player's search.
//!
//! Without options the command searches a fixed set of positions. The total of nodes is the signature of the search:
//! a change of the program that keeps it has changed no decision in these searches. Three options measure something
//! else instead: `--threads` the speed-up by threads, `--memory` the gain from the cache of a turn,
//! `--choices` the quality of players' actions.

use crate::cartagena::bench;
use crate::cartagena::truth::identity;
use anyhow::Context;
use arena::input;
use arena::participant::BuiltinError;
use arena::text_table::percent;
use cartagena::evaluation::Evaluators;
use cartagena::record::GameRecord;
use clap::Args as ClapArgs;
use seats::cartagena::players::builtin::{Recipe, recipe_of};
use seats::cartagena::positions;
use seats::cli::numbers::number;
use seats::cli::output::check_writable;
use seats::cli::{Usage, complain};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Positions each search may visit
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Use the hand-made evaluation instead of the networks
    #[arg(long)]
    handmade: bool,
    /// Instead search with one thread and with this many, each position for the same time without
    /// ever stopping early, and compare the nodes
    #[arg(long, value_name = "N", conflicts_with_all = ["nodes", "memory", "choices"], value_parser = clap::value_parser!(u16).range(2..))]
    threads: Option<u16>,
    /// Instead measure the gain from remembering the turn, on this many sets of positions
    #[arg(long, value_name = "SETS", conflicts_with = "choices", value_parser = number(1usize, 1_000_000))]
    memory: Option<usize>,
    /// Instead measure the losses of players' choices by the judgement of a search of `--nodes`
    /// nodes, each player (`NAME[,key=value…]`) compared with the first
    #[arg(long, value_name = "PLAYER", num_args = 1..)]
    choices: Vec<String>,
    /// Number of positions for `--choices`
    #[arg(long, requires = "choices", default_value_t = 120, value_name = "N", value_parser = clap::value_parser!(u16).range(2..))]
    positions: u16,
    /// Number of players for `--choices`
    #[arg(long, requires = "choices", default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=6))]
    players: u8,
    /// Choices in each position, with different seeds
    #[arg(long, requires = "choices", default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    repeats: u64,
    /// A file that keeps the long searches' values between calls of `--choices`
    #[arg(long, requires = "choices", value_name = "FILE")]
    reference: Option<PathBuf>,
}

/// The file of `--reference`: the values found by long searches, and everything else that they depend on.
#[derive(Debug, Serialize, Deserialize)]
struct Reference {
    nodes: u64,
    players: u8,
    /// The fingerprint of the evaluator. Stored files call the field `judge`.
    #[serde(rename = "judge")]
    evaluator: u64,
    /// A hash of each position. Positions follow from the search, so another version of it makes others. Files of older
    /// versions have no hashes.
    #[serde(default)]
    positions: Vec<u64>,
    /// For each position, the chance to win after each legal action.
    values: Vec<Vec<f64>>,
}

/// The largest file of stored values that is read, in bytes: 256 MiB.
const MOST_KEPT: u64 = 256 << 20;

impl Args {
    /// Prints the mean loss of each player's actions: how much chance to win they give away against the best action by
    /// a long search. The players are compared with the first one.
    fn choices(&self, evaluators: Evaluators) -> anyhow::Result<()> {
        let recipes: Vec<Recipe> = self
            .choices
            .iter()
            .map(|text| recipe_of(text))
            .collect::<Result<_, BuiltinError>>()
            .map_err(Usage::of)?;
        if let Some(path) = &self.reference {
            check_writable("--reference", path)?;
        }
        let evaluators = Arc::new(evaluators);
        let count = usize::from(self.positions);
        let positions = positions::of_the_player(&evaluators, self.players.into(), count);
        // Long searches are most of the work. Each tenth one stores all values so far, so a call that is stopped
        // loses ten at most, and the next call goes on after the stored ones.
        let mut reference = self.reference(&evaluators, &positions)?;
        for (i, record) in positions.iter().enumerate().skip(reference.values.len()) {
            let values = bench::choices::reference(&evaluators, record, self.nodes);
            reference.positions.push(identity(record));
            reference.values.push(values);
            if i % 10 == 9 || i + 1 == count {
                self.keep(&reference)?;
            }
        }
        let mut first: Option<Vec<f64>> = None;
        for (text, recipe) in self.choices.iter().zip(&recipes) {
            let losses: Vec<f64> = positions
                .iter()
                .zip(&reference.values)
                .map(|(record, values)| bench::choices::loss(recipe, record, values, self.repeats))
                .collect();
            let shown = |values: &[f64]| {
                let mean = positions::by_game(positions.iter().zip(values.iter().copied()));
                let margin = percent(mean.margin(), 3);
                format!("{:.3} ± {margin} %", 100.0 * mean.mean())
            };
            let mut line = format!("{text}: loses {}", shown(&losses));
            // All players meet the same positions. A position that is hard for one is hard for the others, which
            // cancels in the difference: its margin is far below those of the losses.
            if let Some(first) = &first {
                let gains: Vec<f64> = first.iter().zip(&losses).map(|(a, b)| a - b).collect();
                line += &format!(", gains {}", shown(&gains));
            }
            line!("{line}")?;
            first.get_or_insert(losses);
        }
        Ok(())
    }

    /// The stored values of earlier calls; none yet if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read, or its values belong to other nodes, players, networks or positions.
    fn reference(
        &self,
        evaluators: &Evaluators,
        positions: &[GameRecord],
    ) -> anyhow::Result<Reference> {
        let fresh = Reference {
            nodes: self.nodes,
            players: self.players,
            evaluator: evaluators.for_players(self.players.into()).fingerprint(),
            positions: Vec::new(),
            values: Vec::new(),
        };
        let Some(path) = self.reference.as_deref().filter(|path| path.exists()) else {
            return Ok(fresh);
        };
        let name = path.display();
        let text = input::read(path, MOST_KEPT).with_context(|| format!("cannot read {name}"))?;
        let kept: Reference = serde_json::from_slice(&text)
            .map_err(|error| Usage::new(format!("{name} holds no long searches: {error}")))?;
        let asked = |r: &Reference| (r.nodes, r.players, r.evaluator);
        if asked(&kept) != asked(&fresh) {
            refuse!(
                "{name} is of {} nodes and {} players, or of another network; expected {} and {}",
                kept.nodes,
                kept.players,
                fresh.nodes,
                fresh.players
            );
        }
        if kept.positions.len() != kept.values.len() {
            refuse!(
                "{name} has {} positions for {} lists of values, expected one for each: an older version wrote \
                 it, so remove it, and the values are found anew",
                kept.positions.len(),
                kept.values.len()
            );
        }
        // Fewer than all may be kept, or more: a call can have other numbers of positions.
        for (i, (&found, record)) in kept.positions.iter().zip(positions).enumerate() {
            let expected = identity(record);
            if found != expected {
                refuse!(
                    "{name}: position {} is {found:016x}, expected {expected:016x}: positions follow from the \
                     search, which has changed, so remove the file, and the values are found anew",
                    i + 1
                );
            }
        }
        Ok(kept)
    }

    /// Stores the values. A new file replaces the old one by renaming, so a call that is stopped leaves either the old
    /// file or the new one, never half of one.
    fn keep(&self, reference: &Reference) -> anyhow::Result<()> {
        let Some(path) = &self.reference else {
            return Ok(());
        };
        let name = path.display();
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let write = || -> anyhow::Result<()> {
            let mut file = NamedTempFile::new_in(folder)?;
            serde_json::to_writer(&mut file, reference)?;
            file.persist(path)?;
            Ok(())
        };
        write().with_context(|| format!("cannot write {name}"))
    }

    /// Runs the one measurement that the options select.
    pub(super) fn run(self) -> anyhow::Result<()> {
        let evaluators = if self.handmade {
            Evaluators::handmade()
        } else {
            Evaluators::installed(complain)
        };
        if !self.choices.is_empty() {
            return self.choices(evaluators);
        }
        if let Some(threads) = self.threads {
            // Both runs get the same time for each position, so the ratio of their nodes is that of their speeds.
            let time = Duration::from_millis(300);
            let one = bench::endless(&evaluators, 1, time)?;
            let many = bench::endless(&evaluators, threads.into(), time)?;
            line!("1 thread   {one} nodes")?;
            line!(
                "{threads} threads  {many} nodes, {:.2} times",
                many as f64 / one as f64
            )?;
            let [one, many] = bench::turns(&evaluators, threads.into())?;
            line!("the expectimax over whole turns:")?;
            line!("1 thread   {one:.0} nodes/s")?;
            line!(
                "{threads} threads  {many:.0} nodes/s, {:.2} times",
                many / one
            )?;
            return Ok(());
        }
        if let Some(sets) = self.memory {
            let losses = bench::memory::losses(&evaluators, self.nodes, sets);
            let percent = |loss: f64| 100.0 * loss;
            line!(
                "chance to win lost by an action, in %, {} nodes:",
                self.nodes
            )?;
            line!(
                "  first actions ({}): {:.3}",
                losses.firsts,
                percent(losses.first)
            )?;
            line!("  later actions ({}):", losses.later)?;
            let [cold, warm] = losses.nodes;
            line!("    cold                   {:.3}", percent(losses.cold))?;
            let half = percent(losses.cold_half);
            line!("    cold, half the nodes   {half:.3} ({cold:.0} nodes used)")?;
            let half = percent(losses.warm_half);
            line!("    memory, half the nodes {half:.3} ({warm:.0} nodes used)")?;
            return Ok(());
        }
        let start = Instant::now();
        let totals = bench::run(&evaluators, self.nodes);
        let seconds = start.elapsed().as_secs_f64();
        line!("{} nodes", totals.nodes)?;
        line!("{:.0} nodes/s", totals.nodes as f64 / seconds)?;
        line!("{:.0} evaluations/s", totals.evaluations as f64 / seconds)?;
        Ok(())
    }
}
