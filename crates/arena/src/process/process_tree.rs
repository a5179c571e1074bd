//! Finds, counts and signals the descendants of a process.

use rustix::process::Pid;
use std::fs;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
#[path = "process_tree/other_systems.rs"]
mod linux;

pub(super) use linux::{
    become_subreaper, before_the_end, census, end_strays, own_children, resident,
    signal_descendants,
};

/// How many processes and threads a program has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Census {
    pub processes: usize,
    /// Of all of them.
    pub threads: usize,
}

/// The most memory that was resident in a process, in bytes (proc(5), `VmHWM`); none if it has ended, or the system does not tell.
pub(super) fn peak_memory(process: Pid) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
