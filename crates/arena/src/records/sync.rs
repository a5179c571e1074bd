//! Bringing a file to the disk without waiting for it.

use std::fs::File;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// A thread that synchronizes a file whenever it was asked to since it last began to: a disk that is
/// slow holds up nobody, and many appends cost one synchronization. Dropping it waits for the last.
#[derive(Debug)]
pub(super) struct Syncer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    requested: bool,
    ending: bool,
    failure: Option<io::Error>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, file: &File) {
        let mut state = self.lock();
        loop {
            if state.requested {
                state.requested = false;
                drop(state);
                let synced = file.sync_data();
                state = self.lock();
                state.failure = state.failure.take().or(synced.err());
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
    pub(super) fn new(file: &File) -> io::Result<Syncer> {
        let file = file.try_clone()?;
        let shared: Arc<Shared> = Arc::default();
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("records".to_owned())
            .spawn(move || of_thread.run(&file))?;
        Ok(Syncer {
            shared,
            thread: Some(thread),
        })
    }

    /// Asks for all that is written by now to be synchronized.
    pub(super) fn request(&self) {
        self.shared.lock().requested = true;
        self.shared.changed.notify_one();
    }

    /// Whether a synchronization failed that nobody has been told of.
    ///
    /// # Errors
    /// If one has.
    pub(super) fn failure(&self) -> io::Result<()> {
        self.shared.lock().failure.take().map_or(Ok(()), Err)
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        self.shared.lock().ending = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // It does not panic; if it did, there would be nothing left to wait for.
            let _ = thread.join();
        }
    }
}
