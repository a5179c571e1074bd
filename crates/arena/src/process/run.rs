//! One call of a program: started, fed, read, measured, ended.

use super::confinement::{Confinement, Trouble, inherited, limited};
use super::pipes::Pipes;
use super::process_tree::{self, ProcessTree};
use super::running::{VARIABLE, kill, new_token, running, starting};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// Processes that a program may have at a time unless told otherwise.
pub(super) const MOST_PROCESSES: usize = 256;

/// The time between two counts of a program's processes, at first; later it is up to five times as long.
pub(super) const CENSUS: Duration = Duration::from_millis(20);

/// How often a program is started again that was not even loaded; each time it takes another signal.
const MOST_STARTS: usize = 100;

/// What a call may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// An answer after this time is late; nothing is ended for it.
    pub late: Duration,
    /// After this time the program is ended.
    pub kill: Duration,
    /// Bytes of address space of each of its processes.
    pub memory: Option<u64>,
    /// The numbers of the processor cores it runs on, from 0; all if none are named. Linux only.
    pub cores: Option<Vec<usize>>,
    /// What keeps it away from everything else; nothing if there is none.
    pub confinement: Option<Confinement>,
    /// Processes, the first one included, that it may have at a time; with more of them it is ended.
    /// They are counted now and then, on Linux only.
    pub processes: usize,
    /// Bytes of standard output that are kept; a program that writes more is ended.
    pub stdout_limit: usize,
    /// Bytes kept of the end of standard error.
    pub stderr_tail: usize,
}

impl Default for Limits {
    /// 15 s, ended after 20 s; 1 MB of output, 8 KB of errors; all memory and all cores, 256 processes.
    fn default() -> Limits {
        Limits {
            late: Duration::from_secs(15),
            kill: Duration::from_secs(20),
            memory: None,
            cores: None,
            confinement: None,
            processes: MOST_PROCESSES,
            stdout_limit: 1 << 20,
            stderr_tail: 8 << 10,
        }
    }
}

/// How a call went.
#[derive(Clone, Debug)]
pub struct Run {
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// Whether it wrote more than the limit, for which it was ended.
    pub stdout_cut: bool,
    /// Whether another process still had its standard output open after its end; what such a
    /// process writes until it is ended is part of the output.
    pub stdout_held: bool,
    /// The end of what it wrote to standard error.
    pub stderr_tail: Vec<u8>,
    /// How it ended.
    pub status: ExitStatus,
    /// From just before it was started to its end.
    pub wall: Duration,
    /// Processor time, user and system, of it and of those of its children that it waited for.
    pub cpu: Duration,
    /// The most bytes of memory resident at a time in it or in one of those children. Linux counts
    /// from before the program is loaded, so that this is never less than the calling process's
    /// own size at that time.
    pub peak_memory: u64,
    /// Whether it was ended because its time was over.
    pub timed_out: bool,
    /// Whether it was ended because it had more processes than it may have.
    pub crowded: bool,
    /// The processes that outlived it and were ended.
    pub leftovers: usize,
    /// What it has changed of its own files, in words, other than in its `support/`. Files that it made
    /// beside them are no change.
    pub changed: Option<String>,
}

impl Run {
    /// By how much the answer was late.
    pub fn late_by(&self, limits: &Limits) -> Option<Duration> {
        self.wall
            .checked_sub(limits.late)
            .filter(|late| !late.is_zero())
    }
}

/// What is started, and where.
pub(super) struct Call<'a> {
    /// The executable, absolute.
    pub program: PathBuf,
    /// What it is told on its command line.
    pub arguments: Vec<OsString>,
    /// Its current directory.
    pub current: PathBuf,
    /// Of a program that is confined, where its launcher tells of trouble. It inherits little of the
    /// environment.
    pub confined: Option<Trouble>,
    /// Additions to its environment.
    pub variables: &'a [(OsString, OsString)],
    /// Whether its standard error is this process's own rather than read.
    pub errors_shown: bool,
    /// Whether nobody reads its standard output.
    pub mute: bool,
}

/// Calls a program and leaves nothing of it behind.
pub(super) fn run(call: &Call, input: &[u8], limits: &Limits) -> io::Result<Run> {
    Process::start(call, limits)?.finish(input, limits)
}

/// A process that has been started and not been waited for, so that its id cannot become another's.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) child: Child,
    started: Instant,
    pub(super) tree: ProcessTree,
    trouble: Option<Trouble>,
    reaped: bool,
}

impl Process {
    pub(super) fn start(call: &Call, limits: &Limits) -> io::Result<Process> {
        process_tree::become_subreaper()?;
        let token = new_token();
        let mut command = command(call, limits);
        command.env(VARIABLE, &token);
        let _starting = starting();
        let mut started = Instant::now();
        let spawn = || {
            started = Instant::now();
            on_cores(limits.cores.as_deref(), || command.spawn())
        };
        let child = first_loaded(spawn, process_tree::was_never_loaded).map_err(|error| {
            let program = call.program.display();
            // A launcher that is not there is nothing that the program has done.
            let kind = match call.confined {
                Some(_) => ErrorKind::Other,
                None => kind(&error),
            };
            io::Error::new(kind, format!("cannot start {program}: {error}"))
        })?;
        let tree = ProcessTree::of(Pid::from_child(&child), token, call.current.clone());
        Ok(Process {
            child,
            started,
            tree,
            trouble: call.confined.clone(),
            reaped: false,
        })
    }

    /// The number of its process group.
    pub(super) fn leader(&self) -> Pid {
        self.tree.leader()
    }

    /// Feeds and reads it until it has ended; nothing of it is left then.
    pub(super) fn finish(mut self, input: &[u8], limits: &Limits) -> io::Result<Run> {
        let mut pipes = Pipes::of(
            &mut self.child,
            input,
            limits.stdout_limit,
            limits.stderr_tail,
        )?;
        let (timed_out, crowded) = self.watch(&mut pipes, limits)?;
        let wall = self.started.elapsed();
        let (leftovers, end) = self.conclude(|| pipes.finish())?;
        let stdout_held = pipes.stdout.is_open();
        self.check_confined()?;
        Ok(Run {
            stdout_cut: pipes.is_cut(),
            stdout: pipes.stdout.kept.into_bytes(),
            stdout_held,
            stderr_tail: pipes.stderr.kept.into_bytes(),
            status: end.status,
            wall,
            cpu: end.rusage.utime + end.rusage.stime,
            peak_memory: end.rusage.maxrss,
            timed_out,
            crowded,
            leftovers,
            changed: None,
        })
    }

    /// Keeps the streams going until the process has ended, by itself or by force; says whether its
    /// time was over, and whether its processes were too many.
    fn watch(&self, pipes: &mut Pipes, limits: &Limits) -> io::Result<(bool, bool)> {
        let ended = process_tree::exit_fd(self.leader());
        let mut forced = false;
        let (mut timed_out, mut crowded) = (false, false);
        let mut counted = self.started;
        loop {
            let left = limits.kill.saturating_sub(self.started.elapsed());
            let pause = (self.started.elapsed() / 8).clamp(CENSUS, 5 * CENSUS);
            if !forced && counted.elapsed() >= pause {
                crowded = process_tree::count(self.leader(), limits.processes) > limits.processes;
                counted = Instant::now();
            }
            if !forced && (left.is_zero() || pipes.is_cut() || crowded) {
                forced = true;
                timed_out = left.is_zero() && !pipes.is_cut() && !crowded;
                self.kill();
            }
            if self.wait(pipes, ended.as_ref(), (!forced).then_some(left.min(pause)))? {
                return Ok((timed_out, crowded));
            }
        }
    }

    /// Whether the program was confined as it should be.
    ///
    /// # Errors
    /// If not.
    pub(super) fn check_confined(&self) -> io::Result<()> {
        self.trouble.as_ref().map_or(Ok(()), Trouble::check)
    }

    /// Waits for the process or its streams; says whether it has ended.
    fn wait(
        &self,
        pipes: &mut Pipes,
        ended: Option<&OwnedFd>,
        timeout: Option<Duration>,
    ) -> io::Result<bool> {
        if ended.is_some() {
            return pipes.pump(ended, timeout);
        }
        // Where the system cannot tell of its end, it is asked for it every millisecond.
        let short = Duration::from_millis(1);
        pipes.pump(None, Some(timeout.map_or(short, |time| time.min(short))))?;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.leader()), options)?.is_some())
    }

    /// Kills its process group.
    pub(super) fn kill(&self) {
        kill(self.leader());
    }

    /// After the end of the process that was started: ends the processes that outlive it, and waits
    /// for it. Returns how many they were. `before` is done while they are still there.
    pub(super) fn conclude(&mut self, before: impl FnOnce()) -> io::Result<(usize, wait4::ResUse)> {
        let outlived = self.tree.has_leftovers();
        before();
        let leftovers = if outlived {
            self.tree.end_leftovers()
        } else {
            0
        };
        Ok((leftovers, self.reap()?))
    }

    fn reap(&mut self) -> io::Result<wait4::ResUse> {
        self.reaped = true;
        if let Some(signs) = running().get_mut(&self.leader()) {
            signs.reaped = true;
        }
        loop {
            match self.child.wait4() {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                end => return end,
            }
        }
    }
}

impl Drop for Process {
    /// After an error on our side.
    fn drop(&mut self) {
        if !self.reaped {
            self.kill();
            self.tree.end_leftovers();
            let _ = self.reap();
        }
    }
}

/// Starts a process until one gets as far as its program. A new process is in this one's process group for a moment, and
/// dies of a signal to the group that this one survives: its program has not even begun then.
fn first_loaded(
    mut spawn: impl FnMut() -> io::Result<Child>,
    was_never_loaded: impl Fn(Pid) -> bool,
) -> io::Result<Child> {
    let mut child = spawn()?;
    for _ in 0..MOST_STARTS {
        if !was_never_loaded(Pid::from_child(&child)) {
            break;
        }
        child.wait()?;
        child = spawn()?;
    }
    Ok(child)
}

/// The kind of an error at the start; the library has none for a file that is no program.
fn kind(error: &io::Error) -> ErrorKind {
    let no_program = rustix::io::Errno::NOEXEC.raw_os_error();
    match error.raw_os_error() {
        Some(code) if code == no_program => ErrorKind::InvalidData,
        _ => error.kind(),
    }
}

fn command(call: &Call, limits: &Limits) -> Command {
    let mut command = match limits.memory {
        None => Command::new(&call.program),
        Some(bytes) => {
            let (shell, arguments) = limited(bytes, &call.program);
            let mut command = Command::new(shell);
            command.args(arguments);
            command
        }
    };
    let output = if call.mute {
        Stdio::null()
    } else {
        Stdio::piped()
    };
    if call.confined.is_some() {
        command.env_clear().envs(inherited());
    }
    command
        .args(&call.arguments)
        .current_dir(&call.current)
        .envs(call.variables.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(output)
        .stderr(match call.errors_shown {
            true => Stdio::inherit(),
            false => Stdio::piped(),
        })
        .process_group(0);
    command
}

/// Starts something on these cores: a process inherits them from the thread that starts it.
#[cfg(target_os = "linux")]
fn on_cores<T>(cores: Option<&[usize]>, start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let Some(cores) = cores else {
        return start();
    };
    let mut set = CpuSet::new();
    for &core in cores {
        if core >= CpuSet::MAX_CPU {
            return Err(io::Error::new(
                ErrorKind::InvalidInput,
                format!("there is no core {core}"),
            ));
        }
        set.set(core);
    }
    let before = sched_getaffinity(None)?;
    sched_setaffinity(None, &set).map_err(|error| {
        io::Error::new(
            ErrorKind::InvalidInput,
            format!("cannot run on the cores {cores:?}: {error}"),
        )
    })?;
    let outcome = start();
    // These cores were good enough before; should they be gone, the system has chosen others.
    let _ = sched_setaffinity(None, &before);
    outcome
}

#[cfg(not(target_os = "linux"))]
fn on_cores<T>(_: Option<&[usize]>, start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    start()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_loaded_is_started_again() {
        let mut starts = 0;
        let start = || {
            starts += 1;
            let _starting = starting();
            Command::new("true").spawn()
        };
        let left = std::cell::Cell::new(3);
        let lost = |_| {
            left.set(left.get() - 1);
            left.get() > 0
        };
        let mut child = first_loaded(start, lost).unwrap();
        assert!(child.wait().unwrap().success());
        assert_eq!(starts, 3);
    }
}
