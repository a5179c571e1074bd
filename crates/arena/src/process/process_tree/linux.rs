//! Descendants under Linux, found by way of `/proc` (see proc(5)).

use super::super::files::Size;
use super::super::files::room;
use super::super::running::{running, without_starts};
use super::{Census, ChildEnd, peak_memory, wait_for};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, pidfd_open, pidfd_send_signal,
    set_child_subreaper, waitpid,
};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// How long the kernel may take to end a process. Only one that hangs in it takes longer.
const DYING: Duration = Duration::from_secs(5);
/// The pause between two looks at processes that are being ended.
const STEP: Duration = Duration::from_millis(1);

/// Makes this process the parent of all orphans below it (prctl(2), `PR_SET_CHILD_SUBREAPER`).
pub(in super::super) fn become_subreaper() -> io::Result<()> {
    static DONE: OnceLock<rustix::io::Result<()>> = OnceLock::new();
    Ok((*DONE.get_or_init(|| set_child_subreaper(Some(getpid()))))?)
}

/// Waits for one child that has ended, whichever it is, without blocking. `_first` is for other systems only.
pub(in super::super) fn reap(_first: Option<Pid>) -> io::Result<Option<ChildEnd>> {
    wait_for(None)
}

/// The children of this process.
pub(in super::super) fn own_children() -> Vec<Pid> {
    children("self")
}

/// Sends a signal to all that descends from this process and is chosen. To be called while no child of this process
/// is waited for, so that the numbers of children stay theirs.
///
/// Other descendants may end at any time, and their numbers may be given to new processes. So the process with a
/// number is held by a descriptor first. Only then its parent is checked, and the signal goes to the descriptor.
pub(in super::super) fn signal_descendants(
    _first: Option<Pid>,
    signal: Signal,
    mut is_chosen: impl FnMut(Pid, Status) -> bool,
) {
    let mut waiting: Vec<(Pid, Pid)> = Vec::new();
    let add = |waiting: &mut Vec<(Pid, Pid)>, parent: Pid, children: Vec<Pid>| {
        waiting.extend(children.into_iter().map(|child| (child, parent)));
    };
    add(&mut waiting, getpid(), own_children());
    while let Some((pid, parent)) = waiting.pop() {
        let held = pidfd_open(pid, PidfdFlags::empty());
        let Some(status) = Status::of(pid).filter(|status| status.parent == Some(parent)) else {
            continue;
        };
        if is_chosen(pid, status) {
            // It can only fail when the process has ended.
            let _ = match held {
                Ok(held) => pidfd_send_signal(held, signal),
                Err(_) => kill_process(pid, signal),
            };
        }
        add(&mut waiting, pid, children(&pid.to_string()));
    }
}

/// Ends the processes that a killed supervisor has left to this one, and returns their number. They are the children
/// in another session that are not supervisors themselves: all other children are in this process's session, and
/// none of the left ones can be.
pub(in super::super) fn end_strays() -> usize {
    let begun = Instant::now();
    let mut ended = HashSet::new();
    let own_session = Status::of(getpid()).map(|own| own.session);
    let is_elsewhere =
        |pid| Status::of(pid).is_some_and(|status| Some(status.session) != own_session);
    loop {
        // A supervisor that is just being started is not in the list yet.
        let strays: Vec<Pid> = without_starts(|| {
            let running = running();
            let is_stray = |&pid: &Pid| !running.contains_key(&pid) && is_elsewhere(pid);
            own_children().into_iter().filter(is_stray).collect()
        });
        for &stray in &strays {
            if Status::of(stray).is_some_and(Status::is_alive) {
                ended.insert(stray);
            }
            // Nobody else waits for it: the number is still its own.
            let _ = kill_process(stray, Signal::KILL);
            let _ = waitpid(Some(stray), WaitOptions::NOHANG);
        }
        if strays.is_empty() || begun.elapsed() >= DYING {
            return ended.len();
        }
        thread::sleep(STEP);
    }
}

/// Counts the descendants of a process and their threads; stops as soon as there are more than `most`.
pub(in super::super) fn census(ancestor: Pid, most: Census) -> Census {
    let mut census = Census::default();
    visit(ancestor, |_, status| {
        census.processes += 1;
        census.threads += status.threads;
        census.processes <= most.processes && census.threads <= most.threads
    });
    census
}

/// The bytes of memory that all descendants of a process hold: what was resident at most in each of them, added up.
pub(in super::super) fn resident(ancestor: Pid) -> u64 {
    let mut bytes = 0;
    visit(ancestor, |pid, _| {
        bytes += peak_memory(pid).unwrap_or(0);
        true
    });
    bytes
}

/// The files on one of these devices that descendants of a process hold open or map, and that have no name any more
/// (proc(5), `/proc/PID/fd` and `/proc/PID/maps`): the room that they take is free only when they are closed. Stops as
/// soon as there are more than `most`.
pub(in super::super) fn unnamed_files(ancestor: Pid, devices: &HashSet<u64>, most: usize) -> Size {
    let (mut open, mut mapped) = (Files::new(), Files::new());
    visit(ancestor, |pid, status| {
        // A thread may have a table of open files of its own (unshare(2), `CLONE_FILES`). A process that has just ended
        // has none.
        let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter();
        let tables = threads
            .flatten()
            .flatten()
            .map(|thread| thread.path().join("fd"));
        let files = tables
            .filter_map(|table| fs::read_dir(table).ok())
            .flatten();
        open.extend(files.flatten().filter_map(|file| {
            // This follows the link to the open file itself.
            let file = fs::metadata(file.path()).ok()?;
            let is_unnamed = file.is_file() && file.nlink() == 0;
            let is_counted = is_unnamed && devices.contains(&file.dev());
            is_counted.then(|| ((file.dev(), file.ino()), room(file.len(), file.blocks())))
        }));
        let maps = fs::read(format!("{}/maps", status.folder(pid))).unwrap_or_default();
        let maps = String::from_utf8_lossy(&maps);
        for (file, end) in maps.lines().filter_map(unnamed_map) {
            if devices.contains(&file.0) {
                let known = mapped.entry(file).or_default();
                *known = end.max(*known);
            }
        }
        open.len().max(mapped.len()) <= most
    });
    together(&open, &mapped)
}

/// Bytes of files by device and number.
type Files = HashMap<(u64, u64), u64>;

/// The size of open and of mapped files. What is open has a length; a map may be far longer than its file, as those of
/// databases are, so its end counts only where nobody has the file open.
fn together(open: &Files, mapped: &Files) -> Size {
    let only_mapped = || mapped.iter().filter(|(file, _)| !open.contains_key(file));
    let bytes = open.values().chain(only_mapped().map(|(_, end)| end));
    Size {
        files: open.len() + only_mapped().count(),
        bytes: bytes.fold(0, |sum, &bytes| sum.saturating_add(bytes)),
    }
}

/// The device and number of the file without a name that a line of `/proc/PID/maps` tells of, and the bytes up to the
/// end of the part that is mapped: the system does not tell the length of a file that is not open.
fn unnamed_map(line: &str) -> Option<((u64, u64), u64)> {
    let mut fields = line.strip_suffix(" (deleted)")?.split_ascii_whitespace();
    let hex = |text| u64::from_str_radix(text, 16).ok();
    let (start, end) = fields.next()?.split_once('-')?;
    let offset = fields.nth(1)?;
    let (major, minor) = fields.next()?.split_once(':')?;
    let number = fields.next()?.parse().ok()?;
    let device = |text| u32::from_str_radix(text, 16).ok();
    let device = rustix::fs::makedev(device(major)?, device(minor)?);
    let mapped = hex(end)?.checked_sub(hex(start)?)?;
    Some(((device, number), hex(offset)?.checked_add(mapped)?))
}

/// Calls `look` for each living descendant of a process, and not for itself, until it returns false.
fn visit(ancestor: Pid, mut look: impl FnMut(Pid, Status) -> bool) {
    let mut seen = HashSet::new();
    let mut waiting = children(&ancestor.to_string());
    while let Some(pid) = waiting.pop() {
        let Some(status) = Status::of(pid).filter(|_| seen.insert(pid)) else {
            continue;
        };
        if status.is_alive() && !look(pid, status) {
            return;
        }
        waiting.extend(children(&pid.to_string()));
    }
}

/// The kernel's flag `PF_EXITING`.
const EXITING: u32 = 4;

/// The system's data on a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Status {
    state: u8,
    flags: u32,
    parent: Option<Pid>,
    /// In a container it is 0 if the session began outside.
    session: u32,
    threads: usize,
    /// The thread that the data are of, if the first one has ended and others go on.
    thread: Option<Pid>,
}

impl Status {
    /// None if there is no such process any more.
    ///
    /// A process whose first thread has ended looks as if it had ended itself, and what it holds is not in its own
    /// folder of `/proc` any more. As long as another thread goes on, the state is that thread's. So it is while the first
    /// thread is in an uninterruptible wait, which tells nothing of the others.
    fn of(pid: Pid) -> Option<Status> {
        let first = Status::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)?;
        if first.threads <= 1 || first.is_alive() && !first.waits() {
            return Some(first);
        }
        let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter();
        let living = threads.flatten().flatten().find_map(|thread| {
            let status = fs::read_to_string(thread.path().join("status")).ok()?;
            let stat = fs::read_to_string(thread.path().join("stat")).ok()?;
            let found = Status::parse(&stat)?;
            let thread = self::pid(thread.file_name().to_str()?);
            // Beside a first thread that waits, one that waits as well is nothing new.
            let goes_on = found.is_alive() && !(first.is_alive() && found.waits());
            (goes_on && !is_being_killed(&status)).then_some(Status { thread, ..found })
        });
        // In the task's folder the parent, the session and the number of threads are those of the process.
        Some(living.unwrap_or(first))
    }

    /// The folder in `/proc` that tells what the process holds.
    fn folder(self, pid: Pid) -> String {
        match self.thread {
            Some(thread) => format!("/proc/{pid}/task/{thread}"),
            None => format!("/proc/{pid}"),
        }
    }

    fn parse(stat: &str) -> Option<Status> {
        // The name in brackets may hold anything.
        let (_, fields) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
        // These are the fields of proc(5) from the third on: state 3, parent 4, session 6, flags 9, threads 20.
        Some(Status {
            state: *fields.first()?.as_bytes().first()?,
            flags: fields.get(6)?.parse().ok()?,
            parent: pid(fields.get(1)?),
            session: fields.get(3)?.parse().ok()?,
            threads: fields.get(17)?.parse().ok()?,
            thread: None,
        })
    }

    /// Whether it has not ended and is not about to.
    pub fn is_alive(self) -> bool {
        !matches!(self.state, b'Z' | b'X') && self.flags & EXITING == 0
    }

    /// Whether it was stopped by a signal.
    pub fn is_stopped(self) -> bool {
        matches!(self.state, b'T' | b't')
    }

    /// Whether it is in an uninterruptible wait, after which it takes the signals that have come. A program waits so while
    /// a child that `vfork(2)` has made is stopped before it executes another program: for as long as both are to rest.
    fn waits(self) -> bool {
        self.state == b'D'
    }

    /// Whether it runs code of its own or may do so at any time, until a signal stops it.
    pub fn may_run(self) -> bool {
        self.is_alive() && !self.is_stopped() && !self.waits()
    }
}

/// Whether a thread is to die of SIGKILL as soon as it gets a processor (proc(5), `SigPnd`). When a process ends, each
/// of its threads gets this signal. A thread that waits for a processor to die is not one that goes on.
fn is_being_killed(status: &str) -> bool {
    let pending = status.lines().find_map(|line| line.strip_prefix("SigPnd:"));
    let pending = pending.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    pending.is_some_and(|mask| mask & (1 << (Signal::KILL.as_raw() - 1)) != 0)
}

/// The number of a process. The 0 of a parent outside of the container is none.
fn pid(text: &str) -> Option<Pid> {
    let number = text.parse().ok().filter(|&number| number > 0)?;
    Pid::from_raw(number)
}

/// The children of all threads of a process. What vanishes while it is read has none.
fn children(process: &str) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else {
        return Vec::new();
    };
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("children")).ok());
    lists
        .flat_map(|list| {
            let pids = list.split_ascii_whitespace().filter_map(pid);
            pids.collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read_whatever_the_name() {
        let stat = "77 (a) Z 1 (b) S 1 55 55 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 3 0 900 2 3";
        let status = Status::parse(stat).unwrap();
        assert_eq!(status.parent, Pid::from_raw(1));
        assert_eq!(status.threads, 3);
        assert_eq!(status.session, 55);
        assert!(status.is_alive() && !status.is_stopped());
        let ending = Status::parse(&stat.replace("4194560", "4195340")).unwrap();
        assert!(!ending.is_alive());
        // In a container, a first process that was started from outside has parent and session 0.
        let contained = Status::parse(&stat.replace("S 1 55 55", "S 0 0 0")).unwrap();
        assert_eq!((contained.parent, contained.session), (None, 0));
        let other = |state| Status::parse(&stat.replace(") S", state)).unwrap();
        assert!(!other(") Z").is_alive());
        assert!(other(") T").is_stopped() && other(") T").is_alive());
        let may_run = [") R", ") S", ") D", ") T", ") Z"].map(|state| other(state).may_run());
        assert_eq!(may_run, [true, true, false, false, false]);
        assert_eq!(
            Status::parse(&stat.replace("S 1", "S 0")).unwrap().parent,
            None
        );
        assert_eq!(Status::parse("77 (a"), None);
        assert_eq!(Status::parse("77 (a) S"), None);
    }

    #[test]
    fn a_mapped_file_without_a_name_is_read() {
        let line = "7f00a0000000-7f00a0003000 rw-s 00001000 08:02 77   /tmp/a b (deleted)";
        let file = (rustix::fs::makedev(8, 2), 77);
        assert_eq!(unnamed_map(line), Some((file, 0x4000)));
        // It has a name, or is no file.
        assert_eq!(unnamed_map(line.trim_end_matches(" (deleted)")), None);
        assert_eq!(unnamed_map("7f-80 rw-p 0 00:00 (deleted)"), None);
        // Of an open file the length counts, however much is mapped.
        let (open, other) = (HashMap::from([(file, 0x1000)]), (file.0, 78));
        let size = together(&open, &HashMap::from([(file, 1 << 31), (other, 0x4000)]));
        assert_eq!((size.files, size.bytes), (2, 0x5000));
    }

    #[test]
    fn this_process_has_a_status() {
        let status = Status::of(getpid()).unwrap();
        assert!(status.is_alive() && !status.is_stopped() && status.threads > 0);
    }
}
