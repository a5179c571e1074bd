//! A disk on which a chosen call fails, for tests of code that keeps files.

use super::Disk;
use std::io::{self, ErrorKind, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The behaviour of a disk after the call that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// All is well again.
    Works,
    /// Every further call fails: the disk is gone.
    Fails,
}

/// The disks of this machine, but one call fails. A write that fails writes half of its bytes.
#[derive(Clone, Debug)]
pub struct Faulty {
    /// The call that fails, from 1.
    failing: usize,
    then: Then,
    calls: Arc<AtomicUsize>,
}

impl Faulty {
    /// The disk whose call number `failing`, from 1, fails.
    pub fn new(failing: usize, then: Then) -> Faulty {
        Faulty {
            failing,
            then,
            calls: Arc::default(),
        }
    }

    /// Whether a call has failed.
    pub fn has_failed(&self) -> bool {
        self.calls.load(Ordering::SeqCst) >= self.failing
    }

    /// Runs `attempt` on a disk whose first call fails, then on one whose second call fails, and so on until it
    /// makes all of its calls without a fault. Returns how often it ran. `attempt` makes the calls and checks
    /// what they leave.
    pub fn each(then: Then, mut attempt: impl FnMut(&Faulty)) -> usize {
        let mut failing = 1;
        loop {
            let disk = Faulty::new(failing, then);
            attempt(&disk);
            // The attempt made fewer calls than it would take to fail: all of them have been tried.
            if !disk.has_failed() {
                return failing;
            }
            failing += 1;
        }
    }

    /// Counts a call; returns whether it must fail.
    fn fails(&self) -> bool {
        let number = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        match self.then {
            Then::Works => number == self.failing,
            Then::Fails => number >= self.failing,
        }
    }
}

impl Disk for Faulty {
    fn call<T>(&self, call: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        match self.fails() {
            true => Err(io::Error::other("injected")),
            false => call(),
        }
    }

    fn write_all(&self, file: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
        if !self.fails() {
            return file.write_all(bytes);
        }
        // A full disk takes some of the bytes first: the reader must notice a file that is cut off.
        file.write_all(&bytes[..bytes.len() / 2])?;
        Err(ErrorKind::StorageFull.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results of three calls if one of them fails, and the bytes written.
    fn outcomes(then: Then) -> Vec<String> {
        let mut outcomes = Vec::new();
        let tried = Faulty::each(then, |disk| {
            let mut file = Vec::new();
            let one = disk.call(|| Ok(1)).is_ok();
            let two = disk.write_all(&mut file, b"1234").is_ok();
            let three = disk.call(|| Ok(3)).is_ok();
            outcomes.push(format!("{one} {two} {three} {}", file.len()));
        });
        assert_eq!(tried, outcomes.len());
        outcomes
    }

    #[test]
    fn each_call_fails_once() {
        assert_eq!(
            outcomes(Then::Works),
            [
                "false true true 4",
                "true false true 2",
                "true true false 4",
                "true true true 4"
            ]
        );
        assert_eq!(
            outcomes(Then::Fails),
            [
                "false false false 2",
                "true false false 2",
                "true true false 4",
                "true true true 4"
            ]
        );
    }
}
