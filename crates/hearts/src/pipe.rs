//! Makes the named pipes over which a Hearts server and a player talk. The player's program and the contest's server
//! both use it, since either may be started first.

use rustix::fs::{CWD, FileType, Mode, OFlags, fchmod, fstat, mknodat, open, stat};
use rustix::io::Errno;
use std::io;
use std::path::{Path, PathBuf, absolute};
use thiserror::Error;

/// A reason why a pipe cannot be used.
#[derive(Debug, Error)]
pub enum PipeError {
    /// Another kind of file has the pipe's name.
    #[error("{0} is no named pipe")]
    Other(PathBuf),
    /// The operating system refuses to make, open or change the pipe.
    #[error("cannot use the pipe {path}: {error}")]
    Io {
        path: PathBuf,
        /// The operating system's own error.
        error: io::Error,
    },
}

/// Makes a named pipe if there is none, and returns whether it did. Everybody may use it, whatever the umask: server
/// and player may be different users.
///
/// # Errors
/// If another kind of file is there, or the pipe cannot be made.
pub fn make_pipe(path: &Path) -> Result<bool, PipeError> {
    let mode = Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::WGRP | Mode::ROTH | Mode::WOTH;
    match mknodat(CWD, path, FileType::Fifo, mode, 0) {
        Ok(()) => {
            // The umask may have removed permissions, so the mode is set again. This goes through a descriptor: in a
            // folder that everybody may write to, another file may have taken the name meanwhile.
            let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let pipe = open(path, flags, Mode::empty()).map_err(|error| unusable(path, error))?;
            let made = fstat(&pipe).map_err(|error| unusable(path, error))?;
            match FileType::from_raw_mode(made.st_mode) {
                FileType::Fifo => match fchmod(&pipe, mode) {
                    Ok(()) => Ok(true),
                    Err(error) => Err(unusable(path, error)),
                },
                _ => Err(PipeError::Other(path.to_owned())),
            }
        }
        // A pipe that is there already is used as it is.
        Err(Errno::EXIST) => {
            let there = stat(path).map_err(|error| unusable(path, error))?;
            match FileType::from_raw_mode(there.st_mode) {
                FileType::Fifo => Ok(false),
                _ => Err(PipeError::Other(path.to_owned())),
            }
        }
        Err(error) => Err(unusable(path, error)),
    }
}

/// Whether two paths lead to the same file, as `./a` and `a` do, or a link and its file.
pub fn is_same_path(one: &Path, other: &Path) -> bool {
    let there = |path: &Path| stat(path).ok().map(|there| (there.st_dev, there.st_ino));
    if let Some(one) = there(one) {
        return there(other) == Some(one);
    }
    // A path is not absolute only if it is empty or the current folder is gone.
    let [one, other] = [one, other].map(|path| absolute(path).unwrap_or_else(|_| path.to_owned()));
    one == other
}

/// The error for a call on a pipe that the operating system refused.
pub fn unusable(path: &Path, error: Errno) -> PipeError {
    PipeError::Io {
        path: path.to_owned(),
        error: error.into(),
    }
}
