//! Threads that survive a fork, and a thread that can be given up.
//!
//! `fork(2)` copies the thread that calls it and no other: in the child a pool of threads is a list of threads that
//! do not exist, and work that is given to it is never done. Python's `multiprocessing` forks by default before 3.14.
//! So a pool here knows its process, and a child makes its own.

use crate::convert::value_error;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::OnceLock;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use std::{mem, process, thread};

/// The most threads that a pool may have: more than any machine has use for, and few enough to be made.
pub(crate) const MOST: usize = 256;

/// A pool of threads that belongs to one process.
pub(crate) struct Workers {
    threads: usize,
    owner: u32,
    /// Always there until `drop`.
    pool: Option<ThreadPool>,
}

impl Workers {
    /// # Errors
    /// If the threads cannot be started.
    pub(crate) fn new(threads: usize) -> PyResult<Workers> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Workers {
            threads,
            owner: process::id(),
            pool: Some(pool.map_err(value_error)?),
        })
    }

    /// The pool of this process: in a forked child a new one at the first call.
    ///
    /// # Errors
    /// If its threads cannot be started.
    pub(crate) fn pool(&mut self) -> PyResult<Option<&ThreadPool>> {
        if self.owner != process::id() {
            *self = Workers::new(self.threads)?;
        }
        Ok(self.pool.as_ref())
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        // A pool of the parent is left as it is: ending it would wait for threads that are not there.
        if self.owner != process::id() {
            mem::forget(self.pool.take());
        }
    }
}

/// The time after which a waiting thread looks for signals: Python tells them to its first thread alone.
pub(crate) const LOOK: Duration = Duration::from_millis(100);

/// Does something long on a thread of its own, and asks the interpreter for signals meanwhile. An exception that a
/// signal raises, as Ctrl-C does, ends the wait: the thread goes on to its end, and what it had is lost.
///
/// # Errors
/// That exception, or if the thread cannot be started or has failed.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    what: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (told, news) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        // Nobody waits any more after an interrupt.
        let _ = told.send(what());
    })?;
    py.detach(move || {
        loop {
            match news.recv_timeout(LOOK) {
                Ok(done) => return Ok(done),
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the player has failed"));
                }
            }
        }
    })
}

/// Does something that may use rayon's global pool. That serves the process which has imported this package: in a
/// forked child the work is done on threads that are made for this call.
pub(crate) fn here<T: Send>(what: impl FnOnce() -> T + Send) -> T {
    static FIRST: OnceLock<u32> = OnceLock::new();
    // Threads of a pool of this process work on that one.
    let is_in_pool = rayon::current_thread_index().is_some();
    if is_in_pool || *FIRST.get_or_init(process::id) == process::id() {
        return what();
    }
    match ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(what),
        // Without a thread nothing could be done in parallel either.
        Err(_) => what(),
    }
}
