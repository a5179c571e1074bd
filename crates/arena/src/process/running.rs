//! The supervisors that run now, and a lock for the time in which one is just being started. [`kill_all`] ends all of
//! them before this process ends itself.

use super::supervisor::Link;
use engine::sync::lock;
use rustix::process::Pid;
use std::collections::HashMap;
use std::mem;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

/// Held for reading while a process is started, in two steps: fork and exec. Between the steps the child
/// has every file open that this process has, and it is not in the list of supervisors yet.
static STARTS: RwLock<()> = RwLock::new(());

/// The supervisors of programs. If both are needed, [`STARTS`] is locked first.
static RUNNING: LazyLock<Mutex<HashMap<Pid, Link>>> = LazyLock::new(Mutex::default);

/// How long the ends of all programs are waited for.
const ENDING: Duration = Duration::from_secs(2);

/// To be held while a process is started and entered into the list.
pub(super) fn starting() -> RwLockReadGuard<'static, ()> {
    STARTS.read().unwrap_or_else(PoisonError::into_inner)
}

/// Does something while no process is being started. A file written meanwhile can be executed at
/// once: a child about to be started would have it open for writing ("text file busy").
pub(super) fn without_starts<T>(action: impl FnOnce() -> T) -> T {
    let _none = STARTS.write().unwrap_or_else(PoisonError::into_inner);
    action()
}

/// The list of supervisors, locked.
pub(super) fn running() -> MutexGuard<'static, HashMap<Pid, Link>> {
    lock(&RUNNING)
}

/// The entry of a supervisor in the list, until this is dropped.
#[derive(Debug)]
pub(super) struct Entry(Pid);

impl Entry {
    pub(super) fn new(supervisor: Pid, link: Link) -> Entry {
        running().insert(supervisor, link);
        Entry(supervisor)
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        running().remove(&self.0);
    }
}

/// Kills every program that runs. From now on none is started, and none can be waited for.
pub(super) fn kill_all() {
    // Both locks are held for ever. The first is free only when no program is just being started.
    mem::forget(STARTS.write().unwrap_or_else(PoisonError::into_inner));
    let running = running();
    running.values().for_each(Link::hang_up);
    for link in running.values() {
        link.is_closed_within(ENDING);
    }
    mem::forget(running);
}
