//! `contest cartagena bench`

use crate::cartagena::bench;
use crate::cartagena::evaluation::Judges;
use crate::cartagena::player::builtin::Spec;
use crate::store::support_folder;
use clap::Args as ClapArgs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct Args {
    /// Positions each search may visit
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Use the hand-made evaluation instead of the networks
    #[arg(long)]
    handmade: bool,
    /// Search instead with one thread and with so many, each position for the same time without
    /// ever stopping early, and compare the nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..))]
    threads: Option<u16>,
    /// Measure instead what remembering the turn buys, on so many sets of positions
    #[arg(long, value_name = "SETS")]
    memory: Option<usize>,
    /// Measure instead what players' choices lose by the judgement of a search of `--nodes` nodes,
    /// each player (`NAME[,key=value…]`) compared with the first
    #[arg(long, value_name = "PLAYER", num_args = 1..)]
    choices: Vec<String>,
    /// Positions for `--choices`
    #[arg(long, default_value_t = 120, value_name = "N", value_parser = clap::value_parser!(u16).range(2..))]
    positions: u16,
    /// Number of players for `--choices`
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=6))]
    players: u8,
    /// Choices in each position, with different seeds
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    repeats: u64,
    /// Where the long searches' values are kept from one call of `--choices` to the next with the
    /// same nodes and players
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,
}

impl Args {
    fn choices(&self, judges: Judges) -> anyhow::Result<()> {
        let judges = Arc::new(judges);
        let count = usize::from(self.positions);
        let positions = bench::choices::positions(&judges, self.players.into(), count);
        let mut values: Vec<Vec<f64>> = match &self.reference {
            Some(file) if file.exists() => serde_json::from_str(&std::fs::read_to_string(file)?)?,
            _ => Vec::new(),
        };
        for (i, record) in positions.iter().enumerate().skip(values.len()) {
            values.push(bench::choices::reference(&judges, record, self.nodes));
            if let Some(file) = &self.reference
                && (i % 10 == 9 || i + 1 == count)
            {
                std::fs::write(file, serde_json::to_string(&values)?)?;
            }
        }
        let mut first: Option<Vec<f64>> = None;
        for text in &self.choices {
            let recipe = text.parse::<Spec>()?.recipe()?;
            let losses: Vec<f64> = positions
                .iter()
                .zip(&values)
                .map(|(record, values)| bench::choices::loss(&recipe, record, values, self.repeats))
                .collect();
            let (mean, margin) = mean_and_margin(&losses);
            let mut line = format!(
                "{text}: loses {:.3} ± {:.3} %",
                100.0 * mean,
                100.0 * margin
            );
            if let Some(first) = &first {
                let gains: Vec<f64> = first.iter().zip(&losses).map(|(a, b)| a - b).collect();
                let (mean, margin) = mean_and_margin(&gains);
                line += &format!(", gains {:.3} ± {:.3} %", 100.0 * mean, 100.0 * margin);
            }
            line!("{line}")?;
            first.get_or_insert(losses);
        }
        Ok(())
    }

    pub(super) fn run(self) -> anyhow::Result<()> {
        let judges = if self.handmade {
            Judges::handmade()
        } else {
            Judges::of_folder(support_folder())
        };
        if !self.choices.is_empty() {
            return self.choices(judges);
        }
        if let Some(threads) = self.threads {
            let time = Duration::from_millis(300);
            let one = bench::endless(&judges, 1, time)?;
            let many = bench::endless(&judges, threads.into(), time)?;
            line!("1 thread   {one} nodes")?;
            line!(
                "{threads} threads  {many} nodes, {:.2} times",
                many as f64 / one as f64
            )?;
            return Ok(());
        }
        if let Some(sets) = self.memory {
            let losses = bench::memory::losses(&judges, self.nodes, sets);
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
        let totals = bench::run(&judges, self.nodes);
        let seconds = start.elapsed().as_secs_f64();
        line!("{} nodes", totals.nodes)?;
        line!("{:.0} nodes/s", totals.nodes as f64 / seconds)?;
        line!("{:.0} evaluations/s", totals.evaluations as f64 / seconds)?;
        Ok(())
    }
}

/// A mean over positions and its 95 % margin.
fn mean_and_margin(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    (mean, 1.96 * (squares / (count - 1.0) / count).sqrt())
}
