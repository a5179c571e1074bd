//! Networks as files, `cartagena-2.net` to `cartagena-6.net`: in folders, and inside the program. Training writes them;
//! `evaluators` reads them.

use super::features;
use super::network::{Network, Shape};
use crate::rules::MAX_PLAYERS;
use engine::store::{Kind, StoreError, decode_table, read_table, write_table};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The kind of file. Its version is that of the features, as a network is of no use to a program with other ones.
const KIND: Kind = Kind::new("network", features::VERSION);

/// The files that were in `support` when the program was built, for 2 to 6 players.
const EMBEDDED: [&[u8]; MAX_PLAYERS - 1] = [
    include_bytes!("../../support/cartagena-2.net"),
    include_bytes!("../../support/cartagena-3.net"),
    include_bytes!("../../support/cartagena-4.net"),
    include_bytes!("../../support/cartagena-5.net"),
    include_bytes!("../../support/cartagena-6.net"),
];

/// The training that made a network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingRecord {
    /// The command line of the training.
    pub command: String,
    /// The seed of its games.
    pub seed: u64,
    /// The number of games that it was trained on.
    pub games: u64,
    /// The wall-clock time of the training, in seconds.
    pub seconds: f64,
}

/// The contents of a file: a network, and the training that made it.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkFile {
    pub network: Network,
    pub training: TrainingRecord,
}

/// The form in which a network is encoded.
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
    pub fn read(path: &Path, players: usize) -> Result<NetworkFile, StoreError> {
        NetworkFile::checked(read_table(path, KIND)?, players)
            .map_err(|reason| StoreError::unusable(path, reason))
    }

    /// The network in the program for a number of players, 2 to 6.
    ///
    /// # Errors
    /// A text that says why it cannot be used: the file was made for other features when the program was built.
    pub fn embedded(players: usize) -> Result<NetworkFile, String> {
        let stored = decode_table(EMBEDDED[players - 2], KIND).map_err(|e| e.to_string())?;
        NetworkFile::checked(stored, players)
    }

    /// Checks everything that the network's kernel relies on. The file's checksum shows damage, but not a file that
    /// somebody made for another program.
    fn checked(stored: Stored, players: usize) -> Result<NetworkFile, String> {
        let Shape {
            players: found,
            hidden,
        } = stored.shape;
        if found != players {
            return Err(format!(
                "it is a network for {found} players, not {players}"
            ));
        }
        if !Shape::HIDDEN.contains(&hidden) {
            return Err(format!("{hidden} hidden units"));
        }
        // A weight that is not finite cannot be rounded to a whole number.
        if !stored.weights.iter().all(|weight| weight.is_finite()) {
            return Err("a weight is not a number".into());
        }
        // A file's shape and its weights are stored side by side, so that they can contradict each other.
        let network = Network::new(stored.shape, stored.weights)
            .ok_or("the number of weights does not fit the shape")?;
        Ok(NetworkFile {
            network,
            training: stored.training,
        })
    }

    /// Writes the network so that a reader finds either the old file or the new one, and never a part.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), StoreError> {
        let stored = Stored {
            shape: self.network.shape(),
            training: self.training.clone(),
            weights: self.network.weights().to_vec(),
        };
        write_table(path, KIND, &stored)
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
                command: "lab cartagena train".into(),
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
        let error = NetworkFile::read(&path, 4).unwrap_err().to_string();
        assert!(error.ends_with("a network for 3 players, not 4"), "{error}");
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
        assert!(!NetworkFile::read(&path, 3).unwrap_err().is_missing());
        for missing in [folder.path().join("none.net"), path.join("none.net")] {
            assert!(NetworkFile::read(&missing, 3).unwrap_err().is_missing());
        }
    }

    /// The networks in the program are those of the repository, and of the program's features.
    #[test]
    fn every_embedded_network_can_be_used() {
        let support = Path::new(env!("CARGO_MANIFEST_DIR")).join("support");
        for players in 2..=6 {
            let file = NetworkFile::embedded(players).unwrap();
            assert!(file.training.games > 0 && !file.training.command.is_empty());
            let path = support.join(NetworkFile::name(players));
            assert_eq!(NetworkFile::read(&path, players).unwrap(), file);
        }
    }
}
