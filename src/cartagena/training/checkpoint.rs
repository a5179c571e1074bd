//! What a training run needs to go on after it was stopped.

use super::optimiser::Adam;
use super::trainer::{Config, Trainer};
use crate::cartagena::evaluation::{Network, Shape, features};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// Why a checkpoint cannot be read or written.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file system says no.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        source: std::io::Error,
    },
    /// It belongs to another run or program.
    #[error("{path}: {reason}")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        reason: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Stored {
    features: u32,
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

fn config() -> impl bincode::config::Config {
    bincode::config::standard()
        .with_fixed_int_encoding()
        .with_limit::<{ 256 << 20 }>()
}

/// The checkpoint's file beside a network's.
pub fn beside(network: &Path) -> PathBuf {
    network.with_extension("checkpoint")
}

/// Writes a checkpoint, whole or not at all.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, trainer: &Trainer) -> Result<(), CheckpointError> {
    let io = |source| CheckpointError::Io {
        path: path.to_owned(),
        source,
    };
    let stored = Stored {
        features: features::VERSION,
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
    let bytes = bincode::serde::encode_to_vec(&stored, config())
        .map_err(|error| io(std::io::Error::other(error)))?;
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(io)?;
    file.write_all(&bytes).map_err(io)?;
    file.as_file().sync_all().map_err(io)?;
    file.persist(path).map_err(|error| io(error.error))?;
    Ok(())
}

/// Goes on with the run of a checkpoint.
///
/// # Errors
/// If it cannot be read or is of a run with another seed, shape or program.
pub fn read(path: &Path, settings: Config) -> Result<Trainer, CheckpointError> {
    let unusable = |reason: String| CheckpointError::Unusable {
        path: path.to_owned(),
        reason,
    };
    let bytes = fs::read(path).map_err(|source| CheckpointError::Io {
        path: path.to_owned(),
        source,
    })?;
    let (stored, _): (Stored, usize) = bincode::serde::decode_from_slice(&bytes, config())
        .map_err(|error| unusable(error.to_string()))?;
    if stored.features != features::VERSION {
        return Err(unusable(format!(
            "features of version {}, not {}",
            stored.features,
            features::VERSION
        )));
    }
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
    let parameters = shape.parameters();
    let wrong = || unusable("the number of weights is wrong".into());
    if stored.mean.len() != parameters || stored.square.len() != parameters {
        return Err(wrong());
    }
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
