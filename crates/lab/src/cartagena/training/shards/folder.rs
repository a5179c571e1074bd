//! The folder that the learner and its actors share.

use super::{RUN, Run, ShardError};
use engine::store::{StoreError, read_table, write_table};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// What the names of a wave's files begin with.
const WAVE: &str = "wave-";
const NETWORK: &str = "network";

/// A folder with the run's settings, and of each wave that is not learnt yet a network and what was played.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// It need not be there yet.
    pub fn new(path: &Path) -> Folder {
        Folder(path.to_owned())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The settings of the run.
    fn run_path(&self) -> PathBuf {
        self.0.join("training.run")
    }

    /// Locked by the learner.
    pub(super) fn lock_path(&self) -> PathBuf {
        self.0.join("learner.lock")
    }

    /// The network that plays a wave.
    pub(super) fn network_path(&self, wave: u64) -> PathBuf {
        self.0.join(format!("{WAVE}{wave}.{NETWORK}"))
    }

    /// What the games of a shard showed.
    pub(super) fn samples_path(&self, wave: u64, shard: u16) -> PathBuf {
        self.0.join(format!("{WAVE}{wave}.{shard}.samples"))
    }

    /// The run of the folder; none if there is none yet.
    pub(super) fn run(&self) -> Result<Option<Run>, ShardError> {
        match read_table(&self.run_path(), RUN) {
            Ok(run) => Ok(Some(run)),
            Err(StoreError::Io { error, .. }) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn write_run(&self, run: &Run) -> Result<(), ShardError> {
        Ok(write_table(&self.run_path(), RUN, run)?)
    }

    /// The waves of which something lies there, networks alone or samples too, in no order.
    fn files(&self) -> Result<Vec<(u64, PathBuf)>, ShardError> {
        let entries = fs::read_dir(&self.0).map_err(|error| self.error("read", error))?;
        let mut files = Vec::new();
        for entry in entries {
            let path = entry.map_err(|error| self.error("read", error))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
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

    /// Removes everything of the waves before this one: networks first, so that nobody plays what is learnt.
    pub(super) fn forget(&self, before: u64) -> Result<(), ShardError> {
        let mut old = self.files()?;
        old.retain(|(wave, _)| *wave < before);
        old.sort_by_key(|(_, path)| path.extension().is_none_or(|end| end != NETWORK));
        for (_, path) in old {
            match fs::remove_file(&path) {
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

    pub(super) fn error(&self, doing: &'static str, error: io::Error) -> ShardError {
        ShardError::Io {
            doing,
            path: self.0.clone(),
            error,
        }
    }
}
