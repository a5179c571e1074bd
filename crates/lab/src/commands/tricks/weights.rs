//! `lab hearts weights`: finds the weights of *shooter* on decisions of searches, and prints what they lose.
//! `crate::tricks::weights` does the work.

use crate::tricks::weights::{Valued, decisions, descend, loss_by, loss_of};
use clap::Args as ClapArgs;
use engine::rng::stream;
use hearts::player::Baseline;
use hearts::player::weights::Weights;
use tricks::PolicySet as _;

/// Finds the weights by which the policy shooter plays rounds out, on decisions of searches.
///
/// Searches play among themselves and other policies. The loss of a policy is the value of the search's best card less
/// that of the policy's, in points a card. Changes of weights are kept that lower it. A third of the sittings is kept
/// apart: the table has the loss on these.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Sittings of four rounds each
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(3..))]
    sittings: u64,
    /// Rounds that a search plays out for a card
    #[arg(long, value_name = "N", default_value_t = 800, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Changes to try of each group of weights
    #[arg(long, value_name = "N", default_value_t = 400)]
    tries: u32,
    /// Seed of the rounds and of the changes
    #[arg(long, value_name = "N", default_value_t = 4243)]
    seed: u64,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut taught = decisions(self.sittings, self.nodes, self.seed);
        let apart = taught.split_off(taught.len() * 2 / 3);
        let [taught, apart]: [Vec<Valued>; 2] =
            [taught, apart].map(|sittings| sittings.into_iter().flatten().collect());
        line!("{} decisions, {} apart", taught.len(), apart.len())?;
        for &(name, policy) in Baseline::NAMED {
            line!("{name:<8} {:>7.4}", loss_of(policy, &apart))?;
        }
        let found = descend(
            Weights::SHOOTER,
            &taught,
            self.tries,
            &mut stream(self.seed, u64::MAX),
        );
        line!("found    {:>7.4}", loss_by(&found, &apart))?;
        line!("{found:?}")?;
        Ok(())
    }
}
