//! A program that runs, and the processes that it leaves behind.
//!
//! Leftover processes are found among the children of this process, to which the system gives every
//! orphan below it, and told apart by their process group, by a variable of their environment, and by
//! their current directory. A process that gets rid of all three is still found, and is put down to
//! the one run that can have started it, if there is only one.

use rustix::process::Pid;
use std::fs;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
#[path = "process_tree/other_systems.rs"]
mod linux;

pub(super) use linux::{ProcessTree, become_subreaper, count, exit_fd, resident, was_never_loaded};

/// The most memory that was resident in a process, in bytes (proc(5), `VmHWM`); none if it has ended, or the system does not tell.
pub(super) fn peak_memory(process: Pid) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
