//! `contest cartagena …`

mod perft;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Count the action sequences of a fixed game, to check and time the rules
    Perft(perft::Args),
}

impl Command {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Perft(args) => args.run(),
        }
    }
}
