//! The folder that the learner and its actors share: the names of its files, and what is in it.

use super::{RUN, Run, ShardError};
use engine::store::{StoreError, read_table, write_table};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Prefix of the names of a wave's files.
const WAVE: &str = "wave-";
/// Extension of a network's file.
const NETWORK: &str = "network";

/// The shared folder: the file of the run, and for each wave that is not learnt yet a network and
/// samples.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// A shared folder at this path, which need not exist yet.
    pub fn new(path: &Path) -> Folder {
        Folder(path.to_owned())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The file of the run.
    fn run_path(&self) -> PathBuf {
        self.0.join("training.run")
    }

    /// The file that the learner locks.
    pub(super) fn lock_path(&self) -> PathBuf {
        self.0.join("learner.lock")
    }

    /// The file of the network that plays a wave.
    pub(super) fn network_path(&self, wave: u64) -> PathBuf {
        self.0.join(format!("{WAVE}{wave}.{NETWORK}"))
    }

    /// The file with the samples of a shard.
    pub(super) fn samples_path(&self, wave: u64, shard: u16) -> PathBuf {
        self.0.join(format!("{WAVE}{wave}.{shard}.samples"))
    }

    /// The run of the folder; none if it has none yet.
    pub(super) fn run(&self) -> Result<Option<Run>, ShardError> {
        match read_table(&self.run_path(), RUN) {
            Ok(run) => Ok(Some(run)),
            // No file is no error: actors may look before the learner has begun.
            Err(StoreError::Io { error, .. }) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the file of the run, whole or not at all.
    pub(super) fn write_run(&self, run: &Run) -> Result<(), ShardError> {
        Ok(write_table(&self.run_path(), RUN, run)?)
    }

    /// The files of all waves, networks and samples, each with its wave, in no order.
    fn files(&self) -> Result<Vec<(u64, PathBuf)>, ShardError> {
        // The folder itself says which waves there are: a list beside it could disagree with the
        // files.
        let entries = fs::read_dir(&self.0).map_err(|error| self.error("read", error))?;
        let mut files = Vec::new();
        for entry in entries {
            let path = entry.map_err(|error| self.error("read", error))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // Names of other forms, such as the lock and temporary files, belong to no wave.
            let wave = name.strip_prefix(WAVE).and_then(|rest| {
                let (wave, _) = rest.split_once('.')?;
                wave.parse().ok()
            });
            if let Some(wave) = wave {
                files.push((wave, path));
            }
        }
        Ok(files)
    }

    /// The waves that have a network, ascending.
    pub(super) fn waves(&self) -> Result<Vec<u64>, ShardError> {
        let mut waves: Vec<u64> = self
            .files()?
            .into_iter()
            .filter(|(_, path)| path.extension().is_some_and(|end| end == NETWORK))
            .map(|(wave, _)| wave)
            .collect();
        waves.sort_unstable();
        Ok(waves)
    }

    /// Removes the files of all waves before this one. Networks go first: if samples went first, an actor could
    /// still find the network and play the wave again.
    pub(super) fn forget(&self, before: u64) -> Result<(), ShardError> {
        let mut old = self.files()?;
        old.retain(|(wave, _)| *wave < before);
        // `false` sorts first: files that are networks.
        old.sort_by_key(|(_, path)| path.extension().is_none_or(|end| end != NETWORK));
        for (_, path) in old {
            match fs::remove_file(&path) {
                // A file that is gone already was removed by an earlier attempt.
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(ShardError::Io {
                        doing: "remove",
                        path,
                        error,
                    });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The error that this folder could not be used; `doing` is a verb.
    pub(super) fn error(&self, doing: &'static str, error: io::Error) -> ShardError {
        ShardError::Io {
            doing,
            path: self.0.clone(),
            error,
        }
    }
}
