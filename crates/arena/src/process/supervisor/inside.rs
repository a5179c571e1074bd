//! What a supervisor does.
//!
//! Its first thread does what the referee asks for. For each call of a program a second one waits for the ends of
//! all children, and nobody else does: a number of a child means that child until then. The program is started by a
//! third, which confines itself first: what Landlock, seccomp and capabilities take away, they take from a thread and from
//! what it starts, and the supervisor keeps the right to end it.

use super::super::confinement::{self, hide_this_process};
use super::super::process_tree::{self, become_subreaper};
use super::{GO_ON, KILL, ORDER, Order, REST, Report, now};
use engine::sync::lock;
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions, setsid, waitid, waitpid};
use std::collections::HashSet;
use std::io::{self, ErrorKind, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;
use wait4::Wait4;

/// How long a helper that is about to exit may outlive the program.
const GRACE: Duration = Duration::from_millis(50);
/// Between two looks at processes that are being ended or stopped.
const STEP: Duration = Duration::from_millis(1);
/// Looks for processes that are to be stopped; a program that starts more all the time is too busy to think.
const MOST_STOPS: usize = 100;

/// To look for an end and leave it to be waited for.
const LOOK: WaitIdOptions = WaitIdOptions::EXITED.union(WaitIdOptions::NOWAIT);

/// Supervises programs, one after the other, as the referee asks for by the socket that is this process's standard input. When
/// there is no referee any more, it ends the program.
///
/// # Errors
/// If the operating system, or the referee, does not do its part.
pub fn serve() -> io::Result<()> {
    // Whoever leads a group already was started by a person, who gets an error in the next lines.
    let _ = setsid();
    become_subreaper()?;
    hide_this_process();
    let socket = Arc::new(UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?));
    let mut call = None;
    while let Some((letter, streams)) = receive(&socket)? {
        if letter == ORDER {
            let order = receive_order(&socket)?;
            let streams = streams.try_into().map_err(|_| {
                io::Error::new(ErrorKind::InvalidData, "a program has three streams")
            })?;
            let (family, socket) = (Arc::new(Family::default()), Arc::clone(&socket));
            let waiting = Arc::clone(&family);
            let wait = move || waiting.supervise(order, streams, &socket);
            call = Some((family, thread::spawn(wait)));
        } else if let Some((family, _)) = &call {
            match letter {
                KILL => family.end(),
                REST => family.rest(),
                GO_ON => family.go_on(),
                _ => {}
            }
        }
    }
    if let Some((family, waiting)) = call {
        family.end();
        let _ = waiting.join();
    }
    Ok(())
}

/// A letter of the referee, and what comes with it; none when there is no referee any more.
fn receive(socket: &UnixStream) -> io::Result<Option<(u8, Vec<OwnedFd>)>> {
    let mut letter = [0];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut parts = [IoSliceMut::new(&mut letter)];
    let received = loop {
        match recvmsg(socket, &mut parts, &mut control, RecvFlags::CMSG_CLOEXEC) {
            Err(Errno::INTR) => {}
            // It has not read all that it was told.
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

/// What follows the letter: its length, and the order.
fn receive_order(mut socket: &UnixStream) -> io::Result<Order> {
    let mut length = [0; 4];
    socket.read_exact(&mut length)?;
    let mut order = vec![0; u32::from_le_bytes(length) as usize];
    socket.read_exact(&mut order)?;
    Ok(serde_json::from_slice(&order)?)
}

impl Report {
    fn send(&self, mut socket: &UnixStream) -> io::Result<()> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        match socket.write_all(&line) {
            // The referee is dead; that is the other thread's affair.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            sent => sent,
        }
    }
}

/// Starts the program, confined if it is to be.
fn start(order: &Order, [stdin, stdout, stderr]: [OwnedFd; 3]) -> Result<Child, Report> {
    confinement::close_files();
    if let Some(cores) = &order.cores {
        keep_to(cores).map_err(|error| Report::NotStarted(None, error.to_string()))?;
    }
    if let Some(confined) = &order.confined {
        let told = |error: io::Error| Report::Unconfined(error.to_string());
        confined.take_effect().map_err(told)?;
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
    started.map_err(|error| Report::NotStarted(error.raw_os_error(), error.to_string()))
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

/// All that descends from a supervisor in one call of a program.
#[derive(Debug, Default)]
struct Family(Mutex<State>);

/// Whoever holds it knows that no child of the supervisor is waited for meanwhile.
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
}

impl Family {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.0)
    }

    /// Starts a program, and reports how it goes until nothing of it is left.
    fn supervise(
        self: &Arc<Family>,
        order: Order,
        streams: [OwnedFd; 3],
        socket: &UnixStream,
    ) -> io::Result<()> {
        // On a thread of its own, which ends with all that it has given up.
        let started = thread::spawn(move || start(&order, streams)).join();
        let program = started.unwrap_or_else(|_| {
            let text = "the thread that starts programs failed".to_owned();
            Err(Report::NotStarted(None, text))
        });
        let report = match program {
            Ok(program) => {
                let first = Pid::from_child(&program);
                self.state().first = Some(first);
                Report::Started(first.as_raw_pid()).send(socket)?;
                self.wait_for_all(program, socket)?;
                Report::Gone(self.state().leftovers.len())
            }
            Err(report) => report,
        };
        self.state().is_gone = true;
        report.send(socket)
    }

    /// Waits for everything that descends from the supervisor, and reports the end of the first process.
    fn wait_for_all(self: &Arc<Family>, mut program: Child, socket: &UnixStream) -> io::Result<()> {
        let first = Pid::from_child(&program);
        loop {
            match waitid(WaitId::All, LOOK) {
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(Errno::CHILD) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
            let mut state = self.state();
            if state.first.is_some() && has_ended(first)? {
                process_tree::before_the_end(first);
                let end = program.wait4()?;
                state.first = None;
                Report::Ended {
                    status: end.status.into_raw(),
                    cpu: end.rusage.utime + end.rusage.stime,
                    peak_memory: end.rusage.maxrss,
                    at: now(),
                }
                .send(socket)?;
                if !process_tree::own_children().is_empty() {
                    let family = Arc::clone(self);
                    thread::spawn(move || {
                        thread::sleep(GRACE);
                        family.end_all();
                    });
                }
            }
            for orphan in process_tree::own_children() {
                if state.first != Some(orphan) {
                    // One that runs on is waited for another time.
                    let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
                }
            }
        }
    }

    /// Ends everything from now on.
    fn end(self: &Arc<Family>) {
        self.state().is_forced = true;
        let family = Arc::clone(self);
        thread::spawn(move || family.end_all());
    }

    /// Kills everything again and again until nothing is left: the children of one that dies become the supervisor's.
    fn end_all(&self) {
        loop {
            {
                let state = &mut *self.state();
                if state.is_gone {
                    return;
                }
                let counts = state.first.is_none() && !state.is_forced;
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

    fn rest(&self) {
        for _ in 0..MOST_STOPS {
            let state = self.state();
            let mut any = false;
            process_tree::signal_descendants(state.first, Signal::STOP, |_, status| {
                let runs = status.is_alive() && !status.is_stopped();
                any |= runs;
                runs
            });
            if !any {
                break;
            }
        }
    }

    fn go_on(&self) {
        let state = self.state();
        process_tree::signal_descendants(state.first, Signal::CONT, |_, _| true);
    }
}

fn has_ended(process: Pid) -> io::Result<bool> {
    let look = LOOK.union(WaitIdOptions::NOHANG);
    Ok(waitid(WaitId::Pid(process), look)?.is_some())
}
