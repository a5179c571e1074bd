//! `contest cartagena bench`

use crate::cartagena::{bench, evaluation};
use clap::Args as ClapArgs;
use std::time::Instant;

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct Args {
    /// Positions each search may visit
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Use the hand-made evaluation instead of the networks
    #[arg(long)]
    handmade: bool,
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let evaluator = evaluation::handmade::Handmade::default();
        let start = Instant::now();
        let totals = bench::run(&evaluator, self.nodes);
        let seconds = start.elapsed().as_secs_f64();
        println!("{} nodes", totals.nodes);
        println!("{:.0} nodes/s", totals.nodes as f64 / seconds);
        println!("{:.0} evaluations/s", totals.evaluations as f64 / seconds);
        Ok(())
    }
}
