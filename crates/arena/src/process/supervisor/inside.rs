//! The supervisor's own side: it starts programs, waits for them and ends them.
//!
//! Its threads: the first obeys the referee. For each call of a program a second one waits for the ends of all
//! children; no other thread does, so until then a child's number means that child. A third one confines
//! itself and starts the program: Landlock, seccomp and capabilities limit a thread and its descendants, so the
//! supervisor keeps the right to end the program. Two more, started early, end what programs leave, and see that a
//! program that is to rest does.

use super::super::confinement::{self, hide_this_process};
use super::super::process_tree::{self, ControlGroup, become_subreaper};
use super::{GO_ON, KILL, ORDER, Order, REST, Report, now};
use engine::sync::lock;
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, setsid, waitid};
use std::collections::HashSet;
use std::io::{self, ErrorKind, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// How long processes may outlive the program's first one before they are ended: they may be about to exit.
const GRACE: Duration = Duration::from_millis(50);
/// The pause between two looks at processes that are being ended.
const STEP: Duration = Duration::from_millis(1);
/// How many ended children are waited for before the lock is left to other threads for a moment: there may be new ones
/// all the time.
const MOST_REAPED: usize = 1000;
/// How many times in a row the first order to rest looks for processes that still run, and stops them.
const MOST_STOPS: usize = 100;
/// The number of looks that may find something running before everything is ended for it. It is large because a process
/// that waits for a slow disk stops late.
const MOST_RESTLESS: u32 = 100;
/// The pause between two looks at processes that are to rest.
const WATCH: Duration = Duration::from_millis(50);

/// Flags for waitid(2): to notice an ended child, and leave it to be waited for.
const LOOK: WaitIdOptions = WaitIdOptions::EXITED.union(WaitIdOptions::NOWAIT);

/// Supervises programs, one after the other, as the referee asks for by the socket that is this process's
/// standard input. When there is no referee any more, it ends the program.
///
/// # Errors
/// If the operating system, or the referee, does not do its part.
pub fn serve() -> io::Result<()> {
    // This fails only for a group's leader, started by hand: the next lines then report an error.
    let _ = setsid();
    become_subreaper()?;
    hide_this_process();
    let socket = Arc::new(UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?));
    let group = Arc::new(Mutex::new(ControlGroup::new()));
    let (mut call, mut threads) = (None, None);
    while let Some((letter, streams)) = receive(&socket)? {
        if letter == ORDER {
            let order = receive_order(&socket)?;
            let streams = streams.try_into().map_err(|_| {
                io::Error::new(ErrorKind::InvalidData, "a program has three streams")
            })?;
            if order.confined.is_some() {
                confinement::prepare_shared_memory();
            }
            let threads = match &mut threads {
                Some(threads) => Threads::clone(threads),
                none => none.insert(Threads::start()?).clone(),
            };
            let tree = Arc::new(ProcessTree::new(&group, threads));
            let (waiting, reports) = (Arc::clone(&tree), Arc::clone(&socket));
            let wait = move || waiting.supervise(order, streams, &reports);
            match thread::Builder::new().spawn(wait) {
                Ok(waiting) => call = Some((tree, waiting)),
                Err(error) => Report::not_started(&error).send(&socket)?,
            }
        } else if let Some((tree, _)) = &call {
            match letter {
                KILL => tree.end(),
                REST => tree.rest(),
                GO_ON => tree.go_on(),
                _ => {}
            }
        }
    }
    if let Some((tree, waiting)) = call {
        tree.end();
        let _ = waiting.join();
    }
    // Dropped here, which removes it: other threads may hold it until the process exits, and an exit drops nothing.
    drop(lock(&group).take());
    Ok(())
}

/// The ways to the threads that serve all calls. They have to be there before a program is started: when there is most
/// to do, no thread can be started.
#[derive(Clone, Debug)]
struct Threads {
    /// Ends a tree after some time.
    ender: Sender<(Arc<ProcessTree>, Duration)>,
    /// Watches a tree while it is to rest.
    watcher: Sender<Arc<ProcessTree>>,
}

impl Threads {
    fn start() -> io::Result<Threads> {
        let (ender, ends) = mpsc::channel::<(Arc<ProcessTree>, Duration)>();
        thread::Builder::new().spawn(move || {
            for (tree, grace) in ends {
                thread::sleep(grace);
                tree.end_all();
            }
        })?;
        let (watcher, rests) = mpsc::channel::<Arc<ProcessTree>>();
        thread::Builder::new().spawn(move || {
            for tree in rests {
                while tree.still_rests() {
                    thread::sleep(WATCH);
                }
            }
        })?;
        Ok(Threads { ender, watcher })
    }
}

/// A letter of the referee, with the file descriptors sent with it; `None` if there is no referee any more.
fn receive(socket: &UnixStream) -> io::Result<Option<(u8, Vec<OwnedFd>)>> {
    let mut letter = [0];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut parts = [IoSliceMut::new(&mut letter)];
    let received = loop {
        match recvmsg(socket, &mut parts, &mut control, RecvFlags::CMSG_CLOEXEC) {
            Err(Errno::INTR) => {}
            // The referee ended with reports unread.
            Err(Errno::CONNRESET) => return Ok(None),
            received => break received?,
        }
    };
    let messages = control.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(streams) => Some(streams),
        _ => None,
    });
    let streams = messages.flatten().collect();
    Ok((received.bytes > 0).then_some((letter[0], streams)))
}

/// Reads the bytes after the letter: the order's length, then the order.
fn receive_order(mut socket: &UnixStream) -> io::Result<Order> {
    let mut length = [0; 4];
    socket.read_exact(&mut length)?;
    let mut order = vec![0; u32::from_le_bytes(length) as usize];
    socket.read_exact(&mut order)?;
    Ok(serde_json::from_slice(&order)?)
}

impl Report {
    /// The report of an error at the start.
    fn not_started(error: &io::Error) -> Report {
        Report::NotStarted(error.raw_os_error(), error.to_string())
    }

    fn send(&self, mut socket: &UnixStream) -> io::Result<()> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        match socket.write_all(&line) {
            // The referee is dead. The first thread notices that too, and ends everything.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            sent => sent,
        }
    }
}

/// Starts the program, confined if it is to be.
fn start(order: &Order, [stdin, stdout, stderr]: [OwnedFd; 3]) -> Result<Child, Report> {
    confinement::close_files();
    if let Some(cores) = &order.cores {
        keep_to(cores).map_err(|error| Report::not_started(&error))?;
    }
    if let Some(confined) = &order.confined {
        let told = |error: io::Error| Report::Unconfined(error.to_string());
        confined.take_effect(order.bounds).map_err(told)?;
    }
    let started = Command::new(&order.program)
        .args(&order.arguments)
        .current_dir(&order.current)
        .stdin(stdin)
        .stdout(stdout)
        .stderr(stderr)
        // A signal to its group does not reach the supervisor.
        .process_group(0)
        .spawn();
    started.map_err(|error| Report::not_started(&error))
}

/// Keeps this thread, and what it starts, to these cores.
#[cfg(target_os = "linux")]
fn keep_to(cores: &[usize]) -> io::Result<()> {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    for &core in cores {
        if core >= CpuSet::MAX_CPU {
            return Err(io::Error::other(format!("there is no core {core}")));
        }
        set.set(core);
    }
    sched_setaffinity(None, &set)
        .map_err(|error| io::Error::other(format!("cannot run on the cores {cores:?}: {error}")))
}

#[cfg(not(target_os = "linux"))]
fn keep_to(_: &[usize]) -> io::Result<()> {
    Ok(())
}

/// A process tree: all processes that descend from a supervisor in one call of a program.
#[derive(Debug)]
struct ProcessTree {
    /// Where both are needed, `group` is locked first.
    state: Mutex<State>,
    /// The control group that they are in, if there is one.
    group: Arc<Mutex<Option<ControlGroup>>>,
    threads: Threads,
}

/// While it is locked, no child of the supervisor is waited for, so the numbers of its children stay theirs.
#[derive(Debug, Default)]
struct State {
    /// The program's first process, until it has ended and was waited for.
    first: Option<Pid>,
    /// Whether nothing is left.
    is_gone: bool,
    /// Whether all of them were to be ended.
    is_forced: bool,
    /// Those that outlived the first one and had to be ended.
    leftovers: HashSet<Pid>,
    /// Whether all are to rest.
    rests: bool,
    /// Whether the last look since the order to rest found all of them stopped.
    is_quiet: bool,
    /// How many looks since that order found something running.
    restless: u32,
    /// Whether all were ended because they did not rest.
    is_ended_for_it: bool,
}

impl State {
    /// Whether processes that are alive now have outlived the first one by themselves.
    fn counts(&self) -> bool {
        self.first.is_none() && !self.is_forced
    }

    /// Stops everything that runs; returns whether everything was stopped before.
    fn stop(&self) -> bool {
        let mut any = false;
        process_tree::signal_descendants(self.first, Signal::STOP, |_, status| {
            any |= status.may_run();
            status.is_alive() && !status.is_stopped()
        });
        !any
    }
}

impl ProcessTree {
    fn new(group: &Arc<Mutex<Option<ControlGroup>>>, threads: Threads) -> ProcessTree {
        // A group that cannot be entered is given up. Without one, processes are ended one by one.
        let entered = |group: &mut ControlGroup| group.enter().is_ok();
        let _outside = lock(group).take_if(|group| !entered(group));
        ProcessTree {
            state: Mutex::default(),
            group: Arc::clone(group),
            threads,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Starts a program, and reports how it goes until nothing of it is left.
    fn supervise(
        self: &Arc<ProcessTree>,
        order: Order,
        streams: [OwnedFd; 3],
        socket: &UnixStream,
    ) -> io::Result<()> {
        // On another thread: what a thread has given up for the program it never gets back.
        let started = thread::Builder::new().spawn(move || start(&order, streams));
        let program = match started.map(thread::JoinHandle::join) {
            Ok(Ok(program)) => program,
            Ok(Err(_)) => Err(Report::not_started(&io::Error::other(
                "the thread that starts programs failed",
            ))),
            Err(error) => Err(Report::not_started(&error)),
        };
        let report = match program {
            Ok(program) => {
                let first = Pid::from_child(&program);
                self.state().first = Some(first);
                Report::Started(first.as_raw_pid()).send(socket)?;
                self.wait_for_all(socket)?;
                Report::Gone(self.state().leftovers.len())
            }
            Err(report) => report,
        };
        self.state().is_gone = true;
        report.send(socket)
    }

    /// Waits for everything that descends from the supervisor, and reports the end of the first process.
    fn wait_for_all(self: &Arc<ProcessTree>, socket: &UnixStream) -> io::Result<()> {
        loop {
            match waitid(WaitId::All, LOOK) {
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(Errno::CHILD) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
            let mut state = self.state();
            let before = state.first;
            let mut reaped = 0;
            while reaped < MOST_REAPED
                && let Some(end) = process_tree::reap(state.first)?
            {
                reaped += 1;
                // All others are orphans.
                if state.first == Some(end.pid) {
                    state.first = None;
                    Report::Ended {
                        status: end.status,
                        cpu: end.cpu,
                        peak_memory: end.peak_memory,
                        at: now(),
                        was_restless: state.is_ended_for_it,
                    }
                    .send(socket)?;
                }
            }
            let has_ended = before != state.first;
            drop(state);
            if reaped == MOST_REAPED {
                thread::sleep(STEP);
            }
            if has_ended && !process_tree::own_children().is_empty() {
                self.end_all_after(GRACE);
            }
        }
    }

    /// Ends everything from now on.
    fn end(self: &Arc<ProcessTree>) {
        self.state().is_forced = true;
        self.end_all_after(Duration::ZERO);
    }

    /// Ends everything on another thread.
    fn end_all_after(self: &Arc<ProcessTree>, grace: Duration) {
        // The other thread goes on as long as this process.
        let _ = self.threads.ender.send((Arc::clone(self), grace));
    }

    /// Kills everything again and again until nothing is left: the children of one that dies become the supervisor's.
    fn end_all(&self) {
        loop {
            {
                let mut group = lock(&self.group);
                // Once nothing of this tree is left, the group and all descendants belong to the next call.
                if self.state().is_gone {
                    return;
                }
                if let Some(group) = &mut *group {
                    // If this fails, the processes are killed one by one below.
                    let _ = group.kill(|alive| {
                        let state = &mut *self.state();
                        if state.counts() {
                            state.leftovers.extend(alive);
                        }
                    });
                }
            }
            {
                let state = &mut *self.state();
                // The last may have ended since the look above, and the next call have begun.
                if state.is_gone {
                    return;
                }
                let counts = state.counts();
                process_tree::signal_descendants(state.first, Signal::KILL, |pid, status| {
                    if counts && status.is_alive() {
                        state.leftovers.insert(pid);
                    }
                    true
                });
            }
            thread::sleep(STEP);
        }
    }

    /// Stops everything until it may go on.
    fn rest(self: &Arc<ProcessTree>) {
        {
            let state = &mut *self.state();
            (state.rests, state.is_quiet, state.restless) = (true, false, 0);
        }
        // Again and again, since a process that is not stopped yet may start another.
        for _ in 0..MOST_STOPS {
            let state = &mut *self.state();
            if state.stop() {
                state.is_quiet = true;
                break;
            }
        }
        // The other thread goes on as long as this process.
        let _ = self.threads.watcher.send(Arc::clone(self));
    }

    /// Stops everything that runs although it is to rest; returns whether it is still to rest.
    ///
    /// If everything was stopped at the look before, a program that runs now has made itself go on, say by a timer that
    /// sends SIGCONT, to think or to disturb others meanwhile. It is ended. So is a program that is found running at
    /// [`MOST_RESTLESS`] looks.
    fn still_rests(self: &Arc<ProcessTree>) -> bool {
        let state = &mut *self.state();
        if !state.rests || state.is_gone {
            return false;
        }
        let is_stopped = state.stop();
        state.restless += u32::from(!is_stopped);
        if !is_stopped && (state.is_quiet || state.restless == MOST_RESTLESS) {
            (state.is_forced, state.is_ended_for_it) = (true, true);
            self.end_all_after(Duration::ZERO);
            return false;
        }
        state.is_quiet = is_stopped;
        true
    }

    /// Lets everything go on that was stopped.
    fn go_on(&self) {
        let state = &mut *self.state();
        // Before the signal: from here on what runs may run.
        state.rests = false;
        process_tree::signal_descendants(state.first, Signal::CONT, |_, _| true);
    }
}
