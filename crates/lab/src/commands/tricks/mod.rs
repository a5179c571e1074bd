//! The commands `lab eights …` and `lab hearts …`. Both games share them; a [`Contest`] is the game.

mod inference;
mod train;

use crate::tricks::Contest;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure how well hidden cards are inferred on recorded rounds
    Inference(inference::Args),
    /// Train the network of a player who thinks on recorded rounds
    Train(train::Args),
}

impl Command {
    pub(super) fn run<C: Contest>(self, contest: &C) -> anyhow::Result<()> {
        match self {
            Command::Inference(args) => args.run(contest),
            Command::Train(args) => args.run(contest),
        }
    }
}
