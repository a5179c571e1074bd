//! Files of records: one JSON object on each line.
//!
//! A record is in its file once the end of its line is written. Bytes after the last end of a line, left by a
//! process that was killed, are a *torn line*. [`Reader`] reads records and [`Appender`] adds whole lines; only
//! these two deal with torn lines.
//!
//! ```
//! use arena::records::{Appender, Opening, Reader, Record};
//!
//! #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
//! struct Toss { heads: bool }
//!
//! impl Record for Toss {
//!     const NOUN: &'static str = "toss";
//!     fn parse(line: &[u8]) -> serde_json::Result<Toss> {
//!         serde_json::from_slice(line)
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("tosses.jsonl");
//! let mut file = Appender::open(&path, Opening::Shared)?;
//! file.append_record(&Toss { heads: true })?;
//! let tosses: Result<Vec<Toss>, _> = Reader::open(&path)?.collect();
//! assert_eq!(tosses?, [Toss { heads: true }]);
//! # Ok(())
//! # }
//! ```

mod append;
mod error;
mod sync;

pub use append::{Appender, Opening, line_of, sync_folder_of};
pub use error::RecordError;

use crate::input;
use serde::Deserialize;
use std::io::{BufRead, Read};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// The limit on the bytes of a line; even the longest game has far fewer.
pub(crate) const LONGEST: u64 = 64 << 20;

/// A type of record: each line of its file holds one value.
pub trait Record: Sized {
    /// The noun for a record in messages about a line.
    const NOUN: &'static str;

    /// Reads a line, with or without its end.
    ///
    /// # Errors
    /// If it is no such record.
    fn parse(line: &[u8]) -> serde_json::Result<Self>;
}

/// Whether a number stays out of a record; serde needs a function of a reference.
pub fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// Reads records line by line; blank lines, and a byte order mark at the beginning of the file, are skipped.
///
/// A last line without an end is read if it is a whole record, and is [`RecordError::Torn`]
/// otherwise. After [`whole_lines`](Reader::whole_lines) it is left alone instead.
#[derive(Debug)]
pub struct Reader<R, T> {
    input: R,
    path: PathBuf,
    /// The line that is being read.
    text: Vec<u8>,
    lines: usize,
    /// Where the last line read begins and ends, in bytes.
    span: (u64, u64),
    whole_lines: bool,
    /// The contest that the records have to be of, if that is checked.
    contest: Option<&'static str>,
    records: PhantomData<fn() -> T>,
}

impl<T: Record> Reader<Box<dyn BufRead + Send>, T> {
    /// Opens a file that may be compressed, or standard input (see [`input::lines`]).
    ///
    /// # Errors
    /// If it cannot be opened, or is no file.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let lines = input::lines(path).map_err(RecordError::io("read", path))?;
        Ok(Reader::new(path, lines))
    }
}

impl<R: BufRead, T: Record> Reader<R, T> {
    /// Reads from anything; `path` is its name in error messages.
    pub fn new(path: impl Into<PathBuf>, input: R) -> Reader<R, T> {
        Reader {
            input,
            path: path.into(),
            text: Vec::new(),
            lines: 0,
            span: (0, 0),
            whole_lines: false,
            contest: None,
            records: PhantomData,
        }
    }

    /// The same reader, but a last line without an end counts as not there yet. When the file has
    /// grown, reading goes on with the rest of that line.
    #[must_use]
    pub fn whole_lines(self) -> Self {
        Reader {
            whole_lines: true,
            ..self
        }
    }

    /// The same reader, but a record whose field `contest` names another contest than this is refused. Records without
    /// this field are read.
    #[must_use]
    pub fn of_contest(self, contest: &'static str) -> Self {
        Reader {
            contest: Some(contest),
            ..self
        }
    }

    /// The same reader for input that begins in the middle of a file: at byte `start`, where a line begins, after
    /// `lines` lines.
    #[must_use]
    pub fn starting_at(self, start: u64, lines: usize) -> Self {
        Reader {
            span: (start, start),
            lines,
            ..self
        }
    }

    /// The path of the file, as errors show it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number, from 1, of the line that the last record stood in.
    pub fn line(&self) -> usize {
        self.lines
    }

    /// Where the last record's line begins, in bytes, and how long it is.
    pub fn span(&self) -> (u64, usize) {
        let (start, end) = self.span;
        (start, (end - start) as usize)
    }

    /// The number of a torn last line that [`whole_lines`](Reader::whole_lines) has left alone, once
    /// there are no more records.
    pub fn torn_line(&self) -> Option<usize> {
        let torn = !self.text.ends_with(b"\n") && !self.text.trim_ascii().is_empty();
        torn.then_some(self.lines + 1)
    }

    /// The next record; none at the end of the file, or of its whole lines if only these count.
    fn next_record(&mut self) -> Result<Option<T>, RecordError> {
        loop {
            // A part of a line stays: the file may have grown by the rest of it since.
            if self.text.ends_with(b"\n") {
                self.text.clear();
            }
            // One line never takes more memory than this, whatever the file holds.
            let room = LONGEST.saturating_sub(self.text.len() as u64);
            let read = (&mut self.input)
                .take(room)
                .read_until(b'\n', &mut self.text);
            read.map_err(RecordError::io("read", &self.path))?;
            if self.text.len() as u64 >= LONGEST {
                return Err(RecordError::TooLong {
                    path: self.path.clone(),
                    line: self.lines + 1,
                    noun: T::NOUN,
                });
            }
            let whole = self.text.ends_with(b"\n");
            // The end of the file, or, if only whole lines count, of its whole lines.
            if self.text.is_empty() || (self.whole_lines && !whole) {
                return Ok(None);
            }
            self.lines += 1;
            self.span = (self.span.1, self.span.1 + self.text.len() as u64);
            let line = match self.span.0 {
                0 => input::unmarked(&self.text),
                _ => &self.text[..],
            };
            self.span.0 = self.span.1 - line.len() as u64;
            // Checked first: the fields that another contest's record lacks would say less.
            if let Some(expected) = self.contest
                && let Some(found) = contest_of(line).filter(|found| found != expected)
            {
                return Err(RecordError::Contest {
                    path: self.path.clone(),
                    line: self.lines,
                    found,
                    expected,
                });
            }
            let record = match line.trim_ascii().is_empty() {
                true => None,
                false => Some(T::parse(line.trim_ascii_end())),
            };
            // A last line without an end was read as a record or is an error: either way it is not read again.
            if !whole {
                self.text.clear();
            }
            match record {
                None => {}
                Some(Ok(record)) => return Ok(Some(record)),
                Some(Err(_)) if !whole => {
                    return Err(RecordError::Torn {
                        path: self.path.clone(),
                        line: self.lines,
                    });
                }
                Some(Err(error)) => {
                    return Err(RecordError::Line {
                        path: self.path.clone(),
                        line: self.lines,
                        noun: T::NOUN,
                        error,
                    });
                }
            }
        }
    }
}

impl<R: BufRead, T: Record> Iterator for Reader<R, T> {
    type Item = Result<T, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_record().transpose()
    }
}

/// The field `contest` of a line, if it has one.
fn contest_of(line: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct ContestField {
        contest: String,
    }
    let read: serde_json::Result<ContestField> = serde_json::from_slice(line);
    read.ok().map(|read| read.contest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::testing::scratch;
    use std::fs::File;
    use std::io::{BufReader, Write};

    impl Record for u32 {
        const NOUN: &'static str = "number";

        fn parse(line: &[u8]) -> serde_json::Result<u32> {
            serde_json::from_slice(line)
        }
    }

    fn read(text: &str) -> Vec<Result<u32, String>> {
        let reader = Reader::<_, u32>::new("numbers", text.as_bytes());
        reader
            .map(|record| record.map_err(|error| error.to_string()))
            .collect()
    }

    #[test]
    fn blank_lines_are_skipped_and_counted() {
        assert_eq!(read("1\n\n  \n2"), [Ok(1), Ok(2)]);
        let error = "numbers: line 3 is no number record: expected value at column 1";
        assert_eq!(read("1\n\nx\n2\n"), [Ok(1), Err(error.into()), Ok(2)]);
    }

    #[test]
    fn a_torn_line_is_an_error() {
        let error = "numbers: line 2 is cut off: the last record was not written completely";
        assert_eq!(read("1\n[2"), [Ok(1), Err(error.into())]);
        let error = "numbers: line 1 is no number record: EOF while parsing a string at column 2";
        assert_eq!(read("\"1\n2\n"), [Err(error.into()), Ok(2)]);
    }

    #[test]
    fn a_file_that_grows_is_read_on() {
        let (_folder, path) = scratch("numbers");
        let mut file = File::create(&path).unwrap();
        file.write_all(b"1\n23").unwrap();
        let mut reader = Reader::<_, u32>::open(&path).unwrap().whole_lines();
        assert_eq!(reader.by_ref().map(Result::unwrap).collect::<Vec<_>>(), [1]);
        assert_eq!(reader.torn_line(), Some(2));
        file.write_all(b"4\n5\n").unwrap();
        assert_eq!(reader.next().unwrap().unwrap(), 234);
        assert_eq!((reader.line(), reader.span()), (2, (2, 4)));
        assert_eq!(reader.next().unwrap().unwrap(), 5);
        assert!(reader.next().is_none() && reader.torn_line().is_none());
    }

    #[test]
    fn reading_goes_on_in_the_middle_of_a_file() {
        let rest = Reader::<_, u32>::new("numbers", &b"34\nx\n"[..]);
        let mut rest = rest.starting_at(5, 2);
        assert_eq!(rest.next().unwrap().unwrap(), 34);
        assert_eq!((rest.line(), rest.span()), (3, (5, 3)));
        let error = rest.next().unwrap().unwrap_err().to_string();
        assert!(error.starts_with("numbers: line 4 is no"), "{error}");
    }

    /// The mark is no part of the first record, nor of the place at which that is found again.
    #[test]
    fn a_byte_order_mark_is_skipped() {
        let marked = b"\xef\xbb\xbf12\n3\n";
        let mut reader = Reader::<_, u32>::new("numbers", &marked[..]).whole_lines();
        assert_eq!(reader.next().unwrap().unwrap(), 12);
        assert_eq!((reader.line(), reader.span()), (1, (3, 3)));
        assert_eq!(reader.next().unwrap().unwrap(), 3);
        assert_eq!(reader.span(), (6, 2));
        assert_eq!(read("\u{feff}\n1\n"), [Ok(1)]);
        // In the middle of a file it is a mistake.
        assert!(read("1\n\u{feff}2\n")[1].is_err());
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Reader::<_, u32>::open(Path::new("/no/where"))
            .err()
            .unwrap();
        assert!(error.to_string().starts_with("cannot read /no/where: "));
    }

    /// A line that never ends is refused before it fills the memory.
    #[test]
    fn a_line_that_does_not_end_is_refused() {
        let endless = BufReader::new(std::io::repeat(b'1'));
        let mut reader = Reader::<_, u32>::new("numbers", endless).whole_lines();
        let error = reader.next().unwrap().unwrap_err().to_string();
        assert_eq!(
            error,
            "numbers: line 1 is no number record: it has more than 64 MiB"
        );
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let told = |path: &str| {
            let opened = Reader::<_, u32>::open(Path::new(path));
            opened.map(drop).unwrap_err().to_string()
        };
        assert_eq!(told("/"), "cannot read /: expected a file, found a folder");
        assert_eq!(
            told("/dev/zero"),
            "cannot read /dev/zero: expected a file, found a device"
        );
    }
}
