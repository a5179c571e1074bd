//! The errors of files of records.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The error in a line, in words. serde counts the lines of the record, which has only one; its number of a line would
/// stand beside the file's.
fn within(error: &serde_json::Error) -> String {
    error
        .to_string()
        .replace(" at line 1 column ", " at column ")
}

/// The reasons why a file of records cannot be read or written.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The operating system refused the action.
    #[error("cannot {doing} {}: {error}", path.display())]
    Io {
        /// The action that failed: `read` or `write`.
        doing: &'static str,
        path: PathBuf,
        error: io::Error,
    },
    /// A line that is no record.
    #[error("{}: line {line} is no {noun} record: {}", path.display(), within(error))]
    Line {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The noun for a record of this file.
        noun: &'static str,
        error: serde_json::Error,
    },
    /// A record of another contest.
    #[error("{}: line {line}: contest {found:?}: expected {expected:?}", path.display())]
    Contest {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        found: String,
        expected: &'static str,
    },
    /// A line longer than the limit.
    #[error("{}: line {line} is no {noun} record: it has more than {} MiB", path.display(), super::LONGEST >> 20)]
    TooLong {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The noun for a record of this file.
        noun: &'static str,
    },
    /// The last line is torn.
    #[error("{}: line {line} is cut off: the last record was not written completely", path.display())]
    Torn {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// The last line of a file to append to is torn, and this command may not remove it.
    #[error(
        "cannot write {}: its last line is cut off; remove that line, or continue with --resume if the \
         command has it",
        .0.display()
    )]
    TornEnd(PathBuf),
    /// The file ends with text that no record of this kind begins with.
    #[error("{}: the text after its last whole line is not the beginning of a record", .0.display())]
    Foreign(PathBuf),
    /// A compressed file, to which nothing can be appended.
    #[error("{}: compressed: unpack it to go on with it", .0.display())]
    Compressed(PathBuf),
    /// A device or a pipe, which cannot be read again.
    #[error("{}: expected a file, found a device or a pipe", .0.display())]
    NotAFile(PathBuf),
    /// The file should be a new one, and has records.
    #[error("{}: this file has records already, and they would be counted with the new ones: name another \
             file", .0.display())]
    Occupied(PathBuf),
    /// Another process appends to it.
    #[error("{}: another process uses this file", .0.display())]
    InUse(PathBuf),
}

impl RecordError {
    /// Turns an error of the operating system into one that names the file, and what was tried:
    /// `read` or `write`.
    pub fn io<'a>(doing: &'static str, path: &'a Path) -> impl Fn(io::Error) -> RecordError + 'a {
        move |error| RecordError::Io {
            doing,
            path: path.to_owned(),
            error,
        }
    }
}
