//! The commands `lab eights …` and `lab hearts …`. Both games share them; a [`Contest`] is the game.

mod inference;
mod train;
mod weights;

use crate::tricks::{Contest, Hearts};
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure how well hidden cards are inferred on recorded rounds
    Inference(inference::Args),
    /// Train the network of a player who thinks on recorded rounds
    Train(train::Args),
}

/// The commands of Hearts: those of both games, and one more.
#[derive(Debug, Subcommand)]
pub(crate) enum HeartsCommand {
    #[command(flatten)]
    Both(Command),
    /// Find the weights by which rounds are played out
    Weights(weights::Args),
}

impl HeartsCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self {
            HeartsCommand::Both(command) => command.run(&Hearts::default()),
            HeartsCommand::Weights(args) => args.run(),
        }
    }
}

impl Command {
    pub(super) fn run<C: Contest>(self, contest: &C) -> anyhow::Result<()> {
        match self {
            Command::Inference(args) => args.run(contest),
            Command::Train(args) => args.run(contest),
        }
    }
}
