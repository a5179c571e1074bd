//! How a program is named to a referee: `PROGRAM` or `LABEL=PROGRAM`, where the program is a path or
//! `builtin:NAME`.

use std::convert::Infallible;
use std::path::Path;
use std::str::FromStr;

/// What a built-in program begins with.
pub const BUILTIN: &str = "builtin:";

/// A program as somebody named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// What it is called in tables and records.
    pub label: String,
    /// `builtin:NAME…`, or the path of a folder with a `runme`, or of an executable.
    pub program: String,
}

impl FromStr for Named {
    type Err = Infallible;

    /// Without a label a path is called by its last part.
    fn from_str(text: &str) -> Result<Named, Infallible> {
        let labelled = text
            .split_once('=')
            .filter(|(label, _)| !label.contains(['/', ':', ',']) && !label.is_empty());
        let (label, program) = match labelled {
            Some((label, program)) => (label.to_owned(), program),
            None => (own_name(text), text),
        };
        let program = program.to_owned();
        Ok(Named { label, program })
    }
}

/// What a program is called that was given no label.
fn own_name(program: &str) -> String {
    if let Some(builtin) = program.strip_prefix(BUILTIN) {
        return builtin.to_owned();
    }
    let path = Path::new(program);
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let named = match whole.file_name() {
        // A folder's program is called as its folder.
        Some(name) if name == "runme" => whole.parent().and_then(Path::file_name),
        name => name,
    };
    named.map_or_else(|| program.to_owned(), |n| n.to_string_lossy().into_owned())
}
