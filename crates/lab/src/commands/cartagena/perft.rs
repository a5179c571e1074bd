//! `lab cartagena perft DEPTH`: counts the action sequences of a fixed game up to a depth. Another count means that
//! the rules have changed; the time shows their speed.

use cartagena::perft;
use clap::Args as ClapArgs;
use std::time::Instant;

#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Number of actions to look ahead
    depth: u32,
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let world = perft::example();
        for depth in 1..=self.depth {
            let start = Instant::now();
            let count = perft::count(&world.0, &world.1, depth);
            let seconds = start.elapsed().as_secs_f64();
            line!("{depth} {count}")?;
            engine::note!("depth {depth}: {:.1} M/s", count as f64 / seconds / 1e6);
        }
        Ok(())
    }
}
