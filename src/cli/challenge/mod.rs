//! `challenge`, and `contest challenge …`

mod client;
mod matches;
mod serve;
mod solve;

pub use client::challenge;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Play two built-in players against each other on duplicate deals
    Match(matches::Args),
    /// Hold a contest over TCP
    Serve(serve::Args),
    /// Compute the tables the equilibrium player loads
    Solve(solve::Args),
}

impl Command {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Match(args) => args.run(),
            Command::Serve(args) => args.run(),
            Command::Solve(args) => args.run(),
        }
    }
}
