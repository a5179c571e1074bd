//! The commands of the program `lab`, one folder for each game: options and printing. The work is done by the modules
//! of the games beside this folder.

mod cartagena;
mod challenge;
mod tricks;

use crate::tricks::Eights;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Cartagena: training, exact solutions, the search's signature
    #[command(subcommand)]
    Cartagena(Box<cartagena::Command>),
    /// The challenge card game: the tables of its player, and how far players are from equilibrium
    #[command(subcommand)]
    Challenge(challenge::Command),
    /// Tricky Eights: training and inference
    #[command(subcommand)]
    Eights(tricks::Command),
    /// Hearts: training, weights and inference
    #[command(subcommand)]
    Hearts(tricks::HeartsCommand),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Cartagena(command) => command.run(),
            Command::Challenge(command) => command.run(),
            Command::Eights(command) => command.run(&Eights),
            Command::Hearts(command) => command.run(),
        }
    }
}
