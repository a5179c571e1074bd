//! Networks as files, such as `hearts.policy` and `eights.policy`. Training writes them; `Embedded` reads the same
//! format when a program is built.

use super::{LAYOUT_VERSION, Linear, Network};
use engine::store::{Kind, StoreError, read_table, write_table};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The origin of a network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingRecord {
    /// The command that trained it.
    pub command: String,
    /// The number of choices it was trained on.
    pub choices: u64,
    /// The number of times it has seen each of them.
    pub epochs: u32,
}

/// A network with its origin, as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkFile {
    pub network: Network,
    /// The training that the network comes from.
    pub training: TrainingRecord,
}

/// The contents of a file, in this order: `Embedded` relies on the two lists being last.
#[derive(Serialize, Deserialize)]
struct Stored {
    game: String,
    training: TrainingRecord,
    weights: Vec<f32>,
    linear: Vec<f32>,
}

/// The kind of file. Its version is that of the inputs, since a network fits one version only.
const KIND: Kind = Kind::new("policy", LAYOUT_VERSION);

impl NetworkFile {
    /// Reads a network of a game from a file.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or does not fit the game or this program's inputs.
    pub fn read(path: &Path, game: &str) -> Result<NetworkFile, StoreError> {
        // The kind is checked with the file's header, the game and the weights by `checked`.
        NetworkFile::checked(read_table(path, KIND)?, game)
            .map_err(|reason| StoreError::unusable(path, reason))
    }

    /// Writes the network. Somebody who reads meanwhile finds either the old or the new one, never a part.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path, game: &str) -> Result<(), StoreError> {
        let stored = Stored {
            game: game.to_owned(),
            training: self.training.clone(),
            weights: self.network.weights().to_vec(),
            linear: self.network.linear().weights().to_vec(),
        };
        write_table(path, KIND, &stored)
    }

    /// The network in these contents. The error says in words why they are none for this game.
    fn checked(stored: Stored, game: &str) -> Result<NetworkFile, String> {
        if stored.game != game {
            return Err(format!("it is a network for {}, not {game}", stored.game));
        }
        // One weight that is not a number would spoil every chance of its situation.
        let mut weights = stored.weights.iter().chain(&stored.linear);
        if !weights.all(|weight| weight.is_finite()) {
            return Err("a weight is not a number".into());
        }
        let network = Linear::new(&stored.linear)
            .and_then(|linear| Network::new(stored.weights, linear))
            .ok_or("the number of weights does not fit the shape")?;
        Ok(NetworkFile {
            network,
            training: stored.training,
        })
    }
}
