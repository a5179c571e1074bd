//! Remembers the programs that have run since something was last looked at. If it has changed by then, one of them may
//! have done it (`tampering`).

use engine::sync::lock;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};

/// The programs that run, and those that have run since each watch began.
#[derive(Debug)]
struct Ledger {
    /// The number of the next watch.
    next: u64,
    /// The programs that run, and how often.
    running: BTreeMap<String, usize>,
    watches: BTreeMap<u64, BTreeSet<String>>,
}

/// One ledger for all games: a program could reach the files of another game's programs.
static LEDGER: Mutex<Ledger> = Mutex::new(Ledger {
    next: 0,
    running: BTreeMap::new(),
    watches: BTreeMap::new(),
});

fn ledger() -> MutexGuard<'static, Ledger> {
    lock(&LEDGER)
}

/// Notes that a program of that name runs until this is dropped.
#[derive(Debug)]
pub(super) struct Running(String);

impl Running {
    pub(super) fn new(name: &str) -> Running {
        let ledger = &mut *ledger();
        *ledger.running.entry(name.to_owned()).or_default() += 1;
        // From now on it may change files, so it is a suspect for every watch that is under way.
        for seen in ledger.watches.values_mut() {
            seen.insert(name.to_owned());
        }
        Running(name.to_owned())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let ledger = &mut *ledger();
        if let Some(count) = ledger.running.get_mut(&self.0) {
            // The same program may run for several seats at once.
            *count -= 1;
            if *count == 0 {
                ledger.running.remove(&self.0);
            }
        }
    }
}

/// The names of the programs that run now, in order.
pub(super) fn names() -> Vec<String> {
    ledger().running.keys().cloned().collect()
}

/// Remembers all programs that run from its beginning on.
#[derive(Debug)]
pub(super) struct Watch(u64);

impl Watch {
    pub(super) fn new() -> Watch {
        let ledger = &mut *ledger();
        let number = ledger.next;
        ledger.next += 1;
        // Those that run already may go on to change something.
        let running = ledger.running.keys().cloned().collect();
        ledger.watches.insert(number, running);
        Watch(number)
    }

    /// Begins anew: only those that run now are remembered.
    pub(super) fn restart(&self) {
        let ledger = &mut *ledger();
        let running = ledger.running.keys().cloned().collect();
        ledger.watches.insert(self.0, running);
    }

    /// The programs that have run since it began, sorted by name.
    pub(super) fn seen(&self) -> Vec<String> {
        let seen = ledger().watches.get(&self.0).cloned();
        seen.unwrap_or_default().into_iter().collect()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        ledger().watches.remove(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_runs_is_seen() {
        // Other tests run programs as well, under other names.
        let own = |watch: &Watch| -> Vec<String> {
            let seen = watch.seen().into_iter();
            seen.filter(|name| name.starts_with("suspect-")).collect()
        };
        let early = Running::new("suspect-early");
        let watch = Watch::new();
        assert_eq!(own(&watch), ["suspect-early"]);
        drop(early);
        let both = [Running::new("suspect-b"), Running::new("suspect-b")];
        drop(Running::new("suspect-a"));
        assert_eq!(own(&watch), ["suspect-a", "suspect-b", "suspect-early"]);
        watch.restart();
        assert_eq!(own(&watch), ["suspect-b"]);
        drop(both);
        watch.restart();
        assert_eq!(own(&watch), [""; 0]);
    }
}
