//! The standard streams of a program that is called once: its input is written, its output and its errors are read.
//! [`Pipes::pump`] waits for all three at once: a program that fills one pipe while its referee waits at another would
//! hang both.

use super::supervisor::Streams;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write, pipe};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// Bytes read at a time, as many as a pipe holds.
const CHUNK: usize = 64 << 10;

/// The most reads after the end of a program: a process that it left could write for ever.
const LAST_READS: usize = 16;

/// This process's ends of a program's standard streams.
#[derive(Debug)]
pub(super) struct OwnEnds {
    pub stdin: PipeWriter,
    /// None if nobody reads it.
    pub stdout: Option<PipeReader>,
    /// None if nobody reads it.
    pub stderr: Option<PipeReader>,
}

impl OwnEnds {
    /// New streams, and the program's ends of them. If `mute`, its output is thrown away; if `errors_shown`,
    /// its errors are this process's own.
    pub(super) fn new(mute: bool, errors_shown: bool) -> io::Result<(OwnEnds, Streams)> {
        let (other_stdin, stdin) = pipe()?;
        let (stdout, other_stdout) = match mute {
            true => (None, File::options().write(true).open("/dev/null")?.into()),
            false => read_by_us()?,
        };
        let (stderr, other_stderr) = match errors_shown {
            true => (None, io::stderr().as_fd().try_clone_to_owned()?),
            false => read_by_us()?,
        };
        let own = OwnEnds {
            stdin,
            stdout,
            stderr,
        };
        Ok((own, [other_stdin.into(), other_stdout, other_stderr]))
    }
}

/// A pipe from a program to this process: our end, and the program's.
fn read_by_us() -> io::Result<(Option<PipeReader>, OwnedFd)> {
    let (own, other) = pipe()?;
    Ok((Some(own), other.into()))
}

/// The part of a stream that is kept: its first bytes or its last ones.
#[derive(Debug)]
pub(super) enum Kept {
    /// The first bytes up to a limit, and whether there were more.
    Head {
        bytes: Vec<u8>,
        limit: usize,
        cut: bool,
    },
    Tail {
        bytes: VecDeque<u8>,
        limit: usize,
    },
}

impl Kept {
    /// Keeps what it may of some new bytes.
    fn add(&mut self, new: &[u8]) {
        match self {
            Kept::Head { bytes, limit, cut } => {
                let room = new.len().min(*limit - bytes.len());
                bytes.extend_from_slice(&new[..room]);
                *cut |= room < new.len();
            }
            Kept::Tail { bytes, limit } => {
                // First drop what would be pushed out again at once, then as many old bytes as the new ones
                // need: with limit 4, "abc" and "def" give "cdef".
                let new = &new[new.len().saturating_sub(*limit)..];
                let spare = (bytes.len() + new.len()).saturating_sub(*limit);
                bytes.drain(..spare);
                bytes.extend(new);
            }
        }
    }

    /// Whether bytes at the end were left out.
    fn is_cut(&self) -> bool {
        matches!(self, Kept::Head { cut: true, .. })
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        match self {
            Kept::Head { bytes, .. } => bytes,
            Kept::Tail { bytes, .. } => bytes.into(),
        }
    }
}

/// A stream that is read without waiting.
#[derive(Debug)]
pub(super) struct Source {
    /// None after the end.
    stream: Option<PipeReader>,
    pub(super) kept: Kept,
}

impl Source {
    fn new(stream: Option<PipeReader>, kept: Kept) -> io::Result<Source> {
        stream
            .as_ref()
            .map_or(Ok(()), |fd| no_waiting(fd.as_fd()))?;
        Ok(Source { stream, kept })
    }

    /// Reads once; returns whether more may be there.
    fn read(&mut self, buffer: &mut [u8]) -> bool {
        let Some(stream) = &mut self.stream else {
            return false;
        };
        match stream.read(buffer) {
            Ok(count) if count > 0 => {
                self.kept.add(&buffer[..count]);
                true
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => true,
            Err(e) if e.kind() == ErrorKind::WouldBlock => false,
            // The end of the stream. An error counts as the end, too.
            _ => {
                self.stream = None;
                false
            }
        }
    }
}

/// Makes reads and writes return at once.
fn no_waiting(fd: BorrowedFd) -> io::Result<()> {
    Ok(fcntl_setfl(fd, fcntl_getfl(fd)? | OFlags::NONBLOCK)?)
}

/// The three streams of a running program.
#[derive(Debug)]
pub(super) struct Pipes<'a> {
    stdin: Option<PipeWriter>,
    /// The rest of the input, not written yet.
    input: &'a [u8],
    pub(super) stdout: Source,
    pub(super) stderr: Source,
    buffer: Vec<u8>,
}

impl<'a> Pipes<'a> {
    /// The streams of a program; keeps the head of its output and the tail of its errors.
    pub(super) fn of(
        streams: OwnEnds,
        input: &'a [u8],
        stdout_limit: usize,
        stderr_tail: usize,
    ) -> io::Result<Pipes<'a>> {
        let head = Kept::Head {
            bytes: Vec::new(),
            limit: stdout_limit,
            cut: false,
        };
        let tail = Kept::Tail {
            bytes: VecDeque::new(),
            limit: stderr_tail,
        };
        no_waiting(streams.stdin.as_fd())?;
        let mut pipes = Pipes {
            stdin: Some(streams.stdin),
            input,
            stdout: Source::new(streams.stdout, head)?,
            stderr: Source::new(streams.stderr, tail)?,
            buffer: vec![0; CHUNK],
        };
        pipes.write();
        Ok(pipes)
    }

    /// Waits until a stream can go on, there is something to read from the supervisor, or the time is over; lets the
    /// streams go on.
    pub(super) fn pump(
        &mut self,
        supervisor: BorrowedFd,
        timeout: Option<Duration>,
    ) -> io::Result<()> {
        let timeout = timeout.map(|time| Timespec {
            // 2^30 seconds are 34 years, and fit into every system's type of seconds.
            tv_sec: time.as_secs().min(1 << 30) as _,
            tv_nsec: time.subsec_nanos().into(),
        });
        let mut fds = Vec::with_capacity(4);
        // The supervisor's socket wakes the wait when the program ends. A stream that was closed is not waited
        // for: it would be ready at once, every time.
        fds.push(PollFd::from_borrowed_fd(supervisor, PollFlags::IN));
        let stdin = self.stdin.as_ref();
        fds.extend(stdin.map(|fd| PollFd::new(fd, PollFlags::OUT)));
        let stdout = self.stdout.stream.as_ref();
        fds.extend(stdout.map(|fd| PollFd::new(fd, PollFlags::IN)));
        let stderr = self.stderr.stream.as_ref();
        fds.extend(stderr.map(|fd| PollFd::new(fd, PollFlags::IN)));
        match rustix::event::poll(&mut fds, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        // All three are tried, whichever woke the wait: none of these calls blocks.
        self.write();
        self.stdout.read(&mut self.buffer);
        self.stderr.read(&mut self.buffer);
        Ok(())
    }

    /// Writes as much as fits, and closes the stream when all is written or nobody reads.
    fn write(&mut self) {
        let Some(stdin) = &mut self.stdin else { return };
        while !self.input.is_empty() {
            match stdin.write(self.input) {
                Ok(count) if count > 0 => self.input = &self.input[count..],
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => return,
                _ => break,
            }
        }
        self.stdin = None;
    }

    /// Whether the program has written more than is kept.
    pub(super) fn is_cut(&self) -> bool {
        self.stdout.kept.is_cut()
    }

    /// Reads what is left in the pipes after the program's end.
    pub(super) fn finish(&mut self) {
        self.stdin = None;
        // Stops once both pipes are empty or ended.
        for _ in 0..LAST_READS {
            let more = self.stdout.read(&mut self.buffer);
            if !(self.stderr.read(&mut self.buffer) | more) {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_keeps_the_last_bytes() {
        let tail = |limit, parts: &[&str]| {
            let bytes = VecDeque::new();
            let mut kept = Kept::Tail { bytes, limit };
            parts.iter().for_each(|part| kept.add(part.as_bytes()));
            String::from_utf8(kept.into_bytes()).unwrap()
        };
        assert_eq!(tail(4, &["ab", "c"]), "abc");
        assert_eq!(tail(4, &["abc", "def"]), "cdef");
        assert_eq!(tail(4, &["abc", "defghi", "j"]), "ghij");
        assert_eq!(tail(0, &["abc"]), "");
    }

    #[test]
    fn the_head_keeps_the_first_bytes() {
        let head = |limit, parts: &[&str]| {
            let mut kept = Kept::Head {
                bytes: Vec::new(),
                limit,
                cut: false,
            };
            parts.iter().for_each(|part| kept.add(part.as_bytes()));
            (kept.is_cut(), String::from_utf8(kept.into_bytes()).unwrap())
        };
        assert_eq!(head(4, &["ab", "cd"]), (false, "abcd".into()));
        assert_eq!(head(4, &["ab", "cde", "f"]), (true, "abcd".into()));
        assert_eq!(head(0, &["a"]), (true, String::new()));
    }
}
