//! The streams between a referee and a program, see [`arena::wire`].

use crate::bytes::Bytes;
use arena::wire::{MOST_RECEIVED, Wire, wait};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::pipe::pipe;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::time::Instant;

/// The bytes decide when a program writes, reads and closes its ends, and when the referee sends and reads. The
/// referee must get the lines that were written, in order. A last line without an end counts only once the program
/// has closed. The bytes that the program reads must be the beginning of those that it was sent.
///
/// # Panics
/// If a law is broken.
pub fn wire(input: &[u8]) {
    let Some((mut wire, mut program)) = streams() else {
        // No descriptors are left: nothing can be tried.
        return;
    };
    let mut bytes = Bytes::new(input);
    while let Some(what) = bytes.below(8) {
        match what {
            0 | 1 => program.write(bytes.some().unwrap_or(&[])),
            2 => program.read(),
            3 => program.writer = None,
            4 => program.reader = None,
            5 => {
                let sent = bytes.some().unwrap_or(&[]);
                // The program gets nothing that is sent after the wire has noticed that it reads no more.
                if !wire.is_deaf() {
                    program.sent.extend_from_slice(sent);
                }
                wire.send(sent);
            }
            6 => program.hear(&mut wire),
            _ => look(&mut wire),
        }
    }
    // At the end the program reads what is there, and closes.
    program.read();
    look(&mut wire);
    program.read();
    program.writer = None;
    while !wire.is_closed() {
        look(&mut wire);
        program.hear(&mut wire);
        if wire.is_full() {
            // A line longer than any: it is for the referee to end this.
            return;
        }
    }
    program.hear(&mut wire);
    assert_eq!(
        program.heard,
        program.expected().len(),
        "every line was heard"
    );
    if program.reader.is_some() && !wire.is_stuck() {
        assert_eq!(program.told, program.sent[..program.told.len()]);
    }
}

/// Reads and writes all that is possible now, without waiting.
fn look(wire: &mut Wire) {
    wait(&mut [&mut *wire], Some(Instant::now())).expect("a pipe can be waited for");
    assert!(wire.received().len() <= MOST_RECEIVED + 4096);
}

/// A wire and the program at its other end, which waits for nothing.
fn streams() -> Option<(Wire, Program)> {
    let (reader, told) = pipe().ok()?;
    let (heard, writer) = pipe().ok()?;
    for end in [reader.as_fd(), writer.as_fd()] {
        fcntl_setfl(end, OFlags::NONBLOCK).ok()?;
    }
    let wire = Wire::new(heard, told).ok()?;
    let program = Program {
        reader: Some(reader.into()),
        writer: Some(writer.into()),
        ..Program::default()
    };
    Some((wire, program))
}

/// The program's end of both streams, and everything that went through them.
#[derive(Debug, Default)]
struct Program {
    reader: Option<File>,
    writer: Option<File>,
    /// All that it has written.
    written: Vec<u8>,
    /// The number of those lines that the referee has read.
    heard: usize,
    /// All bytes that were sent to it, and those of them that it has read.
    sent: Vec<u8>,
    told: Vec<u8>,
}

impl Program {
    fn write(&mut self, bytes: &[u8]) {
        let Some(writer) = &mut self.writer else {
            return;
        };
        match writer.write(bytes) {
            Ok(count) => self.written.extend_from_slice(&bytes[..count]),
            Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
        }
    }

    fn read(&mut self) {
        let Some(reader) = &mut self.reader else {
            return;
        };
        let mut buffer = [0; 4096];
        while let Ok(count) = reader.read(&mut buffer)
            && count > 0
        {
            self.told.extend_from_slice(&buffer[..count]);
        }
        assert!(self.sent.starts_with(&self.told), "sent in order");
    }

    /// The lines that it has written; the last one may have no end once it writes no more.
    fn expected(&self) -> Vec<String> {
        let mut lines: Vec<_> = self.written.split(|&byte| byte == b'\n').collect();
        let last = lines.pop().filter(|last| !last.is_empty());
        lines.extend(last.filter(|_| self.writer.is_none()));
        let text = |line: &[u8]| String::from_utf8_lossy(line).into_owned();
        lines.into_iter().map(text).collect()
    }

    /// Takes all lines that have come.
    fn hear(&mut self, wire: &mut Wire) {
        let expected = self.expected();
        while let Some(line) = wire.next_line() {
            assert_eq!(Some(&line), expected.get(self.heard));
            self.heard += 1;
        }
    }
}
