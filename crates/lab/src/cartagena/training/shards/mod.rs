//! Training by several processes, on one machine or many: actors play, one learner learns (Horgan
//! et al. 2018, "Distributed prioritized experience replay", without the priorities and in step).
//!
//! The processes share only a folder. Games are divided into waves, and each wave into shards, one for each actor.
//! An actor plays its shard with the network that the folder holds for the wave, and writes its samples there.
//! Once the samples of all shards are there, the learner takes its steps on them, in the order of
//! the games. The network of wave `n` has learnt from the waves up to `n − 2`, so actors play wave
//! `n` while the learner learns from wave `n − 1`. Games are numbered and each has its own stream
//! of random numbers, so the network depends neither on the speed of the processes nor on the
//! number of shards.
//!
//! Every file appears whole or not at all. A stopped actor or learner goes on where it was.

mod actor;
mod folder;
mod learner;
mod samples;

pub use actor::{Actor, Next};
pub use folder::Folder;
pub use learner::Learner;

use super::trainer::{Budget, Config};
use cartagena::evaluation::features;
use engine::store::{Kind, StoreError};
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The kind and version of the file of a run.
const RUN: Kind = Kind::new("training_run", 2);
/// The version is that of the features: samples mean nothing to a program with other features.
const SAMPLES: Kind = Kind::new("samples", features::VERSION);
/// Learner and actors must be of one version: another version may play other games.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// The division of a run among processes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The settings of the run; its budget is a number of games.
    pub config: Config,
    /// Games that one network plays, all shards together: a multiple of the games to a step.
    pub wave: u64,
    /// Shards of each wave.
    pub shards: u16,
}

/// The file that describes a run to its actors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Run {
    /// The version of the program.
    version: String,
    plan: Plan,
    /// Whether all waves have been learnt.
    is_over: bool,
}

/// Reasons why a run cannot be shared or resumed.
#[derive(Debug, Error)]
pub enum ShardError {
    /// A file cannot be read or written, is damaged, or of another version of the program.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The operating system reported an error.
    #[error("cannot {doing} {path}: {error}")]
    Io {
        /// The attempted operation, as a verb.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The operating system's error. It is part of the message, and therefore not a source.
        error: io::Error,
    },
    /// The plan cannot be carried out, or not by this program.
    #[error("{0}")]
    Plan(String),
}

impl ShardError {
    /// A file or folder that does not fit the run.
    fn unusable(path: &Path, reason: impl Into<String>) -> ShardError {
        StoreError::unusable(path, reason).into()
    }
}

impl Plan {
    /// Checks that the run can be shared in this way.
    ///
    /// # Errors
    /// The first number that does not fit, with what was expected instead.
    pub fn check(&self) -> Result<(), ShardError> {
        let round = self.config.round as u64;
        let wrong = |reason: String| Err(ShardError::Plan(reason));
        if self.shards == 0 {
            return wrong("0 shards: expected at least 1".into());
        }
        // Each shard needs a game, and a step must not reach into the next wave: that wave is
        // played by another network.
        if self.wave < u64::from(self.shards) || !self.wave.is_multiple_of(round) {
            return wrong(format!(
                "{} games to a wave: expected a multiple of the {round} games to a step, and at least the number of \
                 shards, {}",
                self.wave, self.shards
            ));
        }
        match self.config.budget {
            Budget::Games(0) => wrong("0 games: expected at least 1".into()),
            Budget::Games(_) => Ok(()),
            Budget::Time(_) => wrong("a shared training has a number of games, not a time".into()),
        }
    }

    /// Games of the run, rounded up to whole rounds.
    fn games(&self) -> u64 {
        let games = match self.config.budget {
            Budget::Games(games) => games,
            Budget::Time(_) => 0,
        };
        // A step needs a whole round, so the last one is completed.
        games.next_multiple_of(self.config.round as u64)
    }

    /// Waves of the run; the last may be short.
    pub fn waves(&self) -> u64 {
        self.games().div_ceil(self.wave)
    }

    /// The games of a wave.
    pub fn games_of(&self, wave: u64) -> Range<u64> {
        let first = wave * self.wave;
        first..(first + self.wave).min(self.games())
    }

    /// The games of a shard; shards count from 1. With 4 shards it is every fourth game of the wave.
    fn games_of_shard(&self, wave: u64, shard: u16) -> impl Iterator<Item = u64> {
        // By remainder rather than by range: shards have equal work even if games of one part of a
        // wave take longer.
        let (shard, shards) = (u64::from(shard - 1), u64::from(self.shards));
        self.games_of(wave)
            .filter(move |number| number % shards == shard)
    }
}

#[cfg(test)]
mod tests;
