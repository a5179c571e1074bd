//! Synchronizes a file to the disk on another thread, so that whoever appends to it need not wait. An
//! [`Appender`](super::Appender) has a [`Syncer`] if its lines are to be durable.

use engine::disk::Disk;
use engine::sync::lock;
use std::fs::File;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// A thread that synchronizes a file on request. All requests that come during one synchronization
/// share the next, so a slow disk holds up nobody, and many appends cost one synchronization.
/// Dropping it waits for the last.
#[derive(Debug)]
pub(super) struct Syncer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// The state, and the signal that it has changed.
#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// The requests to the thread, and their outcome.
#[derive(Debug, Default)]
struct State {
    /// Whether bytes were written since the last synchronization began.
    requested: bool,
    /// Whether a synchronization goes on.
    is_syncing: bool,
    /// Whether the thread is to end once nothing is requested.
    ending: bool,
    /// The first failure that nobody has asked for yet.
    failure: Option<io::Error>,
}

impl Shared {
    /// The work of the thread.
    fn run(&self, disk: &impl Disk, file: &File) {
        let mut state = lock(&self.state);
        loop {
            if state.requested {
                // Cleared first: bytes that are written during the call may miss it, and need another one.
                state.requested = false;
                state.is_syncing = true;
                // Unlocked meanwhile, so that requests do not wait for the disk.
                drop(state);
                let synced = disk.call(|| file.sync_data());
                state = lock(&self.state);
                state.is_syncing = false;
                state.failure = state.failure.take().or(synced.err());
                self.changed.notify_all();
            } else if state.ending {
                return;
            } else {
                let woken = self.changed.wait(state);
                state = woken.unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

impl Syncer {
    pub(super) fn new(disk: impl Disk, file: &File) -> io::Result<Syncer> {
        let file = disk.call(|| file.try_clone())?;
        let shared: Arc<Shared> = Arc::default();
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("records".to_owned())
            .spawn(move || of_thread.run(&disk, &file))?;
        Ok(Syncer {
            shared,
            thread: Some(thread),
        })
    }

    /// Asks for all that is written by now to be synchronized.
    pub(super) fn request(&self) {
        lock(&self.shared.state).requested = true;
        self.shared.changed.notify_all();
    }

    /// Waits until all that was asked for has been synchronized.
    ///
    /// # Errors
    /// That of the synchronization, if nobody has been told of it yet.
    pub(super) fn settle(&self) -> io::Result<()> {
        let changed = &self.shared.changed;
        let goes_on = |state: &mut State| state.requested || state.is_syncing;
        let settled = changed.wait_while(lock(&self.shared.state), goes_on);
        drop(settled.unwrap_or_else(PoisonError::into_inner));
        self.failure()
    }

    /// Reports a failed synchronization, and each only once.
    ///
    /// # Errors
    /// That of the synchronization.
    pub(super) fn failure(&self) -> io::Result<()> {
        lock(&self.shared.state).failure.take().map_or(Ok(()), Err)
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        lock(&self.shared.state).ending = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // It does not panic; if it did, there would be nothing left to wait for.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::disk::{Faulty, Then};

    /// A failure of the disk is reported once, and does not block later requests.
    #[test]
    fn a_failure_is_told_once() {
        let file = tempfile::tempfile().unwrap();
        // Call 1 of the disk makes a second handle of the file; later calls synchronize it.
        let syncer = Syncer::new(Faulty::new(2, Then::Works), &file).unwrap();
        assert!(syncer.failure().is_ok());
        syncer.request();
        assert_eq!(syncer.settle().unwrap_err().to_string(), "injected");
        syncer.request();
        assert!(syncer.settle().is_ok());
        assert!(syncer.failure().is_ok());
        assert!(Syncer::new(Faulty::new(1, Then::Works), &file).is_err());
    }

    /// Dropping the syncer waits until the last request has been carried out.
    #[test]
    fn the_last_request_is_waited_for() {
        let file = tempfile::tempfile().unwrap();
        let disk = Faulty::new(2, Then::Works);
        let syncer = Syncer::new(disk.clone(), &file).unwrap();
        syncer.request();
        drop(syncer);
        assert!(disk.has_failed(), "the call was made");
    }
}
