//! Copies and links that keep the time of the original.

use super::files::{at, entries};
use super::running::without_starts;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{self as unix, MetadataExt, PermissionsExt};
use std::path::{Component, Path};

/// How much a folder holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    /// Files, folders and links.
    pub files: usize,
    /// Bytes of all files.
    pub bytes: u64,
}

impl Size {
    /// The size of a folder; none if it is over the limit, which is all that is then looked at.
    pub(super) fn of(folder: &Path, limit: Size) -> io::Result<Option<Size>> {
        let mut size = Size::default();
        let mut waiting = vec![folder.to_path_buf()];
        while let Some(folder) = waiting.pop() {
            for entry in entries(&folder)? {
                let path = entry.path();
                let metadata = entry.metadata().map_err(at("look at", &path))?;
                size.files += 1;
                if metadata.is_file() {
                    size.bytes += metadata.len();
                } else if metadata.is_dir() {
                    waiting.push(path);
                }
                if size.files > limit.files || size.bytes > limit.bytes {
                    return Ok(None);
                }
            }
        }
        Ok(Some(size))
    }
}

/// Copies a folder with everything in it but the entry `without`. Symbolic links are copied as
/// links; pipes, sockets and devices are left out.
pub(super) fn folder(from: &Path, to: &Path, without: &Path) -> io::Result<()> {
    fs::create_dir(to).map_err(at("create", to))?;
    for entry in entries(from)? {
        let path = entry.path();
        if path == without {
            continue;
        }
        let kind = entry.file_type().map_err(at("look at", &path))?;
        let target = to.join(entry.file_name());
        if kind.is_dir() {
            folder(&path, &target, without)?;
        } else if kind.is_file() {
            file(&path, &target)?;
        } else if kind.is_symlink() {
            inner_link(&path, &target)?;
        }
    }
    keep_time(from, to)
}

/// Copies a symbolic link that is inside a copied folder.
fn inner_link(from: &Path, to: &Path) -> io::Result<()> {
    let told = fs::read_link(from).map_err(at("read the link", from))?;
    let climbs = told.components().any(|part| part == Component::ParentDir);
    if told.is_absolute() || climbs {
        // From the copy a way up would lead elsewhere.
        link(from, to)
    } else {
        unix::symlink(told, to).map_err(at("link", to))?;
        keep_time(from, to)
    }
}

/// Copies a file with its permissions.
pub(super) fn file(from: &Path, to: &Path) -> io::Result<()> {
    let copy = || fs::copy(from, to).map_err(at("copy", from));
    let metadata = fs::metadata(from).map_err(at("look at", from))?;
    if metadata.permissions().mode() & 0o111 != 0 {
        without_starts(copy)?;
    } else {
        copy()?;
    }
    set_time(&metadata, to)
}

/// Makes a symbolic link to the original.
pub(super) fn link(from: &Path, to: &Path) -> io::Result<()> {
    unix::symlink(from, to).map_err(at("link", to))?;
    keep_time(from, to)
}

fn keep_time(from: &Path, to: &Path) -> io::Result<()> {
    let metadata = fs::symlink_metadata(from).map_err(at("look at", from))?;
    set_time(&metadata, to)
}

/// Sets the times of a file, of a folder, or of a link itself.
fn set_time(metadata: &Metadata, to: &Path) -> io::Result<()> {
    let time = |tv_sec, nanos: i64| Timespec {
        tv_sec,
        tv_nsec: nanos as _,
    };
    let times = Timestamps {
        last_access: time(metadata.atime(), metadata.atime_nsec()),
        last_modification: time(metadata.mtime(), metadata.mtime_nsec()),
    };
    rustix::fs::utimensat(CWD, to, &times, AtFlags::SYMLINK_NOFOLLOW)
        .map_err(|error| at("set the time of", to)(error.into()))
}
