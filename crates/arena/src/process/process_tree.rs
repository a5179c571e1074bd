//! Finds, counts and signals the descendants of a process, for supervisors and for referees that check limits.

use rustix::process::Pid;
use std::fs;
use std::io::{self, ErrorKind};
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};
use std::time::Duration;

mod control_group;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
#[path = "process_tree/other_systems.rs"]
mod linux;

pub(super) use control_group::ControlGroup;
pub(super) use linux::{
    become_subreaper, census, end_strays, own_children, reap, resident, signal_descendants,
    unnamed_files,
};

/// How a child ended, and what it and those of its children that it waited for have used.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChildEnd {
    pub pid: Pid,
    /// As wait(2) has it.
    pub status: i32,
    pub cpu: Duration,
    /// Bytes, in one process.
    pub peak_memory: u64,
}

/// Waits for this child, or for any if none is named, without blocking (wait4(2)); none if none has ended.
fn wait_for(child: Option<Pid>) -> io::Result<Option<ChildEnd>> {
    let (mut status, mut usage) = (0, MaybeUninit::zeroed());
    let number = child.map_or(-1, Pid::as_raw_pid);
    // SAFETY: the call writes to the two values, and keeps no pointer. A `rusage` of zeros is a valid value.
    #[expect(unsafe_code)]
    let (ended, usage): (_, libc::rusage) = unsafe {
        let ended = libc::wait4(number, &raw mut status, libc::WNOHANG, usage.as_mut_ptr());
        (ended, usage.assume_init())
    };
    let Some(pid) = Pid::from_raw(ended.max(0)) else {
        let error = io::Error::last_os_error();
        let is_none = ended == 0 || error.raw_os_error() == Some(libc::ECHILD);
        return match is_none || error.kind() == ErrorKind::Interrupted {
            true => Ok(None),
            false => Err(error),
        };
    };
    let time = |time: libc::timeval| {
        let (seconds, micros) = (u64::try_from(time.tv_sec), u64::try_from(time.tv_usec));
        Duration::from_secs(seconds.unwrap_or(0)) + Duration::from_micros(micros.unwrap_or(0))
    };
    // Apple's systems count bytes, all others KiB.
    let unit = if cfg!(target_vendor = "apple") {
        1
    } else {
        1024
    };
    Ok(Some(ChildEnd {
        pid,
        status,
        cpu: time(usage.ru_utime) + time(usage.ru_stime),
        peak_memory: usage.ru_maxrss.unsigned_abs() * unit,
    }))
}

/// How many processes and threads a program has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Census {
    pub processes: usize,
    /// The threads of all processes together.
    pub threads: usize,
}

/// The most memory that was resident in a process, in bytes (proc(5), `VmHWM`); none if it has ended, or the
/// system does not say.
pub(super) fn peak_memory(process: Pid) -> Option<u64> {
    let told = |folder: &Path| {
        let text = fs::read_to_string(folder.join("status")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kilobytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
        Some(kilobytes * 1024)
    };
    let folder = PathBuf::from(format!("/proc/{process}"));
    // Once its first thread has ended, only the others tell.
    told(&folder).or_else(|| {
        let threads = fs::read_dir(folder.join("task")).ok()?;
        threads.flatten().find_map(|thread| told(&thread.path()))
    })
}
