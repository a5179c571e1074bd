//! A folder for what programs get: their copies, temporary files, named pipes. Once hidden it cannot be listed, so no
//! program finds what is another's. It is removed when it is dropped or, if its process was killed, by a process that
//! makes one later.

use super::files::at;
use engine::sync::lock;
use rustix::fs::{
    AtFlags, Dir, Mode, OFlags, RenameFlags, chmodat, openat, renameat_with, unlinkat,
};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::env;
use std::ffi::{CStr, CString};
use std::fs::{self, File, Permissions, TryLockError};
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once};
use tempfile::TempDir;

/// The beginning of all such folders' names.
const PREFIX: &str = "contest-";
/// The file in it that its process keeps locked, from before it has this name.
const LOCK: &str = "in-use";
/// Random characters in the name of a folder inside.
const RANDOM: usize = 24;

/// All that there are in this process.
static OPEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The system's folder for temporary files, without symbolic links.
///
/// # Errors
/// If it cannot be found; the error names it.
pub fn temporary_folder() -> io::Result<PathBuf> {
    let folder = env::temp_dir();
    let folder = named(&folder);
    folder
        .canonicalize()
        .map_err(at("find the folder for temporary files", folder))
}

/// The folder for temporary files that this path names. An empty TMPDIR gives an empty path, and counts as unset.
fn named(temporary: &Path) -> &Path {
    match temporary.as_os_str().is_empty() {
        true => Path::new("/tmp"),
        false => temporary,
    }
}

/// Such a folder, removed when it is dropped.
#[derive(Debug)]
pub struct Place {
    folder: TempDir,
    _lock: File,
}

impl Place {
    /// A new one in `temporary`. The first of a process removes those of processes that were killed.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(temporary: &Path) -> io::Result<Place> {
        static SWEPT: Once = Once::new();
        let temporary = named(temporary);
        SWEPT.call_once(|| sweep(temporary));
        let folder = tempfile::Builder::new()
            .prefix(PREFIX)
            .tempdir_in(temporary)
            .map_err(at("make a folder in", temporary))?;
        let path = folder.path().join("new");
        let in_use = File::create(&path).map_err(at("create", &path))?;
        in_use.lock().map_err(at("lock", &path))?;
        fs::rename(&path, folder.path().join(LOCK)).map_err(at("rename", &path))?;
        lock(&OPEN).insert(folder.path().to_owned());
        Ok(Place {
            folder,
            _lock: in_use,
        })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A folder inside with a name that nobody guesses.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn folder(&self) -> io::Result<PathBuf> {
        let inside = tempfile::Builder::new()
            .prefix("")
            .rand_bytes(RANDOM)
            .tempdir_in(self.path())
            .map_err(at("make a folder in", self.path()))?;
        Ok(inside.keep())
    }

    /// Lets nobody list it from now on; whoever knows the name of a folder inside can still enter.
    ///
    /// # Errors
    /// If its rights cannot be set.
    pub fn hide(&self) -> io::Result<()> {
        fs::set_permissions(self.path(), Permissions::from_mode(0o300))
            .map_err(at("hide", self.path()))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // An error is ignored: nobody could remove the rest.
        let _ = remove(self.path());
        lock(&OPEN).remove(self.path());
    }
}

/// Removes all that there are in this process, which makes none from now on.
pub(super) fn remove_all() {
    // The lock is held for ever.
    let open = ManuallyDrop::new(lock(&OPEN));
    for folder in &**open {
        // An error is ignored: nobody could remove the rest.
        let _ = remove(folder);
    }
}

/// Removes such a folder and everything in it, whatever the rights that a program has set, and however
/// deep it has gone.
fn remove(folder: &Path) -> io::Result<()> {
    // A program may have taken away the rights to its folder.
    let top = rustix::fs::open(folder, FOLDER, Mode::empty()).or_else(|_| {
        fs::set_permissions(folder, Permissions::from_mode(0o700))?;
        Ok::<_, io::Error>(rustix::fs::open(folder, FOLDER, Mode::empty())?)
    })?;
    fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    let mut moved = 0;
    // Each pass removes the entries that it finds, and moves the folders inside them up: those are the entries of the
    // next pass.
    loop {
        let before = moved;
        let mut any = false;
        for name in names(&top)? {
            any = true;
            remove_entry(&top, &name, &mut moved)?;
        }
        if !any {
            return fs::remove_dir(folder);
        }
        if moved == before {
            // All that was there is gone, unless somebody makes more.
            return fs::remove_dir(folder);
        }
    }
}

/// To open a folder and nothing else.
const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Removes an entry of a folder. The folders inside it are moved up to that folder, so neither a path nor the
/// stack nor the number of open files grows with the depth.
fn remove_entry(top: &OwnedFd, name: &CStr, moved: &mut u64) -> io::Result<()> {
    match unlinkat(top, name, AtFlags::empty()) {
        Ok(()) => return Ok(()),
        // The errors that systems give for a folder.
        Err(Errno::ISDIR | Errno::PERM | Errno::ACCESS) => {}
        Err(error) => return Err(error.into()),
    }
    // The rights to list it and to take entries out of it.
    let _ = chmodat(top, name, Mode::RWXU, AtFlags::empty());
    let folder = openat(top, name, FOLDER, Mode::empty())?;
    for inner in names(&folder)? {
        match unlinkat(&folder, &*inner, AtFlags::empty()) {
            Ok(()) => continue,
            Err(Errno::ISDIR | Errno::PERM | Errno::ACCESS) => {}
            Err(error) => return Err(error.into()),
        }
        if unlinkat(&folder, &*inner, AtFlags::REMOVEDIR).is_ok() {
            continue;
        }
        // To move a folder changes its entry `..`, which takes the right to write to it.
        let _ = chmodat(&folder, &*inner, Mode::RWXU, AtFlags::empty());
        // The program itself may have made folders of such names.
        loop {
            let free = format!("moved-{moved}");
            *moved += 1;
            match renameat_with(&folder, &*inner, top, &*free, RenameFlags::NOREPLACE) {
                Ok(()) => break,
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(unlinkat(top, name, AtFlags::REMOVEDIR)?)
}

/// The names of what is in a folder.
fn names(folder: &OwnedFd) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let name = entry?.file_name().to_owned();
        if !matches!(name.to_bytes(), b"." | b"..") {
            names.push(name);
        }
    }
    Ok(names)
}

/// Removes the folders of processes that have ended. Errors are ignored: a folder that cannot be looked at or
/// removed is not ours.
fn sweep(temporary: &Path) {
    let Ok(entries) = fs::read_dir(temporary) else {
        return;
    };
    for entry in entries.flatten() {
        let named = entry.file_name().to_string_lossy().starts_with(PREFIX);
        // In a folder for everybody others may have put anything under such a name.
        let ours = fs::symlink_metadata(entry.path()).is_ok_and(|folder| {
            folder.is_dir() && folder.uid() == rustix::process::geteuid().as_raw()
        });
        if named && ours && is_abandoned(&entry.path()) {
            let _ = remove(&entry.path());
        }
    }
}

/// Whether a process has made a lock in it, and holds the lock no more.
fn is_abandoned(folder: &Path) -> bool {
    let lock = File::open(folder.join(LOCK));
    lock.is_ok_and(|lock| !matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sweeping removes the folder of a killed process, and keeps those of a running process and of anybody
    /// else.
    #[test]
    fn what_a_killed_process_left_is_swept() {
        assert_eq!(named(Path::new("")), Path::new("/tmp"));
        let temporary = tempfile::tempdir().unwrap();
        let running = Place::new(temporary.path()).unwrap();
        running.hide().unwrap();
        let killed = temporary.path().join("contest-killed");
        let begun = temporary.path().join("contest-begun");
        let other = temporary.path().join("contest-other");
        for folder in [&killed, &begun, &other] {
            fs::create_dir_all(folder.join("copy")).unwrap();
        }
        File::create(killed.join(LOCK)).unwrap();
        File::create(begun.join("new")).unwrap();
        sweep(temporary.path());
        assert!(!killed.exists());
        assert!(begun.exists() && other.exists() && running.path().exists());
        let path = running.path().to_owned();
        let locked = path.join("copy/locked");
        fs::create_dir_all(locked.join("deep")).unwrap();
        fs::set_permissions(&locked, Permissions::from_mode(0o000)).unwrap();
        drop(running);
        assert!(!path.exists());
    }

    /// Folders nested so deep that no path can name them, and that a process cannot hold all of them open.
    #[test]
    fn the_deepest_folder_is_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let place = Place::new(temporary.path()).unwrap();
        let mut folder = rustix::fs::open(place.path(), FOLDER, Mode::empty()).unwrap();
        for depth in 0..3000 {
            let name = "a-long-name-in-a-deep-folder";
            rustix::fs::mkdirat(&folder, name, Mode::RWXU).unwrap();
            let flags = OFlags::CREATE | OFlags::WRONLY;
            openat(&folder, "file", flags, Mode::RUSR).unwrap();
            let inner = openat(&folder, name, FOLDER, Mode::empty()).unwrap();
            if depth % 1000 == 999 {
                rustix::fs::fchmod(&folder, Mode::empty()).unwrap();
            }
            folder = inner;
        }
        drop(folder);
        let path = place.path().to_owned();
        drop(place);
        assert!(!path.exists());
    }
}
