//! Systems without child subreapers: the process group is ended, and nothing is counted.

use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;

/// Nothing can be adopted here.
pub(in super::super) fn adopt_orphans() -> io::Result<()> {
    Ok(())
}

/// There is nothing to wait on for the end of a process.
pub(in super::super) fn end_of(_: Pid) -> Option<OwnedFd> {
    None
}

/// The process group of a run.
#[derive(Debug)]
pub(in super::super) struct Family {
    leader: Pid,
}

impl Family {
    pub(in super::super) fn of(leader: Pid, _: String, _: PathBuf) -> Family {
        Family { leader }
    }

    pub(in super::super) fn leader(&self) -> Pid {
        self.leader
    }

    pub(in super::super) fn outlives(&self) -> bool {
        true
    }

    pub(in super::super) fn end(&self) -> usize {
        let _ = kill_process_group(self.leader, Signal::KILL);
        0
    }
}
