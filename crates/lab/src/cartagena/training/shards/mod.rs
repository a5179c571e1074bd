//! Training by several processes, on one machine or many: actors play, one learner learns (Horgan et al. 2018,
//! "Distributed prioritized experience replay", without the priorities and in step).
//!
//! They share nothing but a folder. Games come in waves. An actor plays the games of its shard of a wave with the
//! network that the folder has for it, and leaves what they showed there; once all shards lie there the learner takes its
//! steps on them, in the order of the games. The network of a wave has learnt from all waves but the one before, so that actors
//! play while the learner learns. Since games are numbered and each has its own stream of random numbers, the network does
//! not depend on who is quicker, nor on the number of shards.
//!
//! Every file appears whole or not at all. An actor or learner that was stopped goes on where it was.

mod actor;
mod folder;
mod learner;
mod samples;

pub use actor::{Actor, Next};
pub use folder::Folder;
pub use learner::Learner;

use super::trainer::{Budget, Config};
use cartagena::evaluation::{NetworkError, features};
use engine::store::{Kind, StoreError};
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use thiserror::Error;

const RUN: Kind = Kind::new("training_run", 2);
/// Samples are of no use to a program with other features.
const SAMPLES: Kind = Kind::new("samples", features::VERSION);
/// Learner and actors are of one version: another one may play other games.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// How a run is shared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The settings of the run; its budget is a number of games.
    pub config: Config,
    /// Games that are played by one network, all shards together: a multiple of the games to a step.
    pub wave: u64,
    /// Shards of each wave.
    pub shards: u16,
}

/// What an actor reads of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Run {
    /// The version of the program.
    version: String,
    plan: Plan,
    /// Whether all waves are learnt.
    is_over: bool,
}

/// Why a run cannot be shared, or not gone on with.
#[derive(Debug, Error)]
pub enum ShardError {
    /// A file cannot be read or written, is damaged, or of another version of the program.
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The operating system reported an error.
    #[error("cannot {doing} {path}: {error}")]
    Io {
        /// What was tried, as a verb.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The operating system's error, which is a part of the message and so no source of it.
        error: io::Error,
    },
    /// The run cannot be shared so.
    #[error("{0}")]
    Plan(String),
    /// What lies in the folder does not fit.
    #[error("cannot use {path}: {reason}")]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// What does not fit.
        reason: String,
    },
}

impl Plan {
    /// Checks that a run can be shared so.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), ShardError> {
        let round = self.config.round as u64;
        let wrong = |reason: String| Err(ShardError::Plan(reason));
        if self.shards == 0 {
            return wrong("0 shards: expected at least 1".into());
        }
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

    /// Games of the run: whole rounds.
    fn games(&self) -> u64 {
        let games = match self.config.budget {
            Budget::Games(games) => games,
            Budget::Time(_) => 0,
        };
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

    /// Those of a shard, from 1: every so many-th.
    fn games_of_shard(&self, wave: u64, shard: u16) -> impl Iterator<Item = u64> {
        let (shard, shards) = (u64::from(shard - 1), u64::from(self.shards));
        self.games_of(wave)
            .filter(move |number| number % shards == shard)
    }
}

#[cfg(test)]
mod tests;
