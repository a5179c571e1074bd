//! Networks as files: `support/cartagena-2.net` to `support/cartagena-6.net`.

use super::features;
use super::network::{Network, Shape};
use engine::store::{Kind, StoreError, read_table, write_table};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A network is of no use to a program with other features.
const KIND: Kind = Kind::new("network", features::VERSION);

/// How a network came about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingRecord {
    /// The command that trained it.
    pub command: String,
    /// The seed of its games.
    pub seed: u64,
    /// Games it was trained on.
    pub games: u64,
    /// Wall-clock time the training took, in seconds.
    pub seconds: f64,
}

/// A network and how it came about, as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkFile {
    /// The network.
    pub network: Network,
    /// How it came about.
    pub training: TrainingRecord,
}

/// Why a network cannot be read or written.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// There is no file, it is damaged, no network, or of other features than this program's.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It values games of another number of players.
    #[error("cannot use {path}: it is a network for {found} players, not {expected}")]
    Players {
        /// The file.
        path: PathBuf,
        /// The file's.
        found: usize,
        /// The number asked for.
        expected: usize,
    },
    /// Its weights are not those of a network.
    #[error("cannot use {path}: {reason}")]
    Weights {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Stored {
    shape: Shape,
    training: TrainingRecord,
    weights: Vec<f32>,
}

impl NetworkFile {
    /// The name of the file for a number of players.
    pub fn name(players: usize) -> String {
        format!("cartagena-{players}.net")
    }

    /// Reads a network for the given number of players.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or does not fit the players or this program's features.
    pub fn read(path: &Path, players: usize) -> Result<NetworkFile, NetworkError> {
        let wrong = |reason: String| NetworkError::Weights {
            path: path.to_owned(),
            reason,
        };
        let stored: Stored = read_table(path, KIND)?;
        if stored.shape.players != players {
            return Err(NetworkError::Players {
                path: path.to_owned(),
                found: stored.shape.players,
                expected: players,
            });
        }
        if !Shape::HIDDEN.contains(&stored.shape.hidden) {
            return Err(wrong(format!("{} hidden units", stored.shape.hidden)));
        }
        if !stored.weights.iter().all(|weight| weight.is_finite()) {
            return Err(wrong("a weight is not a number".into()));
        }
        let network = Network::new(stored.shape, stored.weights)
            .ok_or_else(|| wrong("the number of weights is not the shape's".into()))?;
        Ok(NetworkFile {
            network,
            training: stored.training,
        })
    }

    /// Writes the network: a reader finds either the old or the new one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), NetworkError> {
        let stored = Stored {
            shape: self.network.shape(),
            training: self.training.clone(),
            weights: self.network.weights().to_vec(),
        };
        Ok(write_table(path, KIND, &stored)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rng;

    fn file() -> NetworkFile {
        let shape = Shape {
            players: 3,
            hidden: 32,
        };
        NetworkFile {
            network: Network::random(shape, &mut rng::stream(1, 0)),
            training: TrainingRecord {
                command: "contest cartagena train".into(),
                seed: 9,
                games: 12,
                seconds: 3.5,
            },
        }
    }

    #[test]
    fn reads_what_it_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NetworkFile::name(3));
        file().write(&path).unwrap();
        assert_eq!(NetworkFile::read(&path, 3).unwrap(), file());
        assert!(matches!(
            NetworkFile::read(&path, 4),
            Err(NetworkError::Players {
                found: 3,
                expected: 4,
                ..
            })
        ));
    }

    #[test]
    fn refuses_what_does_not_fit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.net");
        let refusal = |stored: Stored| {
            write_table(&path, KIND, &stored).unwrap();
            NetworkFile::read(&path, 3).unwrap_err().to_string()
        };
        let good = || Stored {
            shape: file().network.shape(),
            training: file().training,
            weights: file().network.weights().to_vec(),
        };
        let mut short = good();
        short.weights.pop();
        assert!(refusal(short).contains("number of weights"));
        let mut broken = good();
        broken.weights[5] = f32::NAN;
        assert!(refusal(broken).contains("not a number"));
        let mut odd = good();
        odd.shape.hidden = 40;
        assert!(refusal(odd).contains("40 hidden units"));

        let other = Kind::new("network", features::VERSION + 1);
        write_table(&path, other, &good()).unwrap();
        let version = NetworkFile::read(&path, 3).unwrap_err().to_string();
        assert!(version.contains("version"), "{version}");
        std::fs::write(&path, b"hello").unwrap();
        assert!(NetworkFile::read(&path, 3).is_err());
        assert!(NetworkFile::read(&folder.path().join("none.net"), 3).is_err());
    }

    /// Every network of the repository is of this program's features.
    #[test]
    fn the_networks_at_hand_can_be_used() {
        let support = Path::new(env!("CARGO_MANIFEST_DIR")).join("support");
        let mut found = 0;
        for players in 2..=6 {
            let path = support.join(NetworkFile::name(players));
            if path.exists() {
                let file = NetworkFile::read(&path, players).unwrap();
                assert!(file.training.games > 0 && !file.training.command.is_empty());
                found += 1;
            }
        }
        assert!(found > 0, "no network in support");
    }
}
