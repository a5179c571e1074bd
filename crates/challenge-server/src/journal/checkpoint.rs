//! Checkpoints: the state after one of a journal's lines, so that a restarted server reads only the lines after it.
//! A checkpoint and its index are caches and may be deleted at any time. If they do not fit the journal, they are
//! not used, and the whole journal is read.

use super::super::contest::{Contest, ContestState};
use super::super::index::Index;
use super::line::VoidGame;
use super::progress::Progress;
use engine::disk::Disk;
use engine::store::{Key, Kind, decode, encode};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The kind of the file, with the version of its format. The version must change whenever `Stored` does.
const KEY: Key = Key {
    kind: Kind::new("challenge_checkpoint", 1),
    fingerprint: 0,
    id: 0,
};

/// Bytes of the journal that must be the same, at its beginning and just before the checkpoint's place.
/// They identify the journal without reading all of it.
const COMPARED: u64 = 4096;

/// The paths of a journal's checkpoint and index.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    journal: PathBuf,
    pub checkpoint: PathBuf,
    pub index: PathBuf,
}

impl Paths {
    pub fn of(journal: &Path) -> Paths {
        let with = |ending: &str| {
            let mut name = OsString::from(journal);
            name.push(ending);
            PathBuf::from(name)
        };
        Paths {
            journal: journal.to_owned(),
            checkpoint: with(".checkpoint"),
            index: with(".index"),
        }
    }
}

/// A checkpoint as it is stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    /// The place in the journal, in bytes, and the lines before it.
    end: u64,
    lines: u64,
    /// The bytes at the journal's beginning, and before the place.
    head: Vec<u8>,
    tail: Vec<u8>,
    /// Entries of the index, and their checksum.
    games: u64,
    checksum: u64,
    contest: ContestState,
    // From here on the fields of `Progress`.
    last_id: u64,
    elapsed: u64,
    ids: Vec<(u64, u64)>,
    under_way: Vec<(u64, [u64; 2])>,
    void: Vec<VoidGame>,
}

/// A place in a journal between two lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub end: u64,
    pub lines: usize,
}

/// The bytes at the beginning of a journal, and before a place in it.
fn surroundings(disk: &impl Disk, journal: &Path, end: u64) -> io::Result<[Vec<u8>; 2]> {
    let file = disk.call(|| File::open(journal))?;
    let length = end.min(COMPARED);
    let mut parts = [(); 2].map(|()| vec![0; length as usize]);
    disk.call(|| file.read_exact_at(&mut parts[0], 0))?;
    disk.call(|| file.read_exact_at(&mut parts[1], end - length))?;
    Ok(parts)
}

/// Reads the checkpoint of a journal into `contest` and returns the rest of it; none if there is no
/// checkpoint.
///
/// # Errors
/// If it does not fit the journal or the index, or cannot be read. `contest` is then what it was.
pub(super) fn load<D: Disk>(
    disk: &D,
    paths: &Paths,
    contest: &mut Contest,
) -> io::Result<Option<(Place, Progress, Index<D>)>> {
    let invalid = |text: String| io::Error::new(ErrorKind::InvalidData, text);
    let bytes = match disk.call(|| std::fs::read(&paths.checkpoint)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        bytes => bytes?,
    };
    let stored: Stored = decode(&KEY, &bytes).map_err(|error| invalid(error.to_string()))?;
    // A shorter journal has lost lines that the checkpoint counts.
    let length = disk.call(|| std::fs::metadata(&paths.journal))?.len();
    if length < stored.end {
        return Err(invalid(format!(
            "the journal has {length} bytes, expected at least {}",
            stored.end
        )));
    }
    // A journal that was replaced or edited almost certainly differs at its beginning or just before the
    // place.
    if surroundings(disk, &paths.journal, stored.end)? != [stored.head, stored.tail] {
        return Err(invalid("the journal is another one".to_owned()));
    }
    let mut options = File::options();
    options.read(true).write(true);
    let index = disk.call(|| options.open(&paths.index));
    let index =
        index.and_then(|file| Index::open(disk.clone(), file, stored.games, stored.checksum));
    let index = index.map_err(|error| invalid(format!("{}: {error}", paths.index.display())))?;
    // `contest` changes only now, after every check: on an error it must be what it was.
    contest.restore(stored.contest);
    let progress = Progress {
        last_id: stored.last_id,
        elapsed: stored.elapsed,
        ids: stored.ids.into_iter().collect(),
        under_way: stored.under_way.into_iter().collect(),
        void: stored.void,
    };
    let place = Place {
        end: stored.end,
        lines: stored.lines as usize,
    };
    Ok(Some((place, progress, index)))
}

/// Writes a checkpoint, in place of the one before.
///
/// # Errors
/// If it cannot be written; the one before is then still there.
pub(super) fn save<D: Disk>(
    disk: &D,
    paths: &Paths,
    place: Place,
    contest: &Contest,
    progress: &Progress,
    index: &Index<D>,
) -> io::Result<()> {
    let [head, tail] = surroundings(disk, &paths.journal, place.end)?;
    let stored = Stored {
        end: place.end,
        lines: place.lines as u64,
        head,
        tail,
        games: index.len(),
        checksum: index.checksum(),
        contest: contest.state(),
        last_id: progress.last_id,
        elapsed: progress.elapsed,
        ids: progress.ids.ranges().collect(),
        under_way: progress.under_way.iter().map(|(&id, &t)| (id, t)).collect(),
        void: progress.void.clone(),
    };
    let bytes = encode(&KEY, &stored).map_err(io::Error::other)?;
    // The temporary file lies in the same folder, so that `persist` is a rename, which is atomic: a killed
    // server leaves the old checkpoint or the new one. No fsync: a cache may be lost.
    let folder = paths
        .checkpoint
        .parent()
        .filter(|path| path != &Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    let mut file = disk.call(|| tempfile::NamedTempFile::new_in(folder))?;
    disk.write_all(&mut file, &bytes)?;
    disk.call(|| Ok(file.persist(&paths.checkpoint)?))?;
    Ok(())
}
