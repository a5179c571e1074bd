//! Requests to stop a program: Ctrl-C, or another signal to end it. Long commands of `lab` and `contest` ask here
//! whether to finish early; `arena::process` learns here that programs may end by the same signal.

use challenge::program::StopSignals;
use rustix::process::Signal;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use thiserror::Error;
use tokio::signal::unix::{SignalKind, signal};

/// Exit status of a program that an interrupt ended: 128 plus the number of the signal.
const INTERRUPTED: u8 = 130;

/// The end of a run that was asked to stop before it was done.
#[derive(Debug, Error)]
#[error("stopped before its end")]
pub struct Interrupted;

impl From<Interrupted> for ExitCode {
    fn from(_: Interrupted) -> ExitCode {
        ExitCode::from(INTERRUPTED)
    }
}

/// Number of requests to stop.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// Proof that this process watches for requests to stop; made by [`requested`].
#[derive(Clone, Copy, Debug)]
pub struct Requested(());

impl Requested {
    /// Whether somebody asked to stop.
    pub fn is_set(self) -> bool {
        COUNT.load(Ordering::Relaxed) > 0
    }

    /// Breaks off once somebody has asked to stop.
    pub fn flow(self) -> ControlFlow<()> {
        match self.is_set() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Whether the first request to stop ends the program at once; see [`Idle`].
static IDLE: AtomicBool = AtomicBool::new(false);

/// As [`Requested::is_set`], for code that does not know whether this process watches: false if it does not.
pub fn has_been_requested() -> bool {
    COUNT.load(Ordering::Relaxed) > 0
}

/// While this exists, nothing is worth finishing: the first request to stop ends the program.
#[derive(Debug)]
pub struct Idle(());

impl Idle {
    /// Begins an idle time. Ends the program at once if it has been asked to stop before.
    pub fn begin() -> Idle {
        // First the mark, then the count. A request after the mark ends the program in its handler, and one before
        // it is found in the count; in the other order a request between the two would be missed.
        IDLE.store(true, Ordering::SeqCst);
        if has_been_requested() {
            give_up();
        }
        Idle(())
    }
}

impl Drop for Idle {
    fn drop(&mut self) {
        IDLE.store(false, Ordering::SeqCst);
    }
}

/// Watches for requests to stop from now on. After the first request, what has begun is finished (of a whole
/// game of rounds the round); the second gives it up and ends the program. To be called once in a process.
pub fn requested() -> Requested {
    handle(|| match COUNT.fetch_add(1, Ordering::SeqCst) {
        0 if !IDLE.load(Ordering::SeqCst) => {
            let text = "\nstopping after the work under way; once more to stop at once";
            // The terminal may be gone: that is a reason to stop, too.
            let _ = writeln!(io::stderr(), "{text}");
        }
        _ => give_up(),
    });
    Requested(())
}

/// From now on, ends this program and all programs that it has started at the first request to stop. Started
/// programs have their own process groups, which Ctrl-C does not reach. To be called once in a process.
pub fn ends_all() {
    handle(|| give_up());
}

/// Ends all programs that this one has started, and then this one.
fn give_up() -> ! {
    arena::process::end_all();
    std::process::exit(INTERRUPTED.into());
}

/// From now on a write past the limit on the size of files (`ulimit -f`) is an error of this write. Otherwise it would
/// end this process, which leaves temporary files behind. Programs that this one starts do not inherit that.
///
/// # Errors
/// If the operating system grants no handler.
pub(super) fn outlive_large_writes() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let _inside = runtime.enter();
    // The handler stays when both are gone.
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw())).map(drop)
}

/// Calls the handler for every request to stop. Started programs may have received the signal as well, so
/// `arena::process` is asked not to count an end by it as their fault.
fn handle(handler: impl FnMut() + Send + 'static) {
    match watch(handler) {
        Ok(()) => arena::process::expect_stop(),
        Err(error) => super::complain(&format!("Ctrl-C will not stop cleanly: {error}")),
    }
}

/// Calls the handler for every signal from now on, in its own thread.
fn watch(mut handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    // Signals are awaited in a thread with its own small runtime, since a signal handler itself may
    // do almost nothing.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    // Signals must be registered before this returns, or an early one would end the process.
    let mut signals = {
        let _inside = runtime.enter();
        StopSignals::new()?
    };
    let watching = move || {
        runtime.block_on(async {
            loop {
                signals.recv().await;
                arena::process::asked_to_stop();
                handler();
            }
        });
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(watching)
        .map(drop)
}

/// Turns an error into success if by `is_stopped` it only says that a program was ended by the signal that asked
/// to stop.
pub fn unless_stopped<E>(
    played: Result<(), E>,
    is_stopped: impl FnOnce(&E) -> bool,
) -> Result<(), E> {
    match played {
        Err(error) if is_stopped(&error) => Ok(()),
        played => played,
    }
}
