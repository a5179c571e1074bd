//! One call of a program, from its start under a supervisor to its end: [`run`] writes its input, reads its output,
//! checks its limits and returns all as a [`Run`].

use super::confinement::{Bounds, Confined};
use super::excess::{CENSUS, Excess, Overseer};
use super::files::Size;
use super::limits::Limits;
use super::pipes::{OwnEnds, Pipes};
use super::process_tree::become_subreaper;
use super::supervisor::{End, Order, Supervisor};
use engine::sync::lock;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How long the output of leftover processes is read at most. Their supervisor ends them long before.
const LINGERING: Duration = Duration::from_secs(10);

/// The outcome of a call.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its standard output, with that of the processes that outlived it until they were ended.
    pub stdout: Vec<u8>,
    /// Whether it wrote more than the limit, for which it was ended.
    pub stdout_cut: bool,
    /// The end of what it wrote to standard error.
    pub stderr_tail: Vec<u8>,
    pub status: ExitStatus,
    /// From just before it was started to its end.
    pub wall: Duration,
    /// Processor time, user and system, of it and of those of its children that it waited for.
    pub cpu: Duration,
    /// The most bytes of memory resident at a time in it or in one of those children. Linux counts
    /// from before the program is loaded, so that this is never less than the calling process's
    /// own size at that time.
    pub peak_memory: u64,
    /// The time for its answer: the referee's, or its own where that is shorter.
    pub late_after: Duration,
    /// Whether it was ended because its time was over.
    pub timed_out: bool,
    /// Whether it stays, and ended by itself before it answered.
    pub unanswered: bool,
    /// The limit that it exceeded, if it was ended for that.
    pub excess: Option<Excess>,
    /// The processes that outlived it and were ended.
    pub leftovers: usize,
    /// Its changes to its own files, in words. New files, and all in its `support/`, are no change.
    pub changed: Option<String>,
}

impl Run {
    /// By how much the answer was late.
    pub fn late_by(&self) -> Option<Duration> {
        self.wall
            .checked_sub(self.late_after)
            .filter(|late| !late.is_zero())
    }
}

/// A program that is to be started, and where.
pub(super) struct Call<'a> {
    pub program: PathBuf,
    /// Its name in messages, if it was given one; otherwise its path.
    pub label: Option<String>,
    /// The arguments of its command line.
    pub arguments: Vec<OsString>,
    pub current: PathBuf,
    /// The files and port that a confined program keeps; it also inherits little of the environment. `None`:
    /// not confined.
    pub confined: Option<Confined>,
    /// The folders that it alone may write to.
    pub own: Vec<PathBuf>,
    /// The size of these folders before the call.
    pub before: Size,
    /// Additions to its environment.
    pub variables: &'a [(OsString, OsString)],
    /// Whether its standard error is this process's own rather than read.
    pub errors_shown: bool,
    /// Whether nobody reads its standard output.
    pub mute: bool,
}

impl Call<'_> {
    /// Its name in messages.
    pub fn name(&self) -> String {
        let path = || self.program.display().to_string();
        self.label.clone().unwrap_or_else(path)
    }
}

/// Supervisors without a program, kept for the next calls.
#[derive(Debug, Default)]
pub(super) struct Idle(Mutex<Vec<Supervisor>>);

impl Idle {
    fn supervisors(&self) -> MutexGuard<'_, Vec<Supervisor>> {
        lock(&self.0)
    }
}

/// Calls a program and leaves nothing of it behind.
pub(super) fn run(call: Call, input: &[u8], limits: &Limits, idle: &Idle) -> io::Result<Run> {
    let is_confined = call.confined.is_some();
    let supervisor = idle.supervisors().pop();
    // The environment is fixed when a supervisor starts, and is another one for confined programs.
    let supervisor = supervisor.filter(|idle| idle.is_confined() == is_confined);
    let process = Process::start(call, limits, supervisor)?;
    let (run, supervisor) = process.finish(input, limits)?;
    idle.supervisors().extend(supervisor);
    Ok(run)
}

/// A program that has been started.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) supervisor: Supervisor,
    pub(super) overseer: Overseer,
    pub(super) streams: OwnEnds,
}

impl Process {
    /// Starts a program, under an idle supervisor if there is one.
    pub(super) fn start(
        call: Call,
        limits: &Limits,
        idle: Option<Supervisor>,
    ) -> io::Result<Process> {
        // A supervisor that is killed leaves its program to this process.
        become_subreaper()?;
        let (streams, others) = OwnEnds::new(call.mute, call.errors_shown)?;
        let name = call.name();
        let order = Order {
            program: call.program,
            arguments: call.arguments,
            current: call.current,
            bounds: Bounds {
                threads: limits.threads(),
                keeps_cores: limits.cores.is_some(),
                counts_memory: limits.memory.is_some(),
            },
            cores: limits.cores.clone(),
            confined: call.confined,
        };
        let supervisor = Supervisor::start(&order, &name, &others, call.variables, idle)?;
        Ok(Process {
            overseer: Overseer::new(supervisor.own(), limits, call.own, call.before),
            supervisor,
            streams,
        })
    }

    /// Feeds and reads it until it has ended. Then nothing of it is left but its supervisor.
    pub(super) fn finish(
        self,
        input: &[u8],
        limits: &Limits,
    ) -> io::Result<(Run, Option<Supervisor>)> {
        let Process {
            mut supervisor,
            mut overseer,
            streams,
        } = self;
        let mut pipes = Pipes::of(streams, input, limits.stdout_limit, limits.stderr_tail)?;
        let watched = watch(&mut supervisor, &mut overseer, &mut pipes, limits)?;
        // Leftover processes may hold the pipes, and are read until they are ended.
        let begun = Instant::now();
        while !supervisor.is_gone(Duration::ZERO)? && begun.elapsed() < LINGERING {
            pipes.pump(supervisor.fd(), Some(LINGERING))?;
        }
        let (leftovers, idle) = supervisor.conclude()?;
        pipes.finish();
        let run = Run {
            stdout_cut: pipes.is_cut(),
            stdout: pipes.stdout.kept.into_bytes(),
            stderr_tail: pipes.stderr.kept.into_bytes(),
            status: watched.end.status,
            wall: watched.end.wall,
            cpu: watched.end.cpu,
            peak_memory: watched.end.peak_memory,
            late_after: limits.late,
            timed_out: watched.timed_out,
            unanswered: false,
            // A short call may end before the first look at its folders.
            excess: watched.excess.or_else(|| overseer.look_at_folders()),
            leftovers,
            changed: None,
        };
        Ok((run, idle))
    }
}

/// The outcome up to the end of the first process.
struct Watched {
    end: End,
    timed_out: bool,
    excess: Option<Excess>,
}

/// Keeps the streams going until the first process has ended, by itself or by force.
fn watch(
    supervisor: &mut Supervisor,
    overseer: &mut Overseer,
    pipes: &mut Pipes,
    limits: &Limits,
) -> io::Result<Watched> {
    let started = Instant::now();
    let mut looked = started;
    let (mut forced, mut timed_out, mut excess) = (false, false, None);
    loop {
        if let Some(end) = supervisor.end_within(Duration::ZERO)? {
            return Ok(Watched {
                end,
                timed_out,
                excess,
            });
        }
        let left = limits.kill.saturating_sub(started.elapsed());
        // Looks are frequent at first, every 20 ms for 160 ms. Then the pause is an eighth of the time so far,
        // 100 ms at most.
        let pause = (started.elapsed() / 8).clamp(CENSUS, 5 * CENSUS);
        if !forced {
            if looked.elapsed() >= pause {
                excess = overseer.look();
                looked = Instant::now();
            }
            // One reason for an end is enough, and a limit or a flood comes before the clock.
            timed_out = left.is_zero() && excess.is_none() && !pipes.is_cut();
            forced = timed_out || excess.is_some() || pipes.is_cut();
            if forced {
                supervisor.link().kill();
            }
        }
        pipes.pump(supervisor.fd(), (!forced).then_some(left.min(pause)))?;
    }
}
