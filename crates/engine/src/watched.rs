//! A job on another thread, and a wait for it that ends at a deadline.
//!
//! A program that must answer in time leaves files and searches to such jobs. Its first thread only waits, and
//! answers without a job that is late.

use crate::sync::lock;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, Thread};
use std::time::Instant;

/// A job on another thread. The thread that spawned it waits for it.
///
/// To notice the deadline the waiting thread needs no lock that another one holds, no memory and no file: however
/// starved the machine is, it can answer without the job. A job that nobody waits for any more goes on until it,
/// or the process, ends.
///
/// ```
/// use engine::watched::{Job, Unfinished};
/// use std::time::{Duration, Instant};
///
/// let soon = Instant::now() + Duration::from_secs(60);
/// assert_eq!(Job::spawn("sum", || 1 + 1).unwrap().wait_until(soon), Ok(2));
/// let job = Job::spawn("sleeper", || loop { std::thread::park() }).unwrap();
/// assert_eq!(job.wait_until(Instant::now()), Err::<(), _>(Unfinished::Late));
/// ```
#[derive(Debug)]
pub struct Job<T>(Arc<Shared<T>>);

/// The reason why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// The deadline came first.
    Late,
    /// The job ended without a result: it panicked.
    Died,
}

/// The state that the job's thread and the waiting thread share.
#[derive(Debug)]
struct Shared<T> {
    result: Mutex<Option<T>>,
    /// Set when the job no longer touches `result`, whether it has put a result there or not.
    over: AtomicBool,
    /// The thread to wake when the job is over.
    waiting: Thread,
}

/// Wakes the waiting thread when the job is over. It does so by being dropped, so after a panic, too.
struct Over<T>(Arc<Shared<T>>);

impl<T> Drop for Over<T> {
    fn drop(&mut self) {
        // First the flag, then the wake-up: the waiting thread looks at the flag before it sleeps again.
        self.0.over.store(true, Ordering::Release);
        self.0.waiting.unpark();
    }
}

impl<T: Send + 'static> Job<T> {
    /// Starts a job on a thread with a name.
    ///
    /// # Errors
    /// If the system grants no further thread.
    pub fn spawn(name: &str, job: impl FnOnce() -> T + Send + 'static) -> io::Result<Job<T>> {
        let shared = Arc::new(Shared {
            result: Mutex::new(None),
            over: AtomicBool::new(false),
            waiting: thread::current(),
        });
        let over = Over(Arc::clone(&shared));
        let run = move || {
            let result = job();
            *lock(&over.0.result) = Some(result);
        };
        thread::Builder::new().name(name.into()).spawn(run)?;
        Ok(Job(shared))
    }

    /// Waits for the result, on the thread that spawned the job.
    ///
    /// # Errors
    /// If there is none when the deadline comes.
    pub fn wait_until(self, deadline: Instant) -> Result<T, Unfinished> {
        loop {
            // The lock is taken only after this flag is set. Before that the job may hold it while the system gives it
            // no processor time, and this thread would wait beyond its deadline.
            if self.0.over.load(Ordering::Acquire) {
                return lock(&self.0.result).take().ok_or(Unfinished::Died);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Unfinished::Late);
            }
            // It may wake up without a reason, so the loop checks everything again.
            thread::park_timeout(left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    fn far() -> Instant {
        Instant::now() + Duration::from_secs(3600)
    }

    #[test]
    fn a_result_comes_through_and_a_panic_is_told() {
        for n in 0..200 {
            assert_eq!(Job::spawn("n", move || n).unwrap().wait_until(far()), Ok(n));
        }
        let dies = Job::spawn("dies", || panic!("meant to"));
        let result: Result<(), _> = dies.unwrap().wait_until(far());
        assert_eq!(result, Err(Unfinished::Died));
    }

    #[test]
    fn a_job_that_hangs_is_left_alone() {
        let (open, gate) = channel::<()>();
        let (told, result) = channel();
        let job = Job::spawn("hangs", move || {
            let _ = gate.recv();
            let _ = told.send("went on");
        });
        let soon = Instant::now() + Duration::from_millis(1);
        assert_eq!(job.unwrap().wait_until(soon), Err(Unfinished::Late));
        drop(open);
        assert_eq!(result.recv(), Ok("went on"));
    }

    /// A wake-up by another thread does not end the wait.
    #[test]
    fn a_wake_up_without_a_result_is_none() {
        let waiting = thread::current();
        let (open, gate) = channel::<()>();
        let job = Job::spawn("late", move || {
            let _ = gate.recv();
            7
        });
        let wake = thread::spawn(move || {
            for _ in 0..100 {
                waiting.unpark();
                thread::yield_now();
            }
            drop(open);
        });
        assert_eq!(job.unwrap().wait_until(far()), Ok(7));
        wake.join().unwrap();
    }
}
