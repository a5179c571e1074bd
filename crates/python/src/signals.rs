//! Ctrl-C in a call of a batch whose opponents think: it ends the call before their next action.

use crate::workers::LOOK;
use games::batch::BatchError;
use games::{AnyHistory, Id};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use rayon::ThreadPool;
use seats::{Failure, Maker, Seat};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The signals that come in a batch's call.
pub(crate) struct Signals {
    /// Whether an exception ends the call: opponents choose nothing any more.
    ended: AtomicBool,
    /// The exception that a signal has raised.
    raised: Mutex<Option<PyErr>>,
    /// The time of the last look.
    looked: Mutex<Instant>,
}

impl Signals {
    pub(crate) fn new() -> Arc<Signals> {
        Arc::new(Signals {
            ended: AtomicBool::new(false),
            raised: Mutex::new(None),
            looked: Mutex::new(Instant::now()),
        })
    }

    /// A maker of the same players, which look for signals before they choose.
    pub(crate) fn watched(self: &Arc<Signals>, maker: Maker) -> Maker {
        let signals = Arc::clone(self);
        Arc::new(move |seed| {
            Box::new(Watched {
                seat: maker(seed),
                signals: Arc::clone(&signals),
            })
        })
    }

    /// Makes a call of the batch. Python tells signals to its first thread alone, so with a `pool` this thread looks
    /// for them while those of the pool play.
    ///
    /// # Errors
    /// The exception of a signal.
    pub(crate) fn during(
        &self,
        py: Python<'_>,
        pool: Option<&ThreadPool>,
        call: impl FnOnce() -> Result<(), BatchError> + Send,
    ) -> PyResult<Result<(), BatchError>> {
        self.ended.store(false, Ordering::Relaxed);
        let done = py.detach(|| match pool {
            None => call(),
            Some(pool) => pool.in_place_scope(|scope| {
                let (told, news) = mpsc::channel();
                scope.spawn(move |_| drop(told.send(call())));
                loop {
                    match news.recv_timeout(LOOK) {
                        Ok(done) => return done,
                        Err(RecvTimeoutError::Timeout) => self.look(),
                        // The call has panicked, which the scope passes on.
                        Err(RecvTimeoutError::Disconnected) => return Ok(()),
                    }
                }
            }),
        });
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        raised.take().map_or(Ok(done), Err)
    }

    fn look(&self) {
        if let Err(signal) = Python::attach(|py| py.check_signals()) {
            self.end(signal);
        }
    }

    /// Ends the call with an exception, unless another one has.
    fn end(&self, signal: PyErr) {
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        raised.get_or_insert(signal);
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Looks if it is time to.
    fn look_again(&self) {
        if let Ok(mut looked) = self.looked.try_lock()
            && looked.elapsed() >= LOOK
        {
            *looked = Instant::now();
            self.look();
        }
    }
}

/// An opponent that chooses nothing after a signal.
struct Watched {
    seat: Box<dyn Seat>,
    signals: Arc<Signals>,
}

impl Seat for Watched {
    fn choose(&mut self, history: &dyn AnyHistory) -> Result<Id, Failure> {
        self.signals.look_again();
        if self.signals.ended.load(Ordering::Relaxed) {
            return Err(Failure::Stopped);
        }
        let chosen = self.seat.choose(history);
        // Within a function of Python the interpreter itself has looked. A batch reports the first failure of its games,
        // which may be another one.
        if let Err(Failure::Other(error)) = &chosen
            && let Some(error) = error.downcast_ref::<PyErr>()
        {
            Python::attach(|py| {
                if error.is_instance_of::<PyKeyboardInterrupt>(py) {
                    self.signals.end(error.clone_ref(py));
                }
            });
        }
        chosen
    }
}
