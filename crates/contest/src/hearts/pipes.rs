//! The named pipes of a program, and connecting to it over them without blocking. The server and the seats of a
//! match use them.

use arena::wire::Wire;
use hearts::pipe::{PipeError, make_pipe, unusable};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// The named pipes of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipes {
    /// The pipe that the server writes and the program reads.
    pub out: PathBuf,
    /// The pipe that the server reads and the program writes.
    pub input: PathBuf,
}

/// The pipes of a program that may not have opened them yet.
#[derive(Debug)]
pub struct WaitingPipes {
    out: PathBuf,
    /// The pipe to read, until the program reads the other one.
    reader: Option<OwnedFd>,
}

impl WaitingPipes {
    /// Makes the pipes if they are missing, and opens the one to read.
    ///
    /// # Errors
    /// If a pipe cannot be made or opened.
    pub fn open(pipes: &Pipes) -> Result<WaitingPipes, PipeError> {
        make_pipe(&pipes.out)?;
        make_pipe(&pipes.input)?;
        // Opening a pipe to read without blocking succeeds even if no program has opened it to write yet (fifo(7)).
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let reader = open(&pipes.input, flags, Mode::empty());
        Ok(WaitingPipes {
            out: pipes.out.clone(),
            reader: Some(reader.map_err(|error| unusable(&pipes.input, error))?),
        })
    }

    /// The pipe that the program reads.
    pub fn out(&self) -> &Path {
        &self.out
    }

    /// Opens the pipe to write, if the program has opened it to read. It succeeds once.
    ///
    /// # Errors
    /// If the pipe cannot be opened for another reason.
    pub fn connect(&mut self) -> Result<Option<Wire>, PipeError> {
        // Opening it to write fails with ENXIO until the program has it open to read.
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let writer = match open(&self.out, flags, Mode::empty()) {
            Ok(writer) => writer,
            Err(Errno::NXIO) => return Ok(None),
            Err(error) => return Err(unusable(&self.out, error)),
        };
        // The reader was given away by an earlier call: a program connects only once.
        let Some(reader) = self.reader.take() else {
            return Ok(None);
        };
        let wire = Wire::new(reader, writer);
        Ok(Some(wire.map_err(|error| PipeError::Io {
            path: self.out.clone(),
            error,
        })?))
    }
}
