//! `contest challenge`

mod matches;
mod solve;

use anyhow::Result;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Play two built-in players against each other on duplicate deals
    Match(matches::Args),
    /// Compute the tables the equilibrium player loads
    Solve(solve::Args),
}

impl Command {
    pub(super) fn run(self) -> Result<()> {
        match self {
            Command::Match(args) => args.run(),
            Command::Solve(args) => args.run(),
        }
    }
}
