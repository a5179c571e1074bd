//! Being asked to stop: by Ctrl-C, or a signal to end.

use challenge::program::StopSignals;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use thiserror::Error;

/// Exit status of a program that an interrupt ended (128 and the signal's number).
const INTERRUPTED: u8 = 130;

/// The end of a run that somebody asked to stop before it had done what it should.
#[derive(Debug, Error)]
#[error("stopped before its end")]
pub struct Interrupted;

impl From<Interrupted> for ExitCode {
    fn from(_: Interrupted) -> ExitCode {
        ExitCode::from(INTERRUPTED)
    }
}

/// How often somebody asked to stop.
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

/// Whether nothing is under way that is worth finishing.
static IDLE: AtomicBool = AtomicBool::new(false);

/// Whether somebody has asked this process to stop, and it waited for [`requested`].
pub fn has_been_requested() -> bool {
    COUNT.load(Ordering::Relaxed) > 0
}

/// As long as this is there nothing is under way that is worth finishing: the first request to stop ends the program.
#[derive(Debug)]
pub struct Idle(());

impl Idle {
    /// From now on; at once if somebody has asked before.
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

/// Watches out for requests to stop from now on: at the first one, games under way are finished; at
/// the second they are given up and the program ends. To be called once in a process.
pub fn requested() -> Requested {
    handle(|| match COUNT.fetch_add(1, Ordering::SeqCst) {
        0 if !IDLE.load(Ordering::SeqCst) => {
            let text = "\nstopping when what is under way is finished; once more gives it up";
            // The terminal may be gone: that is a reason to stop, too.
            let _ = writeln!(io::stderr(), "{text}");
        }
        _ => give_up(),
    });
    Requested(())
}

/// Ends this program and all that it has started as soon as somebody asks to stop. Programs are in
/// process groups of their own, which Ctrl-C does not reach. To be called once in a process.
pub fn ends_all() {
    handle(|| give_up());
}

fn give_up() -> ! {
    arena::process::end_all();
    std::process::exit(INTERRUPTED.into());
}

/// Programs may have received the signal as well: before anything else is done it is noted that what they do then is not
/// their doing.
fn handle(handler: impl FnMut() + Send + 'static) {
    match watch(handler) {
        Ok(()) => arena::process::expect_stop(),
        Err(error) => super::complain(&format!("Ctrl-C will not stop cleanly: {error}")),
    }
}

/// Calls the handler in a thread of its own, for every signal from now on.
fn watch(mut handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
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

/// What a run has come to: that programs ended by the signal that asked to stop is what was asked for, and no failure.
pub fn unless_stopped<E>(
    played: Result<(), E>,
    is_stopped: impl FnOnce(&E) -> bool,
) -> Result<(), E> {
    match played {
        Err(error) if is_stopped(&error) => Ok(()),
        played => played,
    }
}
