//! Calls of the operating system that a disk can refuse, one at a time.
//!
//! What keeps files makes each of its calls through a [`Disk`]. In programs that is [`System`], which
//! just makes them. Tests let the first call fail, the second, and so on until nothing is left to
//! fail, and look after each what is on the disk: SQLite's tests of input and output errors do the
//! same.
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
use std::io::{self, Write};

/// Makes calls of the operating system, or says why it does not.
pub trait Disk: Clone + Debug + Send + Sync + 'static {
    /// Makes one call.
    ///
    /// # Errors
    /// The call's own, or one in its place.
    fn call<T>(&self, call: impl FnOnce() -> io::Result<T>) -> io::Result<T>;

    /// Writes all of the bytes, or as many as there is room for.
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
