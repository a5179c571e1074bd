//! `contest challenge`

mod solve;

use anyhow::Result;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Compute the tables the equilibrium player loads
    Solve(solve::Args),
}

impl Command {
    pub(super) fn run(self) -> Result<()> {
        match self {
            Command::Solve(args) => args.run(),
        }
    }
}
