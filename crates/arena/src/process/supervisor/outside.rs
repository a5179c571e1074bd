//! The referee's side of a supervisor: starts one, gives it orders over a [`Link`], and reads its reports.

use super::super::confinement::{Unconfined, inherited};
use super::super::first_line;
use super::super::process_tree;
use super::super::running::{Entry, starting};
use super::super::stop::Stopped;
use super::super::suspects;
use super::{GO_ON, KILL, Launcher, ORDER, Order, REST, Report, launcher, now};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use rustix::process::Pid;
use std::ffi::OsString;
use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of supervisors that are tried if a signal ends each before it starts the program. Until a
/// supervisor leads its own session, it dies of a signal to this process's group.
const MOST_STARTS: usize = 100;

/// The time that the kernel may take to end killed processes. Only one that hangs in the kernel takes longer.
const DYING: Duration = Duration::from_secs(10);

/// The ends of a program's standard streams that the program has.
pub(in super::super) type Streams = [OwnedFd; 3];

/// How the first process of a program ended.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct End {
    pub status: ExitStatus,
    pub cpu: Duration,
    pub peak_memory: u64,
    /// The time since just before the supervisor was started or, if it was idle, since just before it got its order.
    pub wall: Duration,
    /// Whether it was ended because it went on while it was to rest.
    pub was_restless: bool,
}

/// The way to give a supervisor orders.
#[derive(Clone, Debug)]
pub(in super::super) struct Link(Arc<UnixStream>);

impl Link {
    /// Ends the program and all that descends from it.
    pub fn kill(&self) {
        self.say(KILL);
    }

    /// Stops the program and all that descends from it.
    pub fn rest(&self) {
        self.say(REST);
    }

    /// Lets all of these go on.
    pub fn go_on(&self) {
        self.say(GO_ON);
    }

    /// Ends the program, and its supervisor.
    pub fn hang_up(&self) {
        // It can only fail when the supervisor has ended.
        let _ = self.0.shutdown(Shutdown::Write);
    }

    /// Whether the supervisor has ended, or is about to, within `patience`.
    pub fn is_closed_within(&self, patience: Duration) -> bool {
        let begun = Instant::now();
        while let Some(left) = patience.checked_sub(begun.elapsed()) {
            match poll(self.0.as_fd(), PollFlags::empty(), left) {
                Ok(true) => return true,
                Ok(false) => {}
                Err(_) => return false,
            }
        }
        false
    }

    /// Sends a letter. An error is ignored: it means that the supervisor has ended.
    fn say(&self, letter: u8) {
        let _ = (&*self.0).write(&[letter]);
    }
}

/// Waits, not longer than `patience`, until a socket has one of the `flags` or its other end is closed; whether that
/// is so. A signal may end the wait early.
fn poll(socket: BorrowedFd, flags: PollFlags, patience: Duration) -> io::Result<bool> {
    let timeout = Timespec {
        // 2^30 seconds are 34 years, and fit into every system's type of seconds.
        tv_sec: patience.as_secs().min(1 << 30) as _,
        tv_nsec: patience.subsec_nanos().into(),
    };
    let mut fds = [PollFd::from_borrowed_fd(socket, flags)];
    match rustix::event::poll(&mut fds, Some(&timeout)) {
        Ok(count) => Ok(count > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The errors of writing to a process that has ended.
const ENDED: [ErrorKind; 2] = [ErrorKind::BrokenPipe, ErrorKind::ConnectionReset];

/// A supervisor, and the program that runs under it.
#[derive(Debug)]
pub(in super::super) struct Supervisor {
    child: Child,
    link: Link,
    /// Whether its environment is that of programs that are confined.
    is_confined: bool,
    /// In the list of supervisors.
    _entry: Entry,
    /// Bytes of its reports that are not read as lines yet.
    said: Vec<u8>,
    /// The program's first process.
    program: Pid,
    /// When it was about to be started, see [`now`].
    started: Duration,
    end: Option<End>,
    /// How many processes outlived the first one, once nothing is left.
    gone: Option<usize>,
}

impl Supervisor {
    /// Starts a program with these streams, under the idle supervisor if one is given. The program inherits its
    /// supervisor's environment, so that of an idle one must be the same. Messages call the program `name`.
    pub fn start(
        order: &Order,
        name: &str,
        streams: &Streams,
        variables: &[(OsString, OsString)],
        idle: Option<Supervisor>,
    ) -> io::Result<Supervisor> {
        let launcher = launcher()?;
        let mut supervisor = idle;
        for _ in 0..MOST_STARTS {
            let started = now();
            let mut next = match supervisor.take() {
                Some(idle) => idle,
                None => Supervisor::new(launcher, order.confined.is_some(), variables)?,
            };
            next.started = started;
            match next.send(order, streams) {
                Ok(()) => {}
                // A supervisor that was ended by a signal. This shows below.
                Err(error) if ENDED.contains(&error.kind()) => {}
                // Such as too many descriptors of this user on their way between processes (ETOOMANYREFS).
                Err(error) => {
                    let told = with_suspects(error.kind(), error.to_string());
                    return Err(io::Error::other(format!("cannot start {name}: {told}")));
                }
            }
            if next.has_started(order, name)? {
                return Ok(next);
            }
        }
        Err(Stopped.into())
    }

    /// Starts a supervisor, which waits for an order.
    fn new(
        launcher: &Launcher,
        is_confined: bool,
        variables: &[(OsString, OsString)],
    ) -> io::Result<Supervisor> {
        let (own, other) = UnixStream::pair()?;
        let mut command = command(launcher, is_confined, variables, other);
        let _starting = starting();
        // A supervisor that cannot be started is not the program's fault. So the error gets the kind `Other`, for
        // which no program is blamed.
        let told = |error: io::Error| {
            let told = with_suspects(error.kind(), error.to_string());
            io::Error::other(format!("cannot start a supervisor: {told}"))
        };
        let child = command.spawn().map_err(told)?;
        let link = Link(Arc::new(own));
        Ok(Supervisor {
            _entry: Entry::new(Pid::from_child(&child), link.clone()),
            child,
            link,
            is_confined,
            said: Vec::new(),
            program: Pid::INIT,
            started: Duration::ZERO,
            end: None,
            gone: None,
        })
    }

    /// Sends an order, with the streams of its program.
    fn send(&self, order: &Order, streams: &Streams) -> io::Result<()> {
        let order = serde_json::to_vec(order)?;
        // The letter carries the streams as file descriptors (unix(7), SCM_RIGHTS); the order's length and the
        // order follow as plain bytes.
        let length = u32::try_from(order.len()).map_err(|_| ErrorKind::InvalidInput)?;
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        let streams = streams.each_ref().map(OwnedFd::as_fd);
        control.push(SendAncillaryMessage::ScmRights(&streams));
        let letter = [IoSlice::new(&[ORDER])];
        sendmsg(&*self.link.0, &letter, &mut control, SendFlags::NOSIGNAL)?;
        (&*self.link.0).write_all(&[&length.to_le_bytes(), &order[..]].concat())
    }

    /// Whether the program was started. If not, a signal has ended its supervisor before.
    fn has_started(&mut self, order: &Order, name: &str) -> io::Result<bool> {
        let failed =
            |kind, told: String| Err(io::Error::new(kind, format!("cannot start {name}: {told}")));
        match self.next()? {
            Some(Report::Started(number)) => {
                self.program = Pid::from_raw(number).ok_or(ErrorKind::InvalidData)?;
                Ok(true)
            }
            Some(Report::NotStarted(number, told)) => {
                let kind = kind(number);
                let told = with_suspects(kind, told);
                // The system's words do not say that a script's first line is wrong.
                let is_of_program = matches!(kind, ErrorKind::NotFound | ErrorKind::InvalidData);
                let trouble = first_line::trouble_of(&order.program).filter(|_| is_of_program);
                let why = trouble.map_or_else(String::new, |trouble| format!(": {trouble}"));
                failed(kind, told + &why)
            }
            Some(Report::Unconfined(told)) => Err(io::Error::other(Unconfined(told))),
            Some(_) => Err(ErrorKind::InvalidData.into()),
            None => {
                let status = self.child.wait()?;
                // It may have started the program and died before its report.
                process_tree::end_strays();
                match status.signal() {
                    Some(_) => Ok(false),
                    None => failed(ErrorKind::Other, format!("its supervisor: {status}")),
                }
            }
        }
    }

    /// The program's first process. Its number may be another's once it has ended.
    pub fn program(&self) -> Pid {
        self.program
    }

    /// The supervisor's own process, from which all of the program's descend.
    pub fn own(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// The link over which it gets its orders.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// How the first process has ended, if it has, or does so within `patience`.
    pub fn end_within(&mut self, patience: Duration) -> io::Result<Option<End>> {
        self.listen(patience, |supervisor| supervisor.end.is_some())?;
        Ok(self.end)
    }

    /// The socket of its reports: readable when [`Supervisor::end_within`] may find more.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.link.0.as_fd()
    }

    /// Whether nothing of the program is left, now or within `patience`.
    pub fn is_gone(&mut self, patience: Duration) -> io::Result<bool> {
        self.listen(patience, |supervisor| supervisor.gone.is_some())?;
        Ok(self.gone.is_some())
    }

    /// Once the first process has ended: waits until nothing of the program is left. Returns how many processes
    /// outlived it and were ended, and the supervisor, if it can be given another program.
    pub fn conclude(mut self) -> io::Result<(usize, Option<Supervisor>)> {
        if !self.is_gone(DYING)? {
            // Something hangs in the kernel, and counts as one leftover process.
            return Ok((1, None));
        }
        self.end = None;
        let leftovers = self.gone.take().unwrap_or(0);
        Ok((leftovers, self.is_alive().then_some(self)))
    }

    /// Whether its environment is that of programs that are confined.
    pub fn is_confined(&self) -> bool {
        self.is_confined
    }

    /// Whether the supervisor itself still runs.
    fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Reads reports until there is enough, or the time is over.
    fn listen(
        &mut self,
        patience: Duration,
        is_enough: impl Fn(&Supervisor) -> bool,
    ) -> io::Result<()> {
        let begun = Instant::now();
        while !is_enough(self) {
            let left = patience.saturating_sub(begun.elapsed());
            // A line that was read with an earlier one does not make the socket readable, so it is looked for
            // first.
            if !self.said.contains(&b'\n') && !poll(self.fd(), PollFlags::IN, left)? {
                match left.is_zero() {
                    true => return Ok(()),
                    false => continue,
                }
            }
            match self.next()? {
                Some(Report::Ended {
                    status,
                    cpu,
                    peak_memory,
                    at,
                    was_restless,
                }) => {
                    self.end = Some(End {
                        status: ExitStatus::from_raw(status),
                        cpu,
                        peak_memory,
                        wall: at.saturating_sub(self.started),
                        was_restless,
                    });
                }
                Some(Report::Gone(leftovers)) => self.gone = Some(leftovers),
                Some(_) => return Err(ErrorKind::InvalidData.into()),
                None => self.was_killed()?,
            }
        }
        Ok(())
    }

    /// Handles the end of a supervisor before its time. A signal to all processes has ended it, or the program has, where
    /// nothing keeps it from that. The processes that it leaves become children of this process, which ends them.
    fn was_killed(&mut self) -> io::Result<()> {
        let status = self.child.wait()?;
        let wall = now().saturating_sub(self.started);
        let end = || End {
            status,
            cpu: Duration::ZERO,
            peak_memory: 0,
            wall,
            was_restless: false,
        };
        self.end.get_or_insert_with(end);
        self.gone = Some(process_tree::end_strays());
        Ok(())
    }

    /// The next report; none if the supervisor has ended.
    fn next(&mut self) -> io::Result<Option<Report>> {
        let mut buffer = [0; 4096];
        loop {
            if let Some(end) = self.said.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.said.drain(..=end).collect();
                return Ok(Some(serde_json::from_slice(&line)?));
            }
            match (&*self.link.0).read(&mut buffer) {
                Ok(0) => return Ok(None),
                Ok(count) => self.said.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // The supervisor ended with letters unread.
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return Ok(None),
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Supervisor {
    /// It ends with all that it has started, and is waited for unless something hangs in the kernel.
    fn drop(&mut self) {
        self.link.hang_up();
        if self.link.is_closed_within(DYING) {
            let _ = self.child.wait();
        }
    }
}

/// The command that starts a supervisor. Its program inherits its environment.
fn command(
    launcher: &Launcher,
    is_confined: bool,
    variables: &[(OsString, OsString)],
    socket: UnixStream,
) -> Command {
    let mut command = Command::new(&launcher.program);
    if is_confined {
        command.env_clear().envs(inherited());
    }
    command
        .args(&launcher.arguments)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .stdin(OwnedFd::from(socket))
        .stdout(Stdio::null());
    command
}

/// The text of an error at the start. If the system has no processes, threads or memory left, the text names the
/// programs that may hold them.
fn with_suspects(kind: ErrorKind, told: String) -> String {
    match kind {
        ErrorKind::WouldBlock | ErrorKind::OutOfMemory => {
            format!(
                "{told}; programs that run now: {}",
                suspects::names().join(", ")
            )
        }
        _ => told,
    }
}

/// The kind of an error at the start. The standard library has none for a file that is no program (ENOEXEC), so that
/// one counts as invalid data.
fn kind(number: Option<i32>) -> ErrorKind {
    let no_program = rustix::io::Errno::NOEXEC.raw_os_error();
    match number {
        Some(number) if number == no_program => ErrorKind::InvalidData,
        Some(number) => io::Error::from_raw_os_error(number).kind(),
        None => ErrorKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If threads or memory run out, any running program may be the cause, so the message names all of them.
    /// Other errors are the program's own.
    #[test]
    fn a_start_that_fails_for_want_of_room_names_the_programs_that_run() {
        let _running = suspects::Running::new("a program with many threads");
        let told = |kind| with_suspects(kind, "cannot start".to_owned());
        for kind in [ErrorKind::WouldBlock, ErrorKind::OutOfMemory] {
            let told = told(kind);
            assert!(told.starts_with("cannot start; programs that run now: "));
            assert!(told.contains("a program with many threads"), "{told}");
        }
        assert_eq!(told(ErrorKind::NotFound), "cannot start");
        assert_eq!(kind(Some(libc::EAGAIN)), ErrorKind::WouldBlock);
        assert_eq!(kind(Some(libc::ENOMEM)), ErrorKind::OutOfMemory);
    }
}
