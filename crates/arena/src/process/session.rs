//! A program that is spoken with while it runs.

use super::command_line::CommandLine;
use super::process_tree::exit_fd;
use super::run::{Call, Limits, Process};
use crate::wire::Wire;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{WaitId, WaitIdOptions, waitid};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::process::ExitStatus;
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
}

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
    /// Starts a program in a process group of its own. `data` are the bytes of private memory that each
    /// of its processes may write to: its heap and what else it maps for itself, but not the files
    /// it is loaded from.
    ///
    /// # Errors
    /// If the operating system cannot start it.
    pub fn start(line: &CommandLine, data: Option<u64>, errors: Stderr) -> io::Result<Session> {
        let call = Call {
            program: line.executable.clone(),
            arguments: line.arguments.clone(),
            current: line.current.clone(),
            variables: &[],
            data,
            errors_shown: errors == Stderr::Inherit,
            mute: false,
        };
        let mut process = Process::start(&call, &Limits::default())?;
        let child = &mut process.child;
        let streams = child.stdout.take().zip(child.stdin.take());
        let (reader, writer) = streams.ok_or(ErrorKind::BrokenPipe)?;
        let wire = Wire::new(reader.into(), writer.into())?;
        let kept: Arc<Tail> = Arc::default();
        match (errors, child.stderr.take()) {
            (Stderr::Tail(limit), Some(stream)) => keep_tail(stream, &kept, limit),
            _ => lock(&kept.bytes).1 = true,
        }
        Ok(Session {
            process,
            wire,
            errors: kept,
        })
    }

    /// Its standard streams.
    pub fn wire(&mut self) -> &mut Wire {
        &mut self.wire
    }

    /// The end of what it has written to standard error, if that is kept. What a program that has just
    /// ended wrote may be on its way: it is waited for a little.
    pub fn errors(&self) -> String {
        let bytes = lock(&self.errors.bytes);
        let waited = self
            .errors
            .ended
            .wait_timeout_while(bytes, LAST_ERRORS, |bytes| !bytes.1);
        let (mut bytes, _) = waited.unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(bytes.0.make_contiguous()).into_owned()
    }

    /// How it has ended, in words, if it has, or does so within `patience`; what it still writes is
    /// thrown away then.
    ///
    /// # Errors
    /// If the operating system cannot wait for it.
    pub fn exit(&mut self, patience: Duration) -> io::Result<Option<String>> {
        if !self.has_ended(patience)? {
            return Ok(None);
        }
        let leader = WaitId::Pid(self.process.leader());
        Ok(waitid(leader, OPTIONS)?.map(|status| {
            match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => format!("exit status: {code}"),
                (_, Some(signal)) => format!("signal: {signal}"),
                _ => "an unknown status".to_owned(),
            }
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
    fn the_end_of_its_errors_is_kept() {
        let mut session = start("echo 0123456789abc >&2; exec 2>&-; echo");
        assert_eq!(line(&mut session).as_deref(), Some(""));
        assert_eq!(session.errors(), "456789abc\n");
    }
}
