//! Rounds in files.

use crate::Usage;
use crate::tricks::record::{ReadError, Record, read};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::str::FromStr;

/// Which round of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// By its number, from 1.
    Number(usize),
    /// By its id.
    Id(String),
}

impl FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Which, String> {
        match text.parse() {
            Ok(0) => Err("rounds count from 1".to_owned()),
            Ok(number) => Ok(Which::Number(number)),
            Err(_) => Ok(Which::Id(text.to_owned())),
        }
    }
}

/// Hands all rounds of a file to `each`, with their numbers from 1; one that is cut off at the end is
/// left out with a word on standard error.
///
/// # Errors
/// Wrong usage if the file cannot be read; and what `each` says.
pub(super) fn each(
    path: &Path,
    mut each: impl FnMut(usize, Record) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let name = path.display();
    let file = File::open(path).map_err(|e| Usage::new(format!("cannot read {name}: {e}")))?;
    for (number, record) in (1..).zip(read(BufReader::new(file))) {
        match record {
            Ok(record) => each(number, record)?,
            Err(ReadError::Truncated(line)) => {
                eprintln!("contest: {name}: line {line} is cut off and left out");
            }
            Err(error) => return Err(Usage::new(format!("{name}: {error}")).into()),
        }
    }
    Ok(())
}

/// A round of a file.
///
/// # Errors
/// Wrong usage if it is not there.
pub(super) fn find(path: &Path, which: &Which) -> anyhow::Result<Record> {
    let mut found = None;
    each(path, |number, record| {
        let is_it = match which {
            Which::Number(wanted) => number == *wanted,
            Which::Id(id) => record.id == *id,
        };
        if is_it && found.is_none() {
            found = Some(record);
        }
        Ok(())
    })?;
    found.ok_or_else(|| {
        let wanted = match which {
            Which::Number(number) => number.to_string(),
            Which::Id(id) => id.clone(),
        };
        Usage::new(format!("{}: there is no round {wanted}", path.display())).into()
    })
}
