//! The commands `lab challenge …`. Each file has the options of one and prints its results; `crate::challenge` does
//! the work.

mod exact;
mod exploit;
mod solve;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Exploit(exploit::Args),
    /// Computes the tables the equilibrium player loads
    Solve(solve::Args),
}

impl Command {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Exploit(args) => args.run(),
            Command::Solve(args) => args.run(),
        }
    }
}
