//! `contest hearts …`

mod serve;

use super::tricks::MatchArgs;
use crate::arena::tricks::Hearts;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Play rounds between players and say how many points each makes
    Match(MatchArgs),
    /// Serve groups of programs over named pipes
    Serve(serve::Args),
}

impl Command {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Match(args) => args.run(&Hearts, 3..=6),
            Command::Serve(args) => args.run(),
        }
    }
}
