//! Requests to stop, by Ctrl-C or a signal to end.

use challenge::program::StopSignals;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use thiserror::Error;

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

/// Whether somebody asked to stop.
#[derive(Clone, Copy, Debug)]
pub struct Requested(());

impl Requested {
    /// Whether somebody asked to stop.
    pub fn is_set(self) -> bool {
        COUNT.load(Ordering::Relaxed) > 0
    }
}

/// Whether nothing is going on that is worth finishing.
static IDLE: AtomicBool = AtomicBool::new(false);

/// Whether this process has received a request to stop while it watched for them by [`requested`].
pub fn has_been_requested() -> bool {
    COUNT.load(Ordering::Relaxed) > 0
}

/// While this exists, nothing is worth finishing: the first request to stop ends the program.
#[derive(Debug)]
pub struct Idle(());

impl Idle {
    /// Begins such a time. Ends the program at once if it has been asked to stop before.
    pub fn begin() -> Idle {
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

/// Watches for requests to stop from now on. After the first, games that have begun are finished;
/// the second gives them up and ends the program. To be called once in a process.
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

/// Ends this program and all programs that it has started, at the first request to stop. They are
/// in process groups of their own, which Ctrl-C does not reach. To be called once in a process.
pub fn ends_all() {
    handle(|| give_up());
}

/// Ends all programs and then this one.
fn give_up() -> ! {
    arena::process::end_all();
    std::process::exit(INTERRUPTED.into());
}

/// Programs may have received the signal as well. It is noted first that from then on what they do
/// is not their fault.
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

/// Turns an error into success if it only says that a program ended by the signal that asked to
/// stop: that end was asked for.
pub fn unless_stopped<E>(
    played: Result<(), E>,
    is_stopped: impl FnOnce(&E) -> bool,
) -> Result<(), E> {
    match played {
        Err(error) if is_stopped(&error) => Ok(()),
        played => played,
    }
}
