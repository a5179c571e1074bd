//! `challenge`, and `contest challenge …`

mod client;
mod crowd;
mod exploit;
mod matches;
mod replay;
mod serve;
mod solve;

pub use client::challenge;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Crowd(crowd::Args),
    Exploit(exploit::Args),
    Match(matches::Args),
    Replay(replay::Args),
    Serve(serve::Args),
    /// Computes the tables the equilibrium player loads
    Solve(solve::Args),
}

impl Command {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Crowd(args) => args.run(),
            Command::Exploit(args) => args.run(),
            Command::Match(args) => args.run(),
            Command::Replay(args) => args.run(),
            Command::Serve(args) => args.run(),
            Command::Solve(args) => args.run(),
        }
    }
}
