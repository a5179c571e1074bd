//! Networks as files: `support/cartagena-2.net` to `support/cartagena-6.net`.

use super::features;
use super::network::{Network, Shape};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The first bytes of a file.
const MAGIC: [u8; 8] = *b"CARTANET";
/// No file is larger.
const LIMIT: usize = 64 << 20;

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
    /// The file system says no.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        source: std::io::Error,
    },
    /// It is no network, cut short or damaged.
    #[error("{path}: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// It was trained on other features than this program computes.
    #[error("{path}: trained on features of version {found}, this program has version {expected}")]
    Version {
        /// The file.
        path: PathBuf,
        /// The file's.
        found: u32,
        /// The program's.
        expected: u32,
    },
    /// It values games of another number of players.
    #[error("{path}: a network for {found} players, not {expected}")]
    Players {
        /// The file.
        path: PathBuf,
        /// The file's.
        found: usize,
        /// The number asked for.
        expected: usize,
    },
}

#[derive(Serialize, Deserialize)]
struct Stored {
    magic: [u8; 8],
    features: u32,
    shape: Shape,
    training: TrainingRecord,
    weights: Vec<f32>,
    checksum: u64,
}

fn config() -> impl bincode::config::Config {
    bincode::config::standard()
        .with_fixed_int_encoding()
        .with_limit::<LIMIT>()
}

fn checksum(weights: &[f32]) -> u64 {
    weights.iter().fold(0, |hash, weight| {
        crate::random::mix(hash ^ u64::from(weight.to_bits()))
    })
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
        let damaged = |reason: String| NetworkError::Damaged {
            path: path.to_owned(),
            reason,
        };
        let bytes = fs::read(path).map_err(|source| NetworkError::Io {
            path: path.to_owned(),
            source,
        })?;
        if !bytes.starts_with(&MAGIC) {
            return Err(damaged("not a network file".into()));
        }
        let (stored, length): (Stored, usize) = bincode::serde::decode_from_slice(&bytes, config())
            .map_err(|error| damaged(error.to_string()))?;
        if stored.features != features::VERSION {
            return Err(NetworkError::Version {
                path: path.to_owned(),
                found: stored.features,
                expected: features::VERSION,
            });
        }
        if stored.shape.players != players {
            return Err(NetworkError::Players {
                path: path.to_owned(),
                found: stored.shape.players,
                expected: players,
            });
        }
        if length != bytes.len() || checksum(&stored.weights) != stored.checksum {
            return Err(damaged("the checksum is wrong".into()));
        }
        if !stored.weights.iter().all(|weight| weight.is_finite()) {
            return Err(damaged("a weight is not a number".into()));
        }
        if !Shape::HIDDEN.contains(&stored.shape.hidden) {
            return Err(damaged(format!("{} hidden units", stored.shape.hidden)));
        }
        let network = Network::new(stored.shape, stored.weights)
            .ok_or_else(|| damaged("the number of weights is wrong".into()))?;
        Ok(NetworkFile {
            network,
            training: stored.training,
        })
    }

    /// Writes the network: first to a temporary file, so that a reader finds either the old or
    /// the new one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), NetworkError> {
        let io = |source| NetworkError::Io {
            path: path.to_owned(),
            source,
        };
        let weights = self.network.weights().to_vec();
        let stored = Stored {
            magic: MAGIC,
            features: features::VERSION,
            shape: self.network.shape(),
            training: self.training.clone(),
            checksum: checksum(&weights),
            weights,
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;

    fn file() -> NetworkFile {
        let shape = Shape {
            players: 3,
            hidden: 32,
        };
        NetworkFile {
            network: Network::random(shape, &mut random::stream(1, 0)),
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
        let message = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            match NetworkFile::read(&path, 3) {
                Ok(_) => "read".to_owned(),
                Err(error) => error.to_string(),
            }
        };
        file().write(&path).unwrap();
        let good = fs::read(&path).unwrap();
        assert_eq!(message(&good), "read");
        assert!(message(b"").contains("not a network"));
        assert!(message(b"hello, world").contains("not a network"));
        let mut version = good.clone();
        version[8] = 200;
        assert!(
            message(&version).contains("version 200"),
            "{}",
            message(&version)
        );
        let mut flipped = good.clone();
        let middle = good.len() / 2;
        flipped[middle] ^= 1;
        assert!(message(&flipped).contains("checksum"));
        for length in [9, 40, good.len() / 2, good.len() - 1] {
            assert_ne!(message(&good[..length]), "read");
        }
        let mut longer = good.clone();
        longer.push(0);
        assert!(message(&longer).contains("checksum"));
        let missing = NetworkFile::read(&folder.path().join("none.net"), 3);
        assert!(matches!(missing, Err(NetworkError::Io { .. })));
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
