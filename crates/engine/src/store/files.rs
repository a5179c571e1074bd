//! Files that appear whole or not at all, the writers' lock, and the removal of old files.
//!
//! Every write goes to a temporary file in the same folder, which is then renamed over the old one. A
//! rename is atomic, so readers need no lock.

use super::envelope::{HEADER, check_head};
use super::{Key, Limits, MAX_PAYLOAD, Mismatch, StoreError};
use crate::disk::{Disk, Lock};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::NamedTempFile;

/// The first and the last characters of a temporary file's name. `tidy` finds abandoned ones by them.
const TEMPORARY_START: &str = ".store-";
const TEMPORARY_END: &str = ".tmp";
/// No write takes this long: a temporary file of this age belongs to a process that was killed.
const TEMPORARY_AGE: Duration = Duration::from_secs(60 * 60);

/// Whether a kind of cache may have this name: 1 to 24 lower-case letters, digits and underscores.
pub(super) const fn is_kind(name: &[u8]) -> bool {
    let mut i = 0;
    while i < name.len() {
        if !matches!(name[i], b'a'..=b'z' | b'0'..=b'9' | b'_') {
            return false;
        }
        i += 1;
    }
    1 <= i && i <= 24
}

/// Whether a file is named like a cache (see [`super::Key::file_name`]).
fn is_cache(name: &str) -> bool {
    let parts = name
        .strip_suffix(".bin")
        .and_then(|stem| stem.split_once('-'));
    parts.is_some_and(|(kind, id)| {
        let is_hex = |b| matches!(b, b'0'..=b'9' | b'a'..=b'f');
        is_kind(kind.as_bytes()) && id.len() == 16 && id.bytes().all(is_hex)
    })
}

/// Adds to an error of the operating system the action that failed, and the path.
pub(super) fn error(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_path_buf();
    move |error| StoreError::Io { doing, path, error }
}

/// The folder that a file is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Makes the folder and those above it, if they are missing.
pub(super) fn create_folder(disk: &impl Disk, folder: &Path) -> Result<(), StoreError> {
    let made = disk.call(|| fs::create_dir_all(folder));
    made.map_err(error("create", folder))
}

/// The size to which this process may let a file grow; none if there is no limit.
pub(super) fn size_limit() -> Option<u64> {
    #[cfg(unix)]
    return rustix::process::getrlimit(rustix::process::Resource::Fsize).current;
    #[cfg(not(unix))]
    None
}

/// The size of a regular file; none if nothing is there. Anything else, such as a pipe, is an error: to open
/// it could block for ever.
fn size(disk: &impl Disk, path: &Path) -> Result<Option<u64>, StoreError> {
    match disk.call(|| fs::metadata(path)) {
        Ok(metadata) if metadata.is_file() => Ok(Some(metadata.len())),
        Ok(_) => Err(StoreError::NotAFile(path.into())),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(error("read", path)(e)),
    }
}

/// The bytes of a file; none if there is no such file. If its size or its header already show that it is not
/// the one that the key names, the rest is not read, and the mismatch is returned in place of the bytes.
pub(super) fn read(
    disk: &impl Disk,
    path: &Path,
    key: &Key,
    limit: u64,
) -> Result<Option<Result<Vec<u8>, Mismatch>>, StoreError> {
    // `MAX_PAYLOAD` counts the contents alone; 1,024 bytes more leave room for the header.
    let limit = limit.min(MAX_PAYLOAD as u64 + 1024);
    let Some(size) = size(disk, path)? else {
        return Ok(None);
    };
    if size > limit {
        return Ok(Some(Err(Mismatch::TooLarge { found: size, limit })));
    }
    let mut file = match disk.call(|| File::open(path)) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(error("read", path))?,
    };
    // Another process may have replaced the file since its size was read above.
    let opened = disk.call(|| file.metadata());
    let size = opened.map_err(error("read", path))?.len();
    if size > limit {
        return Ok(Some(Err(Mismatch::TooLarge { found: size, limit })));
    }
    let mut bytes = Vec::with_capacity(HEADER);
    let head = disk.call(|| (&mut file).take(HEADER as u64).read_to_end(&mut bytes));
    head.map_err(error("read", path))?;
    if let Err(mismatch) = check_head(key, &bytes, size) {
        return Ok(Some(Err(mismatch)));
    }
    // Memory is asked for only now: the header is this program's, and confirms the size.
    bytes.reserve_exact(size as usize - bytes.len());
    disk.call(|| file.take(limit).read_to_end(&mut bytes))
        .map_err(error("read", path))?;
    Ok(Some(Ok(bytes)))
}

/// Writes a cache: readers see the old file or the new one. It is not synced, for two reasons: the checksum
/// reveals a file that a crash has torn, and a process inside fsync cannot exit before the disk answers.
pub(super) fn write_cache(disk: &impl Disk, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    replace(disk, stage(disk, path, bytes)?, path)
}

/// Writes a table: readers see the old file or the new one, also after a crash.
pub(super) fn write_durably(disk: &impl Disk, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let file = stage(disk, path, bytes)?;
    disk.call(|| file.as_file().sync_all())
        .map_err(error("write", path))?;
    replace(disk, file, path)?;
    sync_folder(disk, folder_of(path))
}

/// Writes the bytes to a temporary file beside `path`.
fn stage(disk: &impl Disk, path: &Path, bytes: &[u8]) -> Result<NamedTempFile, StoreError> {
    let folder = folder_of(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_START).suffix(TEMPORARY_END);
    #[cfg(unix)]
    {
        // The permissions of an ordinary file, so that another user can read it. The process's mask still applies.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = disk
        .call(|| builder.tempfile_in(folder))
        .map_err(error("write in", folder))?;
    // The bytes go to the file inside the wrapper `NamedTempFile`, whose own errors would name the temporary file and
    // not `path`.
    disk.write_all(file.as_file_mut(), bytes)
        .map_err(error("write", path))?;
    Ok(file)
}

/// Renames a temporary file to `path`, over the old file if there is one.
fn replace(disk: &impl Disk, file: NamedTempFile, path: &Path) -> Result<(), StoreError> {
    let replaced = disk.call(|| file.persist(path).map_err(|e| e.error));
    replaced.map(drop).map_err(error("replace", path))
}

/// Makes a rename survive a crash. It is no error if the file system cannot sync a folder.
fn sync_folder(disk: &impl Disk, folder: &Path) -> Result<(), StoreError> {
    let opened = disk.call(|| File::open(folder));
    match opened.and_then(|folder| disk.call(|| folder.sync_all())) {
        Err(e) if !matches!(e.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            Err(error("sync", folder)(e))
        }
        _ => Ok(()),
    }
}

/// Locks the folder for this writer.
///
/// # Errors
/// [`StoreError::Busy`] if another process is writing: no writer waits.
pub(super) fn lock(disk: &impl Disk, folder: &Path) -> Result<Lock, StoreError> {
    let path = folder.join("lock");
    size(disk, &path)?;
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    let file = disk
        .call(|| options.open(&path))
        .map_err(error("open", &path))?;
    let lock = Lock::take(disk, file).map_err(error("lock", &path))?;
    lock.ok_or_else(|| StoreError::Busy(folder.into()))
}

/// Removes a file; returns whether it was there.
pub(super) fn remove(disk: &impl Disk, path: &Path) -> Result<bool, StoreError> {
    match disk.call(|| fs::remove_file(path)) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(false),
        Err(e) => Err(error("remove", path)(e)),
    }
}

/// Removes caches that are too old, then the oldest until the rest and `reserve` more bytes stay within the
/// limit. Removes the temporary files of killed processes as well. The file `replaced` is about to be overwritten:
/// it stays and does not count. Returns the bytes of the caches that stay. A file that cannot be removed stays
/// and counts; it is no error.
pub(super) fn tidy(
    disk: &impl Disk,
    folder: &Path,
    limits: &Limits,
    reserve: u64,
    replaced: Option<&Path>,
) -> Result<u64, StoreError> {
    let now = SystemTime::now();
    // A time in the future, as after the clock was set back, counts as now.
    let age = |time| now.duration_since(time).unwrap_or_default();
    let mut caches: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
    let entries = disk.call(|| fs::read_dir(folder));
    for entry in entries.map_err(error("read", folder))? {
        let entry = disk.call(|| entry).map_err(error("read", folder))?;
        let (name, path) = (entry.file_name(), entry.path());
        let Some(name) = name.to_str() else { continue };
        // The metadata of the entry itself; a link is not followed.
        let Ok(metadata) = disk.call(|| entry.metadata()) else {
            continue;
        };
        let Ok(written) = metadata.modified() else {
            continue;
        };
        if !metadata.is_file() {
            continue;
        }
        if name.starts_with(TEMPORARY_START) && name.ends_with(TEMPORARY_END) {
            if age(written) > TEMPORARY_AGE {
                let _ = disk.call(|| fs::remove_file(&path));
            }
        } else if is_cache(name) && replaced != Some(path.as_path()) {
            caches.push((written, path, metadata.len()));
        }
    }
    // The tuples begin with the time of writing, so the oldest come first.
    caches.sort();
    let mut kept: u64 = caches.iter().map(|(_, _, bytes)| bytes).sum();
    for (written, path, bytes) in caches {
        let too_much = kept.saturating_add(reserve) > limits.bytes;
        let is_out = too_much || age(written) > limits.age;
        if is_out && disk.call(|| fs::remove_file(&path)).is_ok() {
            kept -= bytes;
        }
    }
    Ok(kept)
}
