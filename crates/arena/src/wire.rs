//! The two streams of a running program, as its referee holds them: one that the program reads, one that it writes.
//!
//! [`wait`] waits for all streams of all programs of a game at once. A referee that waited for one stream alone
//! would hang as soon as the program waits for the other.

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

/// Reading stops while this many received bytes wait to be taken. A program that writes on then fills its pipe,
/// and is blocked.
pub const MOST_RECEIVED: usize = 64 << 10;

/// A program with more unread bytes than this counts as one that does not read.
pub const MOST_UNSENT: usize = 1 << 20;

/// The referee's ends of a program's two streams.
#[derive(Debug)]
pub struct Wire {
    /// None after the end.
    reader: Option<File>,
    /// None when nobody reads any more.
    writer: Option<File>,
    /// Bytes that have come and are not taken yet.
    received: Vec<u8>,
    /// Bytes that the program's pipe had no room for yet.
    unsent: Vec<u8>,
}

impl Wire {
    /// The streams from and to the program.
    ///
    /// # Errors
    /// If the operating system cannot make them non-blocking.
    pub fn new(reader: OwnedFd, writer: OwnedFd) -> io::Result<Wire> {
        for fd in [reader.as_fd(), writer.as_fd()] {
            fcntl_setfl(fd, fcntl_getfl(fd)? | OFlags::NONBLOCK)?;
        }
        Ok(Wire {
            reader: Some(reader.into()),
            writer: Some(writer.into()),
            received: Vec::new(),
            unsent: Vec::new(),
        })
    }

    /// Sends bytes: at once as far as they fit into the pipe, the rest during [`wait`]. Once the
    /// program has closed its end, they are dropped.
    pub fn send(&mut self, bytes: &[u8]) {
        self.unsent.extend_from_slice(bytes);
        self.write();
    }

    /// Sends as much as fits now, drops the rest, and closes the stream that the program reads.
    pub fn hang_up(&mut self) {
        self.write();
        self.writer = None;
        self.unsent.clear();
    }

    /// The bytes that have come and are not taken yet.
    pub fn received(&mut self) -> &mut Vec<u8> {
        &mut self.received
    }

    /// The next line that has come, without its end. Once the stream is closed, the last line needs no
    /// end. Bytes that are no UTF-8 are replaced.
    pub fn next_line(&mut self) -> Option<String> {
        let (end, next) = match self.received.iter().position(|&byte| byte == b'\n') {
            Some(end) => (end, end + 1),
            None if self.is_closed() && !self.received.is_empty() => {
                (self.received.len(), self.received.len())
            }
            None => return None,
        };
        let line = String::from_utf8_lossy(&self.received[..end]).into_owned();
        self.received.drain(..next);
        Some(line)
    }

    /// Whether the program writes no more.
    pub fn is_closed(&self) -> bool {
        self.reader.is_none()
    }

    /// Whether the program reads no more.
    pub fn is_deaf(&self) -> bool {
        self.writer.is_none()
    }

    /// Asks the system whether anybody still holds the end that the program reads; [`Wire::is_deaf`] says so from then
    /// on. Sending notices it, too, but not before the next message.
    pub fn look_for_reader(&mut self) {
        let Some(writer) = &self.writer else {
            return;
        };
        // No event is asked for: an error is reported in any case (poll(2)).
        let mut fds = [PollFd::new(writer, PollFlags::empty())];
        let polled = rustix::event::poll(&mut fds, Some(&timespec(Duration::ZERO)));
        if polled.is_ok() && fds[0].revents().contains(PollFlags::ERR) {
            self.writer = None;
            self.unsent.clear();
        }
    }

    /// Whether [`MOST_RECEIVED`] bytes or more wait to be taken: no more is read until some are.
    pub fn is_full(&self) -> bool {
        self.received.len() >= MOST_RECEIVED
    }

    /// Whether more than [`MOST_UNSENT`] bytes wait to be read by the program.
    pub fn is_stuck(&self) -> bool {
        self.unsent.len() > MOST_UNSENT
    }

    /// Whether [`wait`] should wait for bytes to read, and for room to write.
    fn wants(&self) -> (bool, bool) {
        let read = self.reader.is_some() && !self.is_full();
        (read, self.writer.is_some() && !self.unsent.is_empty())
    }

    /// Writes as much as fits without waiting.
    fn write(&mut self) {
        let Some(writer) = &mut self.writer else {
            self.unsent.clear();
            return;
        };
        let mut written = 0;
        while written < self.unsent.len() {
            match writer.write(&self.unsent[written..]) {
                Ok(count) if count > 0 => written += count,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => break,
                // The program has closed its end. Any other error counts as that, too.
                _ => {
                    self.writer = None;
                    self.unsent.clear();
                    return;
                }
            }
        }
        self.unsent.drain(..written);
    }

    /// Reads what has come, without waiting, until [`MOST_RECEIVED`] bytes are there.
    fn read(&mut self) {
        let Some(reader) = &mut self.reader else {
            return;
        };
        let mut buffer = [0; 4096];
        while self.received.len() < MOST_RECEIVED {
            match reader.read(&mut buffer) {
                Ok(count) if count > 0 => self.received.extend_from_slice(&buffer[..count]),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => return,
                // The end of the stream. An error counts as the end, too.
                _ => {
                    self.reader = None;
                    return;
                }
            }
        }
    }
}

/// Waits until a wire can read or write, but not beyond the deadline; then every wire that can does so.
/// If no wire has anything to wait for, it returns at the deadline, and never if there is none.
///
/// # Errors
/// If the operating system cannot wait for them.
pub fn wait(wires: &mut [&mut Wire], deadline: Option<Instant>) -> io::Result<()> {
    // Only streams with something to do are waited for. A full wire is not read, and a closed one would be
    // ready at once, every time.
    let wanted: Vec<(bool, bool)> = wires.iter().map(|wire| wire.wants()).collect();
    let mut fds = Vec::with_capacity(2 * wires.len());
    for (wire, &(read, write)) in wires.iter().zip(&wanted) {
        let reader = wire.reader.as_ref().filter(|_| read);
        fds.extend(reader.map(|fd| PollFd::new(fd, PollFlags::IN)));
        let writer = wire.writer.as_ref().filter(|_| write);
        fds.extend(writer.map(|fd| PollFd::new(fd, PollFlags::OUT)));
    }
    let timeout =
        deadline.map(|deadline| timespec(deadline.saturating_duration_since(Instant::now())));
    match rustix::event::poll(&mut fds, timeout.as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    // The answers come in the order of the questions, so they are dealt out again in that order.
    let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
    let ready: Vec<(bool, bool)> = wanted
        .iter()
        .map(|&(read, write)| {
            let read = read && ready.next().unwrap_or(false);
            (read, write && ready.next().unwrap_or(false))
        })
        .collect();
    drop(fds);
    for (wire, (read, write)) in wires.iter_mut().zip(ready) {
        if read {
            wire.read();
        }
        if write {
            wire.write();
        }
    }
    Ok(())
}

/// A length of time as poll(2) wants it.
fn timespec(time: Duration) -> Timespec {
    Timespec {
        // 2^30 seconds are 34 years, and fit into every system's type of seconds.
        tv_sec: time.as_secs().min(1 << 30) as _,
        tv_nsec: time.subsec_nanos().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::pipe::pipe;

    /// A wire, and the program's two ends of it: the one that the program reads, and the one that it writes.
    fn wire() -> (Wire, File, File) {
        let (theirs, told) = pipe().unwrap();
        let (heard, writes) = pipe().unwrap();
        let wire = Wire::new(heard, told).unwrap();
        (wire, File::from(theirs), File::from(writes))
    }

    fn soon() -> Option<Instant> {
        Some(Instant::now())
    }

    #[test]
    fn lines_come_as_they_are_complete() {
        let (mut wire, _reads, mut writes) = wire();
        writes.write_all(b"one\r\ntw").unwrap();
        wait(&mut [&mut wire], None).unwrap();
        assert_eq!(wire.next_line().as_deref(), Some("one\r"));
        assert_eq!(wire.next_line(), None);
        writes.write_all(b"o\xff").unwrap();
        drop(writes);
        while !wire.is_closed() {
            wait(&mut [&mut wire], None).unwrap();
        }
        assert_eq!(wire.next_line().as_deref(), Some("two\u{fffd}"));
        assert_eq!(wire.next_line(), None);
    }

    #[test]
    fn who_does_not_read_is_not_waited_for() {
        let (mut wire, mut reads, _writes) = wire();
        let line = [b'x'; 1000];
        while !wire.is_stuck() {
            wire.send(&line);
            wait(&mut [&mut wire], soon()).unwrap();
        }
        assert!(!wire.is_deaf());
        // Everything that was sent arrives once the program reads.
        let mut buffer = vec![0; 1 << 20];
        let mut count = 0;
        while wire.wants().1 {
            count += reads.read(&mut buffer).unwrap();
            wait(&mut [&mut wire], soon()).unwrap();
        }
        assert!(count > MOST_UNSENT - (1 << 20) && buffer.iter().all(|&b| b == b'x' || b == 0));
        drop(reads);
        // A program that another test is just starting also holds this end, until it executes.
        while !wire.is_deaf() {
            wire.send(b"y");
            wait(&mut [&mut wire], soon()).unwrap();
        }
    }

    #[test]
    fn who_reads_no_more_is_noticed_without_a_message() {
        let (mut wire, reads, _writes) = wire();
        wire.look_for_reader();
        assert!(!wire.is_deaf());
        drop(reads);
        // A program that another test is just starting also holds this end, until it executes.
        while !wire.is_deaf() {
            wire.look_for_reader();
        }
    }

    #[test]
    fn who_floods_is_not_read_beyond_a_limit() {
        let (mut wire, _reads, writes) = wire();
        fcntl_setfl(&writes, OFlags::NONBLOCK).unwrap();
        let mut total = 0;
        let mut writes = writes;
        for _ in 0..1000 {
            total += writes.write(&[b'x'; 4096]).unwrap_or(0);
            wait(&mut [&mut wire], soon()).unwrap();
        }
        assert!(wire.is_full() && wire.received().len() < MOST_RECEIVED + 4096);
        assert!(total < 1 << 20, "{total} bytes went somewhere");
    }
}
