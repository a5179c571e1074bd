//! `contest cartagena …`

mod bench;
mod matches;
mod perft;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Search a fixed set of positions: the node count is the signature of the search
    Bench(bench::Args),
    /// Play programs against each other and say who is better
    Match(matches::Args),
    /// Count the action sequences of a fixed game, to check and time the rules
    Perft(perft::Args),
}

impl Command {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Bench(args) => args.run(),
            Command::Match(args) => args.run(),
            Command::Perft(args) => args.run(),
        }
    }
}
