//! Reading records of games, for the commands of several contests: one record of a file ([`Selector`]), all of
//! them ([`Records`]), and the file for a match's record ([`RecordArgs`]). Errors become wrong usage.

use crate::Usage;
use arena::records::{Appender, Opening, Reader, Record, RecordError};
use clap::Args;
use seats::cli::seed::SeedArgs;
use std::convert::Infallible;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A record in a file, as the user names it: `3` is the third, `1-20-2` the one with this id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selector {
    /// The n-th, from 1.
    Number(usize),
    /// The first with this id.
    Id(String),
}

impl FromStr for Selector {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Selector, Infallible> {
        Ok(match text.parse() {
            Ok(number) => Selector::Number(number),
            Err(_) => Selector::Id(text.to_owned()),
        })
    }
}

impl Selector {
    /// The selected record in words: `game 3`, `game "1-20-2"`.
    pub(crate) fn describe<T: Record>(&self) -> String {
        match self {
            Selector::Number(number) => format!("{} {number}", T::NOUN),
            Selector::Id(id) => format!("{} {id:?}", T::NOUN),
        }
    }

    /// Reads the selected record of a contest. `id_of` gives the id of a record.
    ///
    /// # Errors
    /// Wrong usage if the file cannot be read as far as the record, or does not have it.
    pub(crate) fn find<T: Record>(
        &self,
        contest: &'static str,
        path: &Path,
        id_of: impl Fn(&T) -> &str,
    ) -> anyhow::Result<T> {
        self.find_part(contest, path, |record: T| vec![record], id_of)
    }

    /// As [`find`](Selector::find), where each record of the file has `parts` that can be selected.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn find_part<T: Record, P>(
        &self,
        contest: &'static str,
        path: &Path,
        parts: impl Fn(T) -> Vec<P>,
        id_of: impl Fn(&P) -> &str,
    ) -> anyhow::Result<P> {
        let mut count = 0;
        // Lines differ in length, so the n-th record is found only by reading all before it.
        let records = Reader::<_, T>::open(path).map_err(Usage::of)?;
        for record in records.of_contest(contest) {
            for part in parts(record.map_err(Usage::of)?) {
                count += 1;
                let found = match self {
                    Selector::Number(number) => *number == count,
                    Selector::Id(id) => id == id_of(&part),
                };
                if found {
                    return Ok(part);
                }
            }
        }
        let held = match count {
            0 => format!("no {}s", T::NOUN),
            1 => format!("one {}", T::NOUN),
            n => format!("{n} {}s", T::NOUN),
        };
        let (path, wanted) = (path.display(), self.describe::<T>());
        refuse!("{path}: there is no {wanted}; the file has {held}");
    }
}

/// All records of a file. If its last line is incomplete, since a match is still writing or was cut off, that line
/// is left out with a warning.
pub(crate) struct Records<T>(Reader<Box<dyn BufRead + Send>, T>);

impl<T: Record> Records<T> {
    /// Opens a file with records of a contest.
    ///
    /// # Errors
    /// Wrong usage if it cannot be opened.
    pub(crate) fn open(contest: &'static str, path: &Path) -> anyhow::Result<Records<T>> {
        let reader = Reader::open(path).map_err(Usage::of)?;
        Ok(Records(reader.whole_lines().of_contest(contest)))
    }

    /// The next record, with the number of its line.
    ///
    /// # Errors
    /// Wrong usage if it cannot be read.
    pub(crate) fn next(&mut self) -> anyhow::Result<Option<(usize, T)>> {
        let record = self.0.next().transpose().map_err(Usage::of)?;
        // Only at the end of the file: a torn line is always the last one.
        if record.is_none()
            && let Some(line) = self.0.torn_line()
        {
            let path = self.0.path().display();
            engine::note!("contest: {path}: line {line} is cut off and left out");
        }
        Ok(record.map(|record| (self.0.line(), record)))
    }
}

/// The file that a match is recorded in.
#[derive(Clone, Debug, Args)]
pub(crate) struct RecordArgs {
    /// Writes the match to this file, a line of JSON for each game or round; it must be a new one, except with --resume
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Continues an interrupted match: what the record has is not played again
    #[arg(long, requires = "record")]
    pub(crate) resume: bool,
}

impl RecordArgs {
    /// Opens the file and locks it, since two matches would mix their games in it. `begins` says whether a torn last
    /// line is the beginning of a record of this contest; it is removed, and anything else is left alone.
    ///
    /// # Errors
    /// Wrong usage if another process uses the file, if it ends with something else, or if it has records without
    /// `--resume`.
    pub(crate) fn open(&self, begins: fn(&[u8]) -> bool) -> anyhow::Result<Option<Appender>> {
        let opening = Opening::Exclusive {
            is_ours: begins,
            durable: false,
        };
        match &self.record {
            None => Ok(None),
            Some(path) if self.resume => {
                let file = Appender::open(path, opening).map_err(Usage::of)?;
                Ok(Some(file))
            }
            Some(path) => new_record(path, ", or continue this match with --resume").map(Some),
        }
    }

    /// The file whose games are not to be played again.
    pub(crate) fn resumed(&self) -> Option<&Path> {
        self.record.as_deref().filter(|_| self.resume)
    }
}

/// How many of all games a match has played: `18 of 100`, or `100` for all of them.
pub(crate) fn out_of(played: u64, all: u64) -> String {
    match played == all {
        true => played.to_string(),
        false => format!("{played} of {all}"),
    }
}

/// Says how an interrupted command with a record goes on: with these further options, and with the seed unless it was
/// named, since the same command then has it.
///
/// # Errors
/// As of [`SeedArgs::given`].
pub(crate) fn say_how_to_go_on(options: &str, named: &SeedArgs, seed: u64) -> anyhow::Result<()> {
    let options = match named.given()? {
        Some(_) => options.to_owned(),
        None => format!("{options} --seed {seed}"),
    };
    match options.is_empty() {
        true => engine::note!("to go on: the same command"),
        false => engine::note!("to go on: the same command, with{options}"),
    }
    Ok(())
}

/// Whether the text after a file's last line end is the beginning of a record of this contest, or a part of one.
pub(crate) fn begins(contest: &str, tail: &[u8]) -> bool {
    let start = format!("{{\"contest\":\"{contest}\"");
    let length = tail.len().min(start.len());
    tail[..length] == start.as_bytes()[..length]
}

/// Makes the file for the record of a match or a game. If the file exists and has records, the error message ends with
/// `otherwise`, which names another way out.
///
/// # Errors
/// Wrong usage if it has records already, or another process uses it.
pub(crate) fn new_record(path: &Path, otherwise: &str) -> anyhow::Result<Appender> {
    Appender::create(path).map_err(|error| match error {
        RecordError::Occupied(_) => Usage::new(format!("{error}{otherwise}")).into(),
        RecordError::InUse(_) => Usage::of(error).into(),
        other => other.into(),
    })
}
