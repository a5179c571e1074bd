//! `lab eights train` and `lab hearts train`: read recorded rounds, train a network on the choices in them, and print
//! how well it predicts choices that were kept apart. `crate::tricks::training` does the work.

use crate::tricks::Contest;
use crate::tricks::record::Record;
use crate::tricks::training::{Accuracy, Choice, Training, accuracy};
use anyhow::Context as _;
use arena::records::{Reader, RecordError};
use clap::Args as ClapArgs;
use engine::rng::stream;
use seats::cli::Usage;
use seats::cli::numbers::number;
use seats::cli::output::refuse_inputs;
use std::path::{Path, PathBuf};
use tricks::Round as _;
use tricks::network::{Network, NetworkFile, TrainingRecord};

/// Trains the network by which a search expects thinking opponents to play, on recorded rounds.
///
/// It learns which card was chosen wherever there was a choice. One round in ten is kept apart and
/// tests the predictions: the *loss* is the mean of minus the logarithm of the chance of the chosen
/// card.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Records of `match --record`
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write the network
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Learn from the players with this in their label
    #[arg(long, value_name = "TEXT", default_value = "search")]
    of: String,
    /// Passes over all choices
    #[arg(long, value_name = "N", default_value_t = 60)]
    epochs: u32,
    /// The rate of the first step
    #[arg(long, value_name = "RATE", default_value_t = 0.01, value_parser = number(0.0f32, 1.0))]
    rate: f32,
    /// Seed of the first weights and of the order of the choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// One round of this many is kept apart, to test predictions on.
const APART: usize = 10;

impl Args {
    pub(crate) fn run<C: Contest>(self, contest: &C) -> anyhow::Result<()> {
        let mut taught = Vec::new();
        let mut apart = Vec::new();
        let mut rounds = 0_usize;
        for path in &self.files {
            let records: Result<Vec<Record>, RecordError> = Reader::open(path)?.collect();
            for record in records? {
                rounds += 1;
                // Whole rounds are kept apart: choices of one round are too similar to test on.
                let choices = match rounds.is_multiple_of(APART) {
                    true => &mut apart,
                    false => &mut taught,
                };
                record
                    .replay(contest, |_, round, card| {
                        let player = round.to_act().map_or("", |seat| &record.players[seat]);
                        // A forced card teaches nothing.
                        if player.contains(&self.of) && round.legal().len() > 1 {
                            let round = round.clone();
                            choices.push(Choice { round, card });
                        }
                    })
                    .with_context(|| format!("{}, round {}", path.display(), record.id))?;
            }
        }
        let inputs: Vec<&Path> = self.files.iter().map(PathBuf::as_path).collect();
        refuse_inputs("--out", &self.out, &inputs)?;
        if taught.is_empty() || apart.is_empty() {
            let text = format!(
                "no choices of {:?} in {rounds} rounds: expected some in at least {APART} rounds",
                self.of
            );
            return Err(Usage::new(text).into());
        }
        let training = Training {
            epochs: self.epochs,
            rate: self.rate,
            seed: self.seed,
        };
        // Always from random weights: the same records give the same network.
        let mut network = Network::random(&mut stream(self.seed, 0));
        line!("{} choices of {rounds} rounds", taught.len())?;
        // The callback cannot return an error, so the result of printing waits here.
        let mut told = Ok(());
        training.run::<C::Policy>(&mut network, &taught, |epoch, network| {
            if told.is_ok() {
                told = print(
                    &format!("epoch {epoch}"),
                    accuracy::<C::Policy>(network, &apart, false),
                );
            }
        });
        told?;
        print(
            "linear likeness",
            accuracy::<C::Policy>(&network, &apart, true),
        )?;
        let file = NetworkFile {
            network,
            training: TrainingRecord {
                command: std::env::args().skip(1).collect::<Vec<_>>().join(" "),
                choices: taught.len() as u64,
                epochs: self.epochs,
            },
        };
        file.write(&self.out, C::NAME)?;
        Ok(())
    }
}

/// Prints a line about the accuracy of predictions.
fn print(name: &str, found: Accuracy) -> std::io::Result<()> {
    line!(
        "{name}: loss {:.4} of {:.4}, agreement {:.2} % of {} choices apart",
        found.loss,
        found.even_loss,
        100.0 * found.agreement,
        found.choices
    )
}
