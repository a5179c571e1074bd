//! A program that is spoken with while it runs.

use super::command_line::CommandLine;
use super::family;
use super::run::{Call, Limits, Process};
use crate::arena::wire::Wire;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{WaitId, WaitIdOptions, waitid};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What becomes of what a program writes to standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// It goes where this program's own goes.
    Shown,
    /// Its end is kept: so many bytes.
    Kept(usize),
}

/// A running program. When it is dropped, it and all it has started are ended.
#[derive(Debug)]
pub struct Session {
    process: Process,
    wire: Wire,
    errors: Arc<Mutex<VecDeque<u8>>>,
}

/// How a program ended.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    /// Its status.
    pub status: ExitStatus,
    /// Whether it had to be ended.
    pub forced: bool,
    /// The processes that outlived it and were ended.
    pub lingering: usize,
}

impl Session {
    /// Starts a program in a process group of its own. `data` are the bytes of private memory that each
    /// of its processes may write to: its heap and what else it maps for itself, but not the files
    /// it is loaded from.
    ///
    /// # Errors
    /// If the operating system cannot start it.
    pub fn start(line: &CommandLine, data: Option<u64>, errors: Errors) -> io::Result<Session> {
        family::adopt_orphans()?;
        let call = Call {
            program: line.executable.clone(),
            arguments: &line.arguments,
            current: line.current.clone(),
            variables: &[],
            data,
            errors_shown: errors == Errors::Shown,
        };
        let mut process = Process::start(&call, &Limits::default())?;
        let child = &mut process.child;
        let streams = child.stdout.take().zip(child.stdin.take());
        let (reader, writer) = streams.ok_or(ErrorKind::BrokenPipe)?;
        let wire = Wire::new(reader.into(), writer.into())?;
        let kept = Arc::default();
        if let (Errors::Kept(limit), Some(stream)) = (errors, child.stderr.take()) {
            keep_tail(stream, &kept, limit);
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

    /// The end of what it has written to standard error, if that is kept.
    pub fn errors(&self) -> String {
        let mut bytes = lock(&self.errors);
        String::from_utf8_lossy(bytes.make_contiguous()).into_owned()
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
        let lingering = match self.process.family.outlives() {
            true => self.process.family.end(),
            false => 0,
        };
        Ok(Ending {
            status: self.process.reap()?.status,
            forced,
            lingering,
        })
    }

    /// Waits for the end of the process; what it still writes is thrown away.
    fn has_ended(&mut self, patience: Duration) -> io::Result<bool> {
        let leader = self.process.family.leader();
        let ended = family::end_of(leader);
        let start = Instant::now();
        loop {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            if waitid(WaitId::Pid(leader), options)?.is_some() {
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
            return crate::arena::wire::wait(&mut [&mut self.wire], Some(Instant::now() + step));
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
        crate::arena::wire::wait(&mut [&mut self.wire], Some(Instant::now()))
    }
}

fn lock(errors: &Mutex<VecDeque<u8>>) -> MutexGuard<'_, VecDeque<u8>> {
    errors.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a stream to its end on a thread of its own: a program is not to wait for its errors to be
/// read, whoever else is being waited for.
fn keep_tail(
    mut stream: impl Read + Send + 'static,
    kept: &Arc<Mutex<VecDeque<u8>>>,
    limit: usize,
) {
    let kept = Arc::clone(kept);
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        loop {
            match stream.read(&mut buffer) {
                Ok(count) if count > 0 => {
                    let mut kept = lock(&kept);
                    kept.extend(&buffer[..count]);
                    let spare = kept.len().saturating_sub(limit);
                    kept.drain(..spare);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                _ => return,
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::wire::wait;

    fn start(script: &str) -> Session {
        let line: CommandLine = "/bin/sh".parse().unwrap();
        let line = line.with_arguments(["-c".into(), script.into()]);
        Session::start(&line, None, Errors::Kept(10)).unwrap()
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
        // The thread that reads them may be a little behind.
        while session.errors() != "456789abc\n" {
            thread::yield_now();
        }
    }
}
