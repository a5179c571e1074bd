//! The commands of the program `lab`, one folder for each game: options and printing. The work is done by the modules
//! of the games beside this folder.

mod cartagena;
mod challenge;
mod tricks;

use crate::tricks::{Eights, Hearts};
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
    /// Hearts: training and inference
    #[command(subcommand)]
    Hearts(tricks::Command),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Cartagena(command) => command.run(),
            Command::Challenge(command) => command.run(),
            Command::Eights(command) => command.run(&Eights),
            Command::Hearts(command) => command.run(&Hearts::default()),
        }
    }
}

/// A mean with its 95 % margin.
struct Mean {
    mean: f64,
    margin: f64,
}

impl Mean {
    /// The mean of at least two independent samples.
    fn of(samples: &[f64]) -> Mean {
        let count = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / count;
        // The sample variance over `count` is that of the mean; 1.96 of its roots are 95 % for a
        // normal distribution.
        let squares: f64 = samples.iter().map(|sample| (sample - mean).powi(2)).sum();
        let margin = 1.96 * (squares / (count - 1.0) / count).sqrt();
        Mean { mean, margin }
    }
}
