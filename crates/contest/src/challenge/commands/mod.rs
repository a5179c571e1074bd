//! The commands `contest challenge …`, each in its own file.

mod generate;
mod load;
mod matches;
mod replay;
mod serve;
mod slow;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    GenerateJournal(generate::Args),
    #[command(alias = "crowd")]
    Load(load::Args),
    Match(matches::Args),
    Replay(replay::Args),
    Serve(serve::Args),
    Slow(slow::Args),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::GenerateJournal(args) => args.run(),
            Command::Load(args) => args.run(),
            Command::Match(args) => args.run(),
            Command::Replay(args) => args.run(),
            Command::Serve(args) => args.run(),
            Command::Slow(args) => args.run(),
        }
    }
}
