//! `contest challenge …`

mod exact;
mod exploit;
mod generate;
mod load;
mod matches;
mod replay;
mod serve;
mod slow;
mod solve;
mod support;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Exploit(exploit::Args),
    GenerateJournal(generate::Args),
    #[command(alias = "crowd")]
    Load(load::Args),
    Match(matches::Args),
    Replay(replay::Args),
    Serve(serve::Args),
    Slow(slow::Args),
    /// Computes the tables the equilibrium player loads
    Solve(solve::Args),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Exploit(args) => args.run(),
            Command::GenerateJournal(args) => args.run(),
            Command::Load(args) => args.run(),
            Command::Match(args) => args.run(),
            Command::Replay(args) => args.run(),
            Command::Serve(args) => args.run(),
            Command::Slow(args) => args.run(),
            Command::Solve(args) => args.run(),
        }
    }
}
