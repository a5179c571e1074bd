//! Checkpoints: files from which `lab cartagena train --resume` goes on with a stopped run. They hold weights and the
//! optimiser's memory; the settings come from the command.

use super::optimiser::Adam;
use super::trainer::{Config, Trainer};
use cartagena::evaluation::{Network, Shape, features};
use engine::store::{Kind, StoreError, read_table, write_table};
use seats::cli::output;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The version is that of the features: weights mean nothing to a program with other features.
const KIND: Kind = Kind::new("checkpoint", features::VERSION);

/// The contents of a checkpoint: the run that it belongs to, the weights and their average, and Adam's means.
#[derive(Serialize, Deserialize)]
struct Stored {
    shape: Shape,
    seed: u64,
    games: u64,
    nanoseconds: u64,
    steps: u64,
    current: Vec<f32>,
    average: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
}

/// The path of the checkpoint that belongs to a network's file.
pub fn beside(network: &Path) -> PathBuf {
    output::beside(network, "net", "checkpoint")
}

/// Writes a checkpoint, whole or not at all.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, trainer: &Trainer) -> Result<(), StoreError> {
    let stored = Stored {
        shape: trainer.network().shape(),
        seed: trainer.config().seed,
        games: trainer.games(),
        nanoseconds: trainer.time().as_nanos() as u64,
        steps: trainer.adam().steps,
        current: trainer.current().weights().to_vec(),
        average: trainer.network().weights().to_vec(),
        mean: trainer.adam().mean.clone(),
        square: trainer.adam().square.clone(),
    };
    write_table(path, KIND, &stored)
}

/// Restores the trainer of a checkpoint, to go on with these settings.
///
/// # Errors
/// If it cannot be read or is of a run with another seed, shape or program.
pub fn read(path: &Path, settings: Config) -> Result<Trainer, StoreError> {
    // A checkpoint with another seed or number of players or units is of another run, and going on would mix the
    // two. All other settings may differ from those of the stopped run.
    let unusable = |reason: String| StoreError::unusable(path, reason);
    let stored: Stored = read_table(path, KIND)?;
    let shape = Shape {
        players: settings.setups.players,
        hidden: settings.hidden,
    };
    if stored.shape != shape || stored.seed != settings.seed {
        return Err(unusable(format!(
            "a run of {} players, {} hidden units and seed {}",
            stored.shape.players, stored.shape.hidden, stored.seed
        )));
    }
    // The trainer would panic on lengths that do not fit, so they are checked first.
    let parameters = shape.parameters();
    let wrong = || unusable("the number of weights is wrong".into());
    if stored.mean.len() != parameters || stored.square.len() != parameters {
        return Err(wrong());
    }
    // Both networks are needed: the optimiser goes on from `current`, and the average from
    // `average`.
    let current = Network::new(shape, stored.current).ok_or_else(wrong)?;
    let average = Network::new(shape, stored.average).ok_or_else(wrong)?;
    let adam = Adam {
        mean: stored.mean,
        square: stored.square,
        steps: stored.steps,
    };
    let time = Duration::from_nanos(stored.nanoseconds);
    Ok(Trainer::resume(
        settings,
        [current, average],
        adam,
        stored.games,
        time,
    ))
}
