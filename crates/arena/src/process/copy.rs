//! Copies and links of a program's files, with the times of the originals. A `workspace` chooses between the two: small
//! files are copied, large ones linked.

use super::files::{Folder, Item, at, own_part};
use super::running::without_starts;
use rustix::fs::{AtFlags, CWD, FileType, Stat, Timespec, Timestamps};
use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{self as unix, PermissionsExt};
use std::path::Path;

/// The folders that something is copied from and to. Links into the first become links into the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Roots<'a> {
    pub from: &'a Path,
    pub to: &'a Path,
}

/// Copies a folder with everything in it but the entry `without`. Symbolic links are copied as
/// links; pipes, sockets and devices are left out.
pub(super) fn folder(
    from: &Folder,
    to: &Path,
    without: Option<&OsStr>,
    roots: Roots,
) -> io::Result<()> {
    fs::create_dir(to).map_err(at("create", to))?;
    for item in from.items()? {
        if without == Some(&item.name) {
            continue;
        }
        let target = to.join(&item.name);
        match item.kind() {
            FileType::Directory => folder(&from.folder(&item.name)?, &target, None, roots)?,
            FileType::RegularFile => file(from, &item, &target)?,
            FileType::Symlink => link(from, &item, &target, roots)?,
            _ => {}
        }
    }
    // Last, as each entry made in the folder has set its time.
    let stat =
        rustix::fs::fstat(from.fd()).map_err(|error| at("look at", from.path())(error.into()))?;
    set_time(&stat, to)
}

/// Copies a symbolic link.
pub(super) fn link(from: &Folder, item: &Item, to: &Path, roots: Roots) -> io::Result<()> {
    let told = from.link(&item.name)?;
    // A relative link is right in the copy as it stands; an absolute one into the original is turned to the
    // copy.
    let told = own_part(&told, &[roots.from]).map_or(told, |part| roots.to.join(part));
    unix::symlink(told, to).map_err(at("link", to))?;
    set_time(&item.stat, to)
}

/// Copies a file with its permissions.
pub(super) fn file(from: &Folder, item: &Item, to: &Path) -> io::Result<()> {
    let path = from.path().join(&item.name);
    let mut source = from.file(&item.name)?;
    let mut copy = || {
        let mut copy = File::create_new(to)?;
        io::copy(&mut source, &mut copy)?;
        copy.set_permissions(Permissions::from_mode(item.stat.st_mode & 0o7777))
    };
    // A child that another thread starts meanwhile would have the copy open for writing, and as long as it has, nobody
    // can execute the copy ("text file busy").
    match item.is_executable() {
        true => without_starts(copy),
        false => copy(),
    }
    .map_err(at("copy", &path))?;
    set_time(&item.stat, to)
}

/// Makes a symbolic link to the original.
pub(super) fn link_to(from: &Folder, item: &Item, to: &Path) -> io::Result<()> {
    unix::symlink(from.path().join(&item.name), to).map_err(at("link", to))?;
    set_time(&item.stat, to)
}

/// Sets the times of a file, of a folder, or of a link itself.
fn set_time(stat: &Stat, to: &Path) -> io::Result<()> {
    let time = |tv_sec, nanos| Timespec {
        tv_sec,
        tv_nsec: nanos as _,
    };
    let times = Timestamps {
        last_access: time(stat.st_atime, stat.st_atime_nsec),
        last_modification: time(stat.st_mtime, stat.st_mtime_nsec),
    };
    rustix::fs::utimensat(CWD, to, &times, AtFlags::SYMLINK_NOFOLLOW)
        .map_err(|error| at("set the time of", to)(error.into()))
}
