//! Looking at folders, with errors that name what could not be done.

use std::fs;
use std::io;
use std::path::Path;

/// Adds the path to an error.
pub(super) fn at<'a>(doing: &'a str, path: &'a Path) -> impl Fn(io::Error) -> io::Error + 'a {
    move |error| {
        let path = path.display();
        io::Error::new(error.kind(), format!("cannot {doing} {path}: {error}"))
    }
}

/// The entries of a folder in the order of their names.
pub(super) fn entries(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    let read = || -> io::Result<Vec<_>> { fs::read_dir(folder)?.collect() };
    let mut entries = read().map_err(at("read the folder", folder))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    Ok(entries)
}
