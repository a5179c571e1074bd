//! Calls of the operating system that a disk can refuse, one at a time.
//!
//! Code that keeps files makes each of its calls through a [`Disk`]. In programs that is [`System`], which
//! just makes them. Tests let the first call fail, then the second, and so on until no call is left, and
//! check each time the state in which the files are left. SQLite tests input and output errors in the same way.
//!
//! ```
//! use engine::disk::{Disk, System};
//! use std::fs;
//!
//! fn length(disk: &impl Disk, path: &str) -> std::io::Result<u64> {
//!     disk.call(|| fs::metadata(path)).map(|metadata| metadata.len())
//! }
//! assert!(length(&System, "/no/where").is_err());
//! ```

#[cfg(any(test, feature = "testing"))]
mod faulty;

#[cfg(any(test, feature = "testing"))]
pub use faulty::{Faulty, Then};

use std::fmt::Debug;
use std::fs::{File, TryLockError};
use std::io::{self, Write};

/// Makes calls of the operating system, or fails in their place.
pub trait Disk: Clone + Debug + Send + Sync + 'static {
    /// Makes one call.
    ///
    /// # Errors
    /// The call's own, or one in its place.
    fn call<T>(&self, call: impl FnOnce() -> io::Result<T>) -> io::Result<T>;

    /// Writes all of the bytes. If it fails, it may have written some of them.
    ///
    /// # Errors
    /// If they cannot all be written.
    fn write_all(&self, file: &mut impl Write, bytes: &[u8]) -> io::Result<()>;
}

/// The disks of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

impl Disk for System {
    #[inline]
    fn call<T>(&self, call: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        call()
    }

    #[inline]
    fn write_all(&self, file: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }
}

/// A lock on a file, held until this is dropped.
///
/// Dropping releases it explicitly; closing the file would not be enough. While another thread starts a process,
/// that process holds a copy of the open file until it runs its program, and a lock lasts as long as any copy.
#[derive(Debug)]
pub struct Lock(File);

impl Lock {
    /// Locks a file for this process alone; none if somebody else has locked it.
    ///
    /// # Errors
    /// If the file cannot be locked.
    pub fn take(disk: &impl Disk, file: File) -> io::Result<Option<Lock>> {
        let is_free = try_lock(disk, &file)?;
        Ok(is_free.then_some(Lock(file)))
    }
}

/// Locks a file for this process alone; whether nobody else had locked it.
///
/// # Errors
/// If the file cannot be locked.
pub fn try_lock(disk: &impl Disk, file: &File) -> io::Result<bool> {
    disk.call(|| match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    })
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Unlocking can only fail if the file is no longer locked.
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_given_up_though_its_file_is_still_open_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let open = || File::create(&path).unwrap();
        let file = open();
        // A child process inherits the open file, until it runs its program.
        let inherited = file.try_clone().unwrap();
        let lock = Lock::take(&System, file).unwrap();
        assert!(lock.is_some());
        assert!(Lock::take(&System, open()).unwrap().is_none());
        drop(lock);
        assert!(Lock::take(&System, open()).unwrap().is_some());
        drop(inherited);
    }
}
