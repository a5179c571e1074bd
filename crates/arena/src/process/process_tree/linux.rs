//! Leftover processes under Linux, found by way of `/proc` (see proc(5)).

use super::super::run::MOST_PROCESSES;
use super::super::running::{Signs, VARIABLE, running, without_starts};
use super::peak_memory;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpgrp, getpid, kill_process, kill_process_group,
    pidfd_open, set_child_subreaper, waitpid,
};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// How long a helper that is about to exit may take.
const GRACE: Duration = Duration::from_millis(50);
/// How long the kernel may take to end or load a process. Only one that hangs in it takes longer.
const DYING: Duration = Duration::from_secs(5);
const STEP: Duration = Duration::from_millis(1);

/// Makes this process the parent of all orphans below it (prctl(2), `PR_SET_CHILD_SUBREAPER`).
pub(in super::super) fn become_subreaper() -> io::Result<()> {
    static DONE: OnceLock<rustix::io::Result<()>> = OnceLock::new();
    Ok((*DONE.get_or_init(|| set_child_subreaper(Some(getpid()))))?)
}

/// Becomes readable when the process has ended; none on a kernel without such a thing (before 5.3).
pub(in super::super) fn exit_fd(process: Pid) -> Option<OwnedFd> {
    pidfd_open(process, PidfdFlags::empty()).ok()
}

/// Whether a process that was started, and not waited for, has died before its program was loaded. Whoever starts a process
/// goes on when its program is being loaded, or will not be any more. A signal that came shortly before may still end it while
/// it is loaded, which is not seen here.
pub(in super::super) fn was_never_loaded(process: Pid) -> bool {
    Status::of(process).is_some_and(|status| status.was_never_loaded)
}

/// A program that runs: the process that was started, and all that descends from it.
#[derive(Debug)]
pub(in super::super) struct ProcessTree {
    leader: Pid,
}

impl ProcessTree {
    /// The tree of a process just started with that token in its environment. It is in the list of
    /// running programs until this is dropped.
    pub(in super::super) fn of(leader: Pid, token: String, folder: PathBuf) -> ProcessTree {
        let signs = Signs {
            token,
            folder,
            reaped: false,
        };
        running().insert(leader, signs);
        ProcessTree { leader }
    }

    /// The process that was started.
    pub(in super::super) fn leader(&self) -> Pid {
        self.leader
    }

    /// Waits for [`GRACE`] at most until no process outlives the leader, which has ended and not been
    /// waited for; says whether one does.
    pub(in super::super) fn has_leftovers(&self) -> bool {
        let begun = Instant::now();
        while !self.leftovers().is_empty() {
            if begun.elapsed() >= GRACE {
                return true;
            }
            thread::sleep(STEP);
        }
        false
    }

    /// Kills the processes that outlive the leader until none is left, as killing a parent makes its
    /// children ours. Returns how many there were.
    pub(in super::super) fn end_leftovers(&self) -> usize {
        let begun = Instant::now();
        let mut killed = HashSet::new();
        loop {
            let leftovers = self.leftovers();
            if leftovers.is_empty() || begun.elapsed() >= DYING {
                return killed.len();
            }
            for &(pid, owner) in &leftovers {
                if owner == Owner::This {
                    add_tree(pid, &mut killed);
                }
            }
            let _ = kill_process_group(self.leader, Signal::KILL);
            for (pid, _) in leftovers {
                // It is our child and not waited for: the id is still its own.
                let _ = kill_process(pid, Signal::KILL);
            }
            thread::sleep(STEP);
        }
    }

    /// The orphans that are alive and this run's or no run's.
    fn leftovers(&self) -> Vec<(Pid, Owner)> {
        let mut quiet = 0;
        loop {
            let (alive, any_ended) = orphans(self.leader);
            // Children of one that has ended only now may have come after the list was made; and the
            // list can leave some out while others are waited for elsewhere (proc(5)).
            quiet = if any_ended { 0 } else { quiet + 1 };
            if !alive.is_empty() || quiet == 2 {
                return alive;
            }
        }
    }
}

/// The orphans found at a glance, and whether any had ended; those are waited for.
fn orphans(leader: Pid) -> (Vec<(Pid, Owner)>, bool) {
    let mut orphans = children("self");
    {
        let running = running();
        orphans.retain(|pid| !running.contains_key(pid));
    }
    let mut alive = Vec::new();
    let mut any_ended = false;
    for pid in orphans {
        let Some(orphan) = Status::of(pid) else {
            any_ended = true;
            continue;
        };
        let owner = owner_of(leader, pid, &orphan);
        if owner == Owner::Other {
            continue;
        }
        if orphan.has_ended {
            any_ended = true;
            let _ = waitpid(Some(pid), WaitOptions::NOHANG);
        } else {
            alive.push((pid, owner));
        }
    }
    (alive, any_ended)
}

/// Which run an orphan belongs to.
fn owner_of(leader: Pid, pid: Pid, orphan: &Status) -> Owner {
    let this_or_other = |other| match other == leader {
        true => Owner::This,
        false => Owner::Other,
    };
    // In our own group are the children of other parts of this process.
    if orphan.group == getpgrp() {
        return Owner::Other;
    }
    if running().contains_key(&orphan.group) {
        return this_or_other(orphan.group);
    }
    let token = token(pid);
    let folder = fs::read_link(format!("/proc/{pid}/cwd")).unwrap_or_default();
    // It may be a program that is just being started: then it is known in a moment.
    let running = without_starts(|| running().clone());
    if running.contains_key(&pid) {
        return Owner::Other;
    }
    let owner = running.iter().find(|(_, signs)| match &token {
        Some(token) => *token == signs.token,
        None => folder.starts_with(&signs.folder),
    });
    if let Some((other, _)) = owner {
        return this_or_other(*other);
    }
    let is_older = |status: Status| status.started <= orphan.started;
    match running.len() {
        1 if token.is_none() && Status::of(leader).is_some_and(is_older) => Owner::This,
        _ => Owner::Unknown,
    }
}

/// How many processes a program that runs has, orphans included; no more are counted than `most` and
/// one.
pub(in super::super) fn count(leader: Pid, most: usize) -> usize {
    processes(leader, most).len()
}

/// The bytes of memory that a program holds: of each of its processes what was resident at most, added up. With `loaded` only
/// those count that have become a program of their own: until then a process is a copy of this one, which is larger.
pub(in super::super) fn resident(leader: Pid, loaded: bool) -> u64 {
    let executable = |pid: Pid| fs::read_link(format!("/proc/{pid}/exe")).ok();
    let own = executable(getpid());
    let counts = |pid: &Pid| !loaded || executable(*pid).is_some_and(|other| Some(other) != own);
    let all = processes(leader, MOST_PROCESSES).into_iter();
    all.filter(counts).filter_map(peak_memory).sum()
}

/// The processes of a program that runs, orphans included; no more are looked for than `most` and one.
fn processes(leader: Pid, most: usize) -> HashSet<Pid> {
    let mut found = HashSet::new();
    let mut waiting = vec![leader];
    // Of an orphan it is asked whose it is, which takes longer: there are none most of the time.
    if children("self")
        .iter()
        .any(|pid| !running().contains_key(pid))
    {
        let (alive, _) = orphans(leader);
        let own = alive.iter().filter(|(_, owner)| *owner == Owner::This);
        waiting.extend(own.map(|(pid, _)| *pid));
    }
    while let Some(pid) = waiting.pop() {
        if found.insert(pid) {
            if found.len() > most {
                break;
            }
            waiting.extend(children(&pid.to_string()));
        }
    }
    found
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        running().remove(&self.leader);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// This run.
    This,
    /// Another run, or another part of this process.
    Other,
    /// A run of the past, or one that cannot be found out.
    Unknown,
}

/// The kernel's flag `PF_EXITING`.
const EXITING: u32 = 4;
/// The kernel's flag `PF_FORKNOEXEC`: forked, and nothing executed since.
const NOT_LOADED: u32 = 0x40;

/// What the system tells of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Status {
    has_ended: bool,
    /// Whether it is about to have ended; it may still have children.
    is_ending: bool,
    group: Pid,
    /// Clock ticks from the start of the system to that of the process.
    started: u64,
    /// Whether its program is just being loaded: it has no environment yet.
    is_loading: bool,
    /// Whether it has ended, or is about to, without any program of its own.
    was_never_loaded: bool,
}

impl Status {
    /// None if there is no such process any more.
    fn of(pid: Pid) -> Option<Status> {
        Status::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    fn parse(stat: &str) -> Option<Status> {
        // The name in brackets may hold anything.
        let (_, fields) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
        let has_ended = matches!(*fields.first()?, "Z" | "X");
        let flags: u32 = fields.get(6)?.parse().ok()?;
        let is_ending = flags & EXITING != 0;
        Some(Status {
            has_ended,
            is_ending,
            group: pid(fields.get(2)?)?,
            started: fields.get(19)?.parse().ok()?,
            is_loading: !has_ended && !is_ending && fields.get(48) == Some(&"0"),
            was_never_loaded: (has_ended || is_ending) && flags & NOT_LOADED != 0,
        })
    }
}

/// A process or group; none for the -1 of a process that is just vanishing.
fn pid(text: &str) -> Option<Pid> {
    let number = text.parse().ok().filter(|&number| number > 0)?;
    Pid::from_raw(number)
}

/// The token in the environment of a process; none also if it has ended.
///
/// While a program is being loaded the system shows no environment, or breaks off in the midst of
/// the old one: only what is seen again and again is believed not to be there.
fn token(pid: Pid) -> Option<String> {
    let begun = Instant::now();
    let mut missed = 0;
    while missed < 3 && begun.elapsed() < DYING {
        if missed > 0 {
            thread::sleep(STEP);
        }
        let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
        let token = find_token(&environment);
        if token.is_some() {
            return token;
        }
        missed = if Status::of(pid)?.is_loading {
            1
        } else {
            missed + 1
        };
    }
    None
}

fn find_token(environment: &[u8]) -> Option<String> {
    let mut variables = environment.split(|&byte| byte == 0);
    let value = variables.find_map(|variable| {
        let value = variable.strip_prefix(VARIABLE.as_bytes())?;
        value.strip_prefix(b"=")
    })?;
    Some(String::from_utf8_lossy(value).into_owned())
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

/// Adds a process and what descends from it, as far as it is alive.
fn add_tree(root: Pid, found: &mut HashSet<Pid>) {
    let mut waiting = vec![root];
    while let Some(pid) = waiting.pop() {
        let is_alive = |status: Status| !status.has_ended && !status.is_ending;
        if Status::of(pid).is_some_and(is_alive) && found.insert(pid) {
            waiting.extend(children(&pid.to_string()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read_whatever_the_name() {
        let stat = "77 (a) Z 1 (b) S 1 55 55 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 900 2 3";
        let status = Status::parse(stat).unwrap();
        assert_eq!(status.group.as_raw_pid(), 55);
        assert_eq!(status.started, 900);
        assert!(!status.is_ending);
        let ending = Status::parse(&stat.replace("4194560", "4195340")).unwrap();
        assert!(ending.is_ending && !ending.has_ended);
        // A process is without a program for a moment, and for good only if it ends so.
        let without = |flags| Status::parse(&stat.replace("4194560", flags)).unwrap();
        assert!(!without("4194368").was_never_loaded);
        assert!(without("4194372").was_never_loaded);
        assert!(!without("4194308").was_never_loaded);
        assert!(!status.has_ended);
        assert!(
            Status::parse(&stat.replace(") S", ") Z"))
                .unwrap()
                .has_ended
        );
        assert_eq!(Status::parse(&stat.replace("1 55", "0 -1")), None);
        assert_eq!(Status::parse("77 (a"), None);
        assert_eq!(Status::parse("77 (a) S"), None);
    }

    #[test]
    fn this_process_has_a_status() {
        let status = Status::of(getpid()).unwrap();
        assert_eq!(status.group, getpgrp());
        assert!(!status.has_ended && !status.is_loading && !status.was_never_loaded);
    }
}
