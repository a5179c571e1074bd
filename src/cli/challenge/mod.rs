//! `challenge`, and `contest challenge …`

mod client;
mod crowd;
mod matches;
mod replay;
mod serve;
mod solve;

pub use client::challenge;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Try out a server with many clients at once
    Crowd(crowd::Args),
    /// Play two players or programs against each other on duplicate deals
    Match(matches::Args),
    /// Show recorded games in a browser
    Replay(replay::Args),
    /// Hold a contest over TCP
    Serve(serve::Args),
    /// Compute the tables the equilibrium player loads
    Solve(solve::Args),
}

impl Command {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Crowd(args) => args.run(),
            Command::Match(args) => args.run(),
            Command::Replay(args) => args.run(),
            Command::Serve(args) => args.run(),
            Command::Solve(args) => args.run(),
        }
    }
}
