//! A program that is spoken with while it runs.

use super::command_line::CommandLine;
use super::confinement::Trouble;
use super::place::Place;
use super::process_tree::{self, exit_fd};
use super::run::{CENSUS, Call, Limits, MOST_PROCESSES, Process};
use super::running::kill;
use super::stop::{STOP, Stopped};
use super::suspects::Running;
use crate::plain_text::{printable, printable_lines};
use crate::wire::Wire;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::collections::VecDeque;
use std::env;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What becomes of what a program writes to standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stderr {
    /// It goes where this process's own goes.
    Inherit,
    /// Its end is kept: so many bytes.
    Tail(usize),
    /// Its lines are written to this process's own, without control characters; a program that floods is
    /// heard no more.
    Shown,
}

/// Bytes of a program's errors that are shown.
const SHOWN: usize = 256 << 10;
/// Bytes of a line of them.
const LONGEST: u64 = 1024;

/// How long the end of the errors is waited for.
const LAST_ERRORS: Duration = Duration::from_millis(100);

/// To look for the end of a process and leave it to be waited for.
const OPTIONS: WaitIdOptions = WaitIdOptions::EXITED
    .union(WaitIdOptions::NOHANG)
    .union(WaitIdOptions::NOWAIT);

/// A running program. When it is dropped, it and all it has started are ended.
#[derive(Debug)]
pub struct Session {
    process: Process,
    wire: Wire,
    errors: Arc<Tail>,
    watched: Arc<Watched>,
    /// It is known to run until this is dropped.
    _running: Running,
    /// Its processes are counted until this is dropped.
    _census: Sender<()>,
    /// What holds its folder for temporary files.
    _place: Option<Place>,
}

/// What is found out while a program runs.
#[derive(Debug, Default)]
struct Watched {
    /// Set when it is ended for having too many processes.
    crowded: AtomicBool,
    /// Bytes of memory that it has held, as far as that was looked at.
    resident: AtomicU64,
}

/// The end of what a program writes to standard error.
#[derive(Debug, Default)]
struct Tail {
    /// The bytes, and whether no more follow.
    bytes: Mutex<(VecDeque<u8>, bool)>,
    ended: Condvar,
}

/// How a program ended.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    /// Its status.
    pub status: ExitStatus,
    /// Whether it had to be ended.
    pub forced: bool,
    /// The processes that outlived it and were ended.
    pub leftovers: usize,
}

impl Session {
    /// Starts a program in a process group of its own. `memory` are the bytes that may be resident in all of its processes together,
    /// libraries included: each counts with the most that was resident in it. A program that is found to hold more is ended;
    /// [`Session::held`] says so. Nothing is measured on systems other than Linux.
    ///
    /// # Errors
    /// If the operating system cannot start it; a [`Tampered`](super::Tampered) if somebody else may have
    /// changed its executable, or a file that its arguments name, since it was last started.
    pub fn start(line: &CommandLine, memory: Option<u64>, errors: Stderr) -> io::Result<Session> {
        let mut call = Call {
            program: line.executable.clone(),
            arguments: line.arguments.clone(),
            current: line.current.clone(),
            confined: None,
            variables: &[],
            errors_shown: errors == Stderr::Inherit,
            mute: false,
        };
        let mut place = None;
        let variables;
        if let Some(confinement) = &line.confinement {
            let new = Place::new(&env::temp_dir().canonicalize()?)?;
            let scratch = new.folder()?;
            new.hide()?;
            let trouble = Trouble::in_folder(new.path());
            (call.program, call.arguments) =
                confinement.command(line.own(&scratch), None, &trouble);
            call.confined = Some(trouble);
            variables = ["TMPDIR", "HOME"].map(|name| (name.into(), scratch.clone().into()));
            call.variables = &variables;
            place = Some(new);
        }
        let running = line.enter()?;
        Session::watched(&call, &Limits::default(), memory, errors, running, place)
    }

    /// Starts what is called.
    pub(super) fn of(
        call: &Call,
        limits: &Limits,
        errors: Stderr,
        running: Running,
    ) -> io::Result<Session> {
        Session::watched(call, limits, None, errors, running, None)
    }

    /// Starts what is called, as [`Session::start`] does. `place` holds its folder for temporary files.
    fn watched(
        call: &Call,
        limits: &Limits,
        memory: Option<u64>,
        errors: Stderr,
        running: Running,
        place: Option<Place>,
    ) -> io::Result<Session> {
        let mut process = Process::start(call, limits)?;
        let child = &mut process.child;
        let streams = child.stdout.take().zip(child.stdin.take());
        let (reader, writer) = streams.ok_or(ErrorKind::BrokenPipe)?;
        let wire = Wire::new(reader.into(), writer.into())?;
        let kept: Arc<Tail> = Arc::default();
        match (errors, child.stderr.take()) {
            (Stderr::Tail(limit), Some(stream)) => keep_tail(stream, &kept, limit),
            (Stderr::Shown, Some(stream)) => show(stream, &kept),
            _ => lock(&kept.bytes).1 = true,
        }
        let watched: Arc<Watched> = Arc::default();
        Ok(Session {
            _census: watch(process.leader(), memory, &watched),
            _running: running,
            process,
            wire,
            errors: kept,
            watched,
            _place: place,
        })
    }

    /// Its standard streams.
    pub fn wire(&mut self) -> &mut Wire {
        &mut self.wire
    }

    /// The end of what it has written to standard error, if that is kept, without control characters. What a program that has just
    /// ended wrote may be on its way: it is waited for a little.
    pub fn errors(&self) -> String {
        let bytes = lock(&self.errors.bytes);
        let waited = self
            .errors
            .ended
            .wait_timeout_while(bytes, LAST_ERRORS, |bytes| !bytes.1);
        let (mut bytes, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(bytes.0.make_contiguous());
        printable_lines(&text).into_owned()
    }

    /// What it has written to standard error since this was last asked for, as far as it is kept.
    pub(super) fn errors_so_far(&self) -> Vec<u8> {
        lock(&self.errors.bytes).0.drain(..).collect()
    }

    /// Its first process.
    pub(super) fn leader(&self) -> Pid {
        self.process.leader()
    }

    /// Looks now how much memory the program holds. Only for one that has written something: before that it may not be loaded yet.
    pub fn weigh(&self) {
        let now = process_tree::resident(self.process.leader(), false);
        self.watched.resident.fetch_max(now, Ordering::Relaxed);
    }

    /// The most bytes of memory that the program was seen to hold: it is looked at now and then if they are limited, and by
    /// [`Session::weigh`].
    pub fn held(&self) -> u64 {
        self.watched.resident.load(Ordering::Relaxed)
    }

    /// As [`Session::end`]; with what is left of its errors, and whether it had too many processes.
    pub(super) fn finish(self, patience: Duration) -> io::Result<(Ending, Vec<u8>, bool)> {
        let (errors, watched) = (Arc::clone(&self.errors), Arc::clone(&self.watched));
        let ending = self.end(patience)?;
        let last = lock(&errors.bytes).0.drain(..).collect();
        Ok((ending, last, watched.crowded.load(Ordering::Relaxed)))
    }

    /// How it has ended, in words, if it has, or does so within `patience`; what it still writes is
    /// thrown away then.
    ///
    /// # Errors
    /// If the operating system cannot wait for it, or it could not be confined; [`Stopped`] if it ended by the signal that
    /// asked this process to stop.
    pub fn exit(&mut self, patience: Duration) -> io::Result<Option<String>> {
        if !self.has_ended(patience)? {
            return Ok(None);
        }
        self.process.check_confined()?;
        if self.watched.crowded.load(Ordering::Relaxed) {
            return Ok(Some(format!(
                "more than {MOST_PROCESSES} processes, for which it was ended"
            )));
        }
        let leader = WaitId::Pid(self.process.leader());
        let Some(status) = waitid(leader, OPTIONS)? else {
            return Ok(None);
        };
        let (code, signal) = (status.exit_status(), status.terminating_signal());
        if STOP.explains(code, signal) {
            return Err(Stopped.into());
        }
        Ok(Some(match (code, signal) {
            (Some(code), _) => format!("exit status: {code}"),
            (_, Some(signal)) => format!("signal: {signal}"),
            _ => "an unknown status".to_owned(),
        }))
    }

    /// Closes its input, gives it time to end by itself, and ends it and all it has started.
    ///
    /// # Errors
    /// If the operating system cannot wait for it.
    pub fn end(mut self, patience: Duration) -> io::Result<Ending> {
        self.wire.hang_up();
        let forced = !self.has_ended(patience)?;
        if forced {
            self.process.kill();
            self.has_ended(Duration::MAX)?;
        }
        let (leftovers, end) = self.process.conclude(|| ())?;
        self.process.check_confined()?;
        // What it has written last is shown before anything is said of its end.
        drop(self.errors());
        Ok(Ending {
            status: end.status,
            forced,
            leftovers,
        })
    }

    /// Waits for the end of the process; what it still writes is thrown away.
    fn has_ended(&mut self, patience: Duration) -> io::Result<bool> {
        let leader = self.process.leader();
        let ended = exit_fd(leader);
        let start = Instant::now();
        loop {
            if waitid(WaitId::Pid(leader), OPTIONS)?.is_some() {
                return Ok(true);
            }
            let left = patience.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Ok(false);
            }
            self.wire.received().clear();
            self.pause(ended.as_ref(), left)?;
        }
    }

    /// Waits until the process has ended or has written something, not longer than `left`.
    fn pause(&mut self, ended: Option<&OwnedFd>, left: Duration) -> io::Result<()> {
        // Short steps where the system cannot tell of the end, or there is output to take away.
        let short = Duration::from_millis(if ended.is_some() { 20 } else { 1 });
        let step = left.min(short);
        let Some(fd) = ended else {
            return crate::wire::wait(&mut [&mut self.wire], Some(Instant::now() + step));
        };
        let timeout = Timespec {
            tv_sec: 0,
            tv_nsec: step.subsec_nanos().into(),
        };
        let mut fds = [PollFd::new(fd, PollFlags::IN)];
        match rustix::event::poll(&mut fds, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        crate::wire::wait(&mut [&mut self.wire], Some(Instant::now()))
    }
}

/// Looks at the processes of a program now and then on a thread of its own, and ends a program that has too
/// many of them or holds more than `memory`, until what is returned is dropped.
fn watch(leader: Pid, memory: Option<u64>, watched: &Arc<Watched>) -> Sender<()> {
    let (census, ended) = channel();
    let watched = Arc::clone(watched);
    thread::spawn(move || {
        while ended.recv_timeout(CENSUS) == Err(RecvTimeoutError::Timeout) {
            if process_tree::count(leader, MOST_PROCESSES) > MOST_PROCESSES {
                watched.crowded.store(true, Ordering::Relaxed);
                kill(leader);
            }
            if let Some(most) = memory {
                let now = process_tree::resident(leader, true);
                watched.resident.fetch_max(now, Ordering::Relaxed);
                if now > most {
                    kill(leader);
                }
            }
        }
    });
    census
}

/// Writes the lines of a stream to standard error, on a thread of its own.
fn show(stream: impl Read + Send + 'static, kept: &Arc<Tail>) {
    let kept = Arc::clone(kept);
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let (mut line, mut shown) = (Vec::new(), 0);
        loop {
            line.clear();
            let read = (&mut stream).take(LONGEST).read_until(b'\n', &mut line);
            if !read.is_ok_and(|count| count > 0) {
                break;
            }
            // What is not shown is read all the same: nobody is to wait for that.
            if shown < SHOWN {
                shown += line.len();
                let text = String::from_utf8_lossy(&line);
                eprintln!("{}", printable(text.trim_end_matches('\n')));
                if shown >= SHOWN {
                    eprintln!(
                        "(it writes more than {SHOWN} bytes of errors; the rest is left out)"
                    );
                }
            }
        }
        lock(&kept.bytes).1 = true;
        kept.ended.notify_all();
    });
}

fn lock<T>(bytes: &Mutex<T>) -> MutexGuard<'_, T> {
    bytes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a stream to its end on a thread of its own: a program is not to wait for its errors to be
/// read, whoever else is being waited for.
fn keep_tail(mut stream: impl Read + Send + 'static, kept: &Arc<Tail>, limit: usize) {
    let kept = Arc::clone(kept);
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        loop {
            let read = stream.read(&mut buffer);
            let mut bytes = lock(&kept.bytes);
            match read {
                Ok(count) if count > 0 => {
                    bytes.0.extend(&buffer[..count]);
                    let spare = bytes.0.len().saturating_sub(limit);
                    bytes.0.drain(..spare);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                _ => {
                    bytes.1 = true;
                    kept.ended.notify_all();
                    return;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::wait;

    fn start(script: &str) -> Session {
        let line: CommandLine = "/bin/sh".parse().unwrap();
        let line = line.with_arguments(["-c".into(), script.into()]);
        Session::start(&line, None, Stderr::Tail(10)).unwrap()
    }

    fn line(session: &mut Session) -> Option<String> {
        loop {
            if let Some(line) = session.wire().next_line() {
                return Some(line);
            }
            if session.wire().is_closed() {
                return None;
            }
            wait(&mut [session.wire()], None).unwrap();
        }
    }

    #[test]
    fn a_program_answers_line_by_line() {
        let mut session = start("while read x; do echo \"<$x>\"; done; echo end >&2; exit 3");
        for word in ["a", "b"] {
            session.wire().send(format!("{word}\n").as_bytes());
            assert_eq!(line(&mut session), Some(format!("<{word}>")));
        }
        let ending = session.end(Duration::from_secs(1000)).unwrap();
        assert_eq!((ending.status.code(), ending.forced), (Some(3), false));
    }

    #[test]
    fn what_does_not_end_is_ended_with_all_it_started() {
        let mut session = start("echo 0123456789abc >&2; sleep 1000 & echo $!; exec sleep 1000");
        let child = line(&mut session).unwrap();
        let ending = session.end(Duration::ZERO).unwrap();
        assert!(ending.forced && ending.status.code().is_none());
        let there = std::fs::read_to_string(format!("/proc/{child}/stat"));
        assert!(
            !there.is_ok_and(|stat| !stat.contains(") Z ")),
            "still there"
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_looked_at_when_asked_and_now_and_then() {
        let script = "x=$(head -c 3000000 /dev/zero | tr '\\0' x); echo; read y";
        let mut session = start(script);
        assert_eq!(line(&mut session).as_deref(), Some(""));
        assert_eq!(session.held(), 0);
        session.weigh();
        assert!(session.held() > 3_000_000, "{}", session.held());
        let shell: CommandLine = "/bin/sh".parse().unwrap();
        let shell = shell.with_arguments(["-c".into(), script.into()]);
        let mut session = Session::start(&shell, Some(2_500_000), Stderr::Tail(10)).unwrap();
        while line(&mut session).is_some() {}
        let ending = session.exit(Duration::from_secs(1000)).unwrap();
        assert_eq!(ending.as_deref(), Some("signal: 9"));
        assert!(session.held() > 2_500_000, "{}", session.held());
    }

    #[test]
    fn the_end_of_its_errors_is_kept() {
        let mut session = start("echo 0123456789abc >&2; exec 2>&-; echo");
        assert_eq!(line(&mut session).as_deref(), Some(""));
        assert_eq!(session.errors(), "456789abc\n");
    }
}
