//! Systems without child subreapers: the process group is ended, and nothing is counted.

use super::super::running::{Signs, running};
use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;

/// Nothing can be adopted here.
pub(in super::super) fn become_subreaper() -> io::Result<()> {
    Ok(())
}

/// There is nothing to wait on for the end of a process.
pub(in super::super) fn exit_fd(_: Pid) -> Option<OwnedFd> {
    None
}

/// The system does not tell.
pub(in super::super) fn was_never_loaded(_: Pid) -> bool {
    false
}

/// Processes cannot be counted here.
pub(in super::super) fn count(_: Pid, _: usize) -> usize {
    0
}

/// Nor measured.
pub(in super::super) fn resident(_: Pid, _: bool) -> u64 {
    0
}

/// The process group of a run.
#[derive(Debug)]
pub(in super::super) struct ProcessTree {
    leader: Pid,
}

impl ProcessTree {
    pub(in super::super) fn of(leader: Pid, token: String, folder: PathBuf) -> ProcessTree {
        let signs = Signs {
            token,
            folder,
            reaped: false,
        };
        running().insert(leader, signs);
        ProcessTree { leader }
    }

    pub(in super::super) fn leader(&self) -> Pid {
        self.leader
    }

    pub(in super::super) fn has_leftovers(&self) -> bool {
        true
    }

    pub(in super::super) fn end_leftovers(&self) -> usize {
        let _ = kill_process_group(self.leader, Signal::KILL);
        0
    }
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        running().remove(&self.leader);
    }
}
