//! The one place that reads and writes the players' files in `support/`.
//!
//! Two sorts of file, both bincode behind a header with kind, version and checksum:
//! *caches* in `support/cache`, written and removed by a [`Store`], and *tables* that are
//! handed in with the program, such as trained networks ([`read_table`], [`decode_table`]).
//!
//! A cache only saves time. One that does not fit (made by another version or evaluator,
//! damaged, foreign) is discarded with an error that the caller shows on one line and otherwise
//! ignores. Writers do not wait for one another, and readers never see half a file.

mod envelope;
mod files;
#[cfg(test)]
mod tests;

pub use envelope::{MAX_PAYLOAD, Mismatch, decode, encode, seal};

use crate::disk::{Disk, System};
use serde::{Serialize, de::DeserializeOwned};
use std::env;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// A kind of file, with the version of its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    name: &'static str,
    version: u32,
}

impl Kind {
    /// A kind. The names of its files begin with `name`. `version` must change whenever the stored type or its
    /// meaning does.
    ///
    /// # Panics
    /// If the name is not 1 to 24 lower-case letters, digits and underscores. Kinds are meant to
    /// be constants, where this is found by the compiler.
    pub const fn new(name: &'static str, version: u32) -> Kind {
        assert!(files::is_kind(name.as_bytes()), "the name of a kind");
        Kind { name, version }
    }
}

/// Identifies a cache, and names everything that its contents depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The sort of cache.
    pub kind: Kind,
    /// A hash of everything that the contents depend on besides their version, such as the evaluator.
    pub fingerprint: u64,
    /// Distinguishes caches of one kind, for example by game and seat. It is part of the file's name.
    pub id: u64,
}

impl Key {
    /// The name of the cache's file.
    pub fn file_name(&self) -> String {
        format!("{}-{:016x}.bin", self.kind.name, self.id)
    }
}

/// The limits within which caches are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Limits {
    /// The most bytes of all caches together.
    bytes: u64,
    /// The longest time since a cache was last written.
    age: Duration,
}

impl Default for Limits {
    /// 64 MB and 14 days.
    fn default() -> Limits {
        Limits {
            bytes: 64 << 20,
            age: Duration::from_secs(14 * 24 * 60 * 60),
        }
    }
}

/// The reason why a file could not be read or written. Every message is one line.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The operating system reported an error.
    #[error("cannot {doing} {path}: {error}")]
    Io {
        /// The verb for the call that failed.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The operating system's error. It is part of the message and so not also its source.
        error: io::Error,
    },
    /// A cache does not fit, and is gone if it could be removed.
    #[error("discarded {path}: {reason}{}", if *removed { "" } else { " (it could not be removed)" })]
    Discarded {
        path: PathBuf,
        /// The first thing that does not fit.
        reason: Mismatch,
        /// Whether the file was removed.
        removed: bool,
    },
    /// A table does not fit.
    #[error("cannot use {path}: {reason}")]
    Unusable {
        path: PathBuf,
        /// The first thing that does not fit.
        reason: Mismatch,
    },
    /// The path is not a regular file, but a folder or a device, say.
    #[error("{0} is not a regular file")]
    NotAFile(PathBuf),
    /// Another process is writing.
    #[error("not saved: another process is writing in {0}")]
    Busy(PathBuf),
    /// There is no room for it within the limit.
    #[error("not saved: {path} of {bytes} bytes does not fit within the limit of {limit}")]
    NoRoom {
        /// The file that was to be written.
        path: PathBuf,
        bytes: u64,
        /// The limit for all caches.
        limit: u64,
    },
    /// The process may not write files that large. A write beyond the limit would kill it (setrlimit(2)).
    #[error("not saved: {path} of {bytes} bytes, and a file may have {limit} at most (ulimit -f)")]
    FileLimit {
        /// The file that was to be written.
        path: PathBuf,
        bytes: u64,
        /// The largest file that the system permits this process.
        limit: u64,
    },
    /// The value cannot be stored.
    #[error("cannot store {path}: {reason}")]
    Unstorable {
        /// The file that was to be written.
        path: PathBuf,
        reason: String,
    },
}

impl StoreError {
    /// The file is as it was written, and holds what its reader cannot use.
    pub fn unusable(path: &Path, reason: impl Into<String>) -> StoreError {
        StoreError::Unusable {
            path: path.to_owned(),
            reason: Mismatch::Value(reason.into()),
        }
    }

    /// Whether there is no such file.
    pub fn is_missing(&self) -> bool {
        // `NotADirectory` is the error if a part of the path is a file and no folder.
        let missing = [ErrorKind::NotFound, ErrorKind::NotADirectory];
        matches!(self, StoreError::Io { error, .. } if missing.contains(&error.kind()))
    }
}

/// The caches in one `support` folder.
#[derive(Clone, Debug)]
pub struct Store<D = System> {
    folder: PathBuf,
    limits: Limits,
    disk: D,
}

impl Store {
    /// The caches of a `support` folder, with the default limits. Touches no file: the folder need
    /// not exist before the first save.
    pub fn open(support: &Path) -> Store {
        Store::on(System, support)
    }
}

impl<D: Disk> Store<D> {
    /// As [`open`](Store::open), on the given disk: tests pass one that fails.
    fn on(disk: D, support: &Path) -> Store<D> {
        Store {
            folder: support.join("cache"),
            limits: Limits::default(),
            disk,
        }
    }

    /// The file of a cache.
    pub fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(key.file_name())
    }

    /// Reads a cache; none if there is no such file.
    ///
    /// # Errors
    /// If the file cannot be read, or does not fit the key. In the second case it is also removed.
    pub fn load<T: DeserializeOwned>(&self, key: &Key) -> Result<Option<T>, StoreError> {
        let path = self.path(key);
        // A file that does not fit is of no use to anybody, so it is removed at once. The caller goes on without it.
        let reason = match files::read(&self.disk, &path, key, self.limits.bytes)? {
            None => return Ok(None),
            Some(Err(too_large)) => too_large,
            Some(Ok(bytes)) => match decode(key, &bytes) {
                Ok(value) => return Ok(Some(value)),
                Err(mismatch) => mismatch,
            },
        };
        Err(StoreError::Discarded {
            removed: files::remove(&self.disk, &path).is_ok_and(|was_there| was_there),
            path,
            reason,
        })
    }

    /// Writes a cache. Before that it removes caches that are too old, temporary files of killed processes, and as
    /// many of the oldest caches as it takes to stay within 64 MB. Files that are not named like caches are never
    /// touched.
    ///
    /// # Errors
    /// If another process is writing (no writer waits), if the cache alone is over the limit, or if
    /// the files cannot be written. The cache stored under this key before is then still there.
    pub fn save<T: Serialize>(&self, key: &Key, value: &T) -> Result<(), StoreError> {
        let path = self.path(key);
        let bytes = encode(key, value).map_err(|reason| StoreError::Unstorable {
            path: path.clone(),
            reason,
        })?;
        let (size, limit) = (bytes.len() as u64, self.limits.bytes);
        let fits = |kept: u64| match kept.saturating_add(size) {
            all if all > limit => Err(StoreError::NoRoom {
                path: path.clone(),
                bytes: size,
                limit,
            }),
            _ => Ok(()),
        };
        // No other cache is removed for one that can never be written.
        fits(0)?;
        if let Some(limit) = files::size_limit().filter(|&limit| size > limit) {
            return Err(StoreError::FileLimit {
                path,
                bytes: size,
                limit,
            });
        }
        files::create_folder(&self.disk, &self.folder)?;
        // Held to the end. Without the lock two writers at once would each count the caches without the other's new
        // one, and together exceed the limit.
        let _lock = files::lock(&self.disk, &self.folder)?;
        let kept = files::tidy(&self.disk, &self.folder, &self.limits, size, Some(&path))?;
        // Caches that could not be removed may still leave too little room.
        fits(kept)?;
        files::write_cache(&self.disk, &path, &bytes)
    }

    /// Removes a cache; returns whether there was one.
    ///
    /// # Errors
    /// If it is there and cannot be removed.
    pub fn remove(&self, key: &Key) -> Result<bool, StoreError> {
        files::remove(&self.disk, &self.path(key))
    }
}

/// Decodes a table from the bytes of its file, such as one that is part of the program.
///
/// # Errors
/// If the bytes do not fit; the error is the first mismatch.
pub fn decode_table<T: DeserializeOwned>(bytes: &[u8], kind: Kind) -> Result<T, Mismatch> {
    decode(&table(kind), bytes)
}

/// Reads a table that is handed in with the program.
///
/// # Errors
/// If it is missing, cannot be read or does not fit. It is never removed.
pub fn read_table<T: DeserializeOwned>(path: &Path, kind: Kind) -> Result<T, StoreError> {
    let unusable = |reason| StoreError::Unusable {
        path: path.into(),
        reason,
    };
    let bytes = files::read(&System, path, &table(kind), u64::MAX)?
        .ok_or_else(|| {
            let source = io::Error::new(ErrorKind::NotFound, "there is no such file");
            files::error("read", path)(source)
        })?
        .map_err(unusable)?;
    decode_table(&bytes, kind).map_err(unusable)
}

/// Writes a table, and makes its folder if it is missing. Readers see the old table or the new one.
///
/// # Errors
/// If it cannot be stored or written. The old table is then still there; if only the last step failed, the
/// sync of the folder, the new one is.
pub fn write_table<T: Serialize>(path: &Path, kind: Kind, value: &T) -> Result<(), StoreError> {
    write_table_on(&System, path, kind, value)
}

/// As [`write_table`], on the given disk: tests pass one that fails.
fn write_table_on<T: Serialize>(
    disk: &impl Disk,
    path: &Path,
    kind: Kind,
    value: &T,
) -> Result<(), StoreError> {
    let bytes = encode(&table(kind), value).map_err(|reason| StoreError::Unstorable {
        path: path.into(),
        reason,
    })?;
    files::create_folder(disk, files::folder_of(path))?;
    files::write_durably(disk, path, &bytes)
}

/// The key of a table: it depends on nothing but its kind.
const fn table(kind: Kind) -> Key {
    Key {
        kind,
        fingerprint: 0,
        id: 0,
    }
}

/// The folder `support`: the first one that exists beside the driver script (`RUNME_HOME`, which the script
/// sets), beside the program, in the current folder, or in the package of a program that cargo built. If none
/// exists, the relative path `support`.
pub fn support_folder() -> PathBuf {
    let home = env::var_os("RUNME_HOME").map(PathBuf::from);
    let program = env::current_exe().ok();
    let beside = program
        .as_deref()
        .and_then(Path::parent)
        .map(Path::to_path_buf);
    // A program built by cargo lies in target/release.
    let package = beside
        .as_deref()
        .and_then(|folder| folder.ancestors().nth(2))
        .map(Path::to_path_buf);
    // The empty path stands for the current folder.
    [home, beside, Some(PathBuf::new()), package]
        .into_iter()
        .flatten()
        .map(|folder| folder.join("support"))
        .find(|folder| folder.is_dir())
        .unwrap_or_else(|| PathBuf::from("support"))
}
