//! The programs that run now, and those that are just being started.

use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::HashMap;
use std::mem;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::{SystemTime, UNIX_EPOCH};

/// The variable that tells which run a process belongs to.
pub(super) const VARIABLE: &str = "CONTEST_RUN";

/// A value of [`VARIABLE`] that no other run has.
pub(super) fn new_token() -> String {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = now.map_or(0, |time| time.as_nanos());
    format!("{}-{run}-{nanos:x}", process::id())
}

/// Held for reading while a process is started. It is started in two steps, and between them it holds
/// every file that this process has open, and is not known as a program's yet.
static STARTS: RwLock<()> = RwLock::new(());

/// The programs, by the process that was started, which leads its process group.
static RUNNING: LazyLock<Mutex<Running>> = LazyLock::new(Mutex::default);

/// The programs that run, by the process that was started.
pub(super) type Running = HashMap<Pid, Signs>;

/// What tells which run a process belongs to, besides its process group.
#[derive(Clone, Debug)]
pub(super) struct Signs {
    /// The value of a variable of its environment.
    pub token: String,
    /// The current directory it was started in.
    pub folder: PathBuf,
    /// Whether the process that was started is being waited for: from then on its number may become
    /// another's, and no signal may be sent to it.
    pub reaped: bool,
}

/// To be held while a process is started and entered into [`running`].
pub(super) fn starting() -> RwLockReadGuard<'static, ()> {
    STARTS.read().unwrap_or_else(PoisonError::into_inner)
}

/// Does something while no process is being started. A file written meanwhile can be executed at
/// once: a child about to be started would have it open for writing ("text file busy").
pub(super) fn without_starts<T>(action: impl FnOnce() -> T) -> T {
    let _none = STARTS.write().unwrap_or_else(PoisonError::into_inner);
    action()
}

/// The programs that run now.
pub(super) fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills the process group of a program that runs; nothing if it is being waited for.
pub(super) fn kill(leader: Pid) {
    let running = running();
    if running.get(&leader).is_some_and(|signs| !signs.reaped) {
        // It can only fail when no process is left.
        let _ = kill_process_group(leader, Signal::KILL);
    }
}

/// Kills every program that runs. From now on none is started, and none can be waited for.
pub(super) fn kill_all() {
    // Both are held for ever. The first waits for programs that are just being started.
    mem::forget(STARTS.write().unwrap_or_else(PoisonError::into_inner));
    let running = running();
    for (&leader, _) in running.iter().filter(|(_, signs)| !signs.reaped) {
        // It can only fail when no process is left.
        let _ = kill_process_group(leader, Signal::KILL);
    }
    mem::forget(running);
}
