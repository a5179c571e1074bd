//! Systems without child subreapers: the process group is ended, and nothing is counted.

use super::super::files::Size;
use super::{Census, ChildEnd, wait_for};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::collections::HashSet;
use std::io;

/// Nothing can be adopted here.
pub(in super::super) fn become_subreaper() -> io::Result<()> {
    Ok(())
}

/// Waits for the first process, without blocking. If it has ended, its group is ended first, while the number is still
/// its own.
pub(in super::super) fn reap(first: Option<Pid>) -> io::Result<Option<ChildEnd>> {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    match first {
        Some(first) if waitid(WaitId::Pid(first), look)?.is_some() => {
            let _ = kill_process_group(first, Signal::KILL);
            wait_for(Some(first))
        }
        _ => Ok(None),
    }
}

/// These systems do not list them.
pub(in super::super) fn own_children() -> Vec<Pid> {
    Vec::new()
}

/// The state of a process, which these systems do not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Status;

impl Status {
    pub fn is_alive(self) -> bool {
        false
    }

    pub fn is_stopped(self) -> bool {
        false
    }

    pub fn may_run(self) -> bool {
        false
    }
}

/// Descendants cannot be listed: the group of the first process stands for them.
pub(in super::super) fn signal_descendants(
    first: Option<Pid>,
    signal: Signal,
    _: impl FnMut(Pid, Status) -> bool,
) {
    if let Some(first) = first {
        let _ = kill_process_group(first, signal);
    }
}

/// Without child subreapers no supervisor leaves processes to this one.
pub(in super::super) fn end_strays() -> usize {
    0
}

/// Processes cannot be counted here.
pub(in super::super) fn census(_: Pid, _: Census) -> Census {
    Census::default()
}

/// Open files cannot be listed here.
pub(in super::super) fn unnamed_files(_: Pid, _: &HashSet<u64>, _: usize) -> Size {
    Size::default()
}

/// Memory cannot be measured here.
pub(in super::super) fn resident(_: Pid) -> u64 {
    0
}
