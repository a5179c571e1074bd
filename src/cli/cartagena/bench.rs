//! `contest cartagena bench`

use crate::cartagena::bench;
use crate::cartagena::evaluation::Judges;
use crate::store::support_folder;
use clap::Args as ClapArgs;
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
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let judges = if self.handmade {
            Judges::handmade()
        } else {
            Judges::of_folder(support_folder())
        };
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
