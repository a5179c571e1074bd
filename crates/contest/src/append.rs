//! Files that grow by whole lines.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Opens a file to append whole lines to; it is made if there is none.
///
/// # Errors
/// If it cannot be opened, or does not end with a whole line.
pub(super) fn open(path: &Path) -> anyhow::Result<File> {
    let mut file = File::options()
        .create(true)
        .read(true)
        .append(true)
        .open(path)?;
    // Only regular files have an end to look at.
    if file.metadata()?.is_file() && file.seek(SeekFrom::End(0))? > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        anyhow::ensure!(
            last == *b"\n",
            "its last line is cut off; remove that line first, or go on with --resume where there is that"
        );
    }
    Ok(file)
}
