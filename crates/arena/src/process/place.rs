//! A folder for the copies of programs, which cannot be listed and does not outlive its process for long.

use super::files::at;
use std::fs::{self, File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;
use tempfile::TempDir;

/// What the names of all such folders begin with.
const PREFIX: &str = "contest-";
/// The file in it that its process keeps locked.
const LOCK: &str = "in-use";
/// Random characters in the name of a folder inside.
const RANDOM: usize = 24;
/// Before a process has locked its folder, nobody is to take it for a dead one's.
const YOUNG: Duration = Duration::from_secs(60);

/// Such a folder, removed when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    folder: TempDir,
    _lock: File,
}

impl Place {
    /// A new one. The first of a process removes those of processes that were killed.
    pub fn new(temporary: &Path) -> io::Result<Place> {
        static SWEPT: Once = Once::new();
        SWEPT.call_once(|| sweep(temporary));
        let folder = tempfile::Builder::new()
            .prefix(PREFIX)
            .tempdir_in(temporary)
            .map_err(at("make a folder in", temporary))?;
        let path = folder.path().join(LOCK);
        let lock = File::create(&path).map_err(at("create", &path))?;
        lock.lock().map_err(at("lock", &path))?;
        Ok(Place {
            folder,
            _lock: lock,
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A folder inside with a name that nobody guesses.
    pub fn folder(&self) -> io::Result<PathBuf> {
        let inside = tempfile::Builder::new()
            .prefix("")
            .rand_bytes(RANDOM)
            .tempdir_in(self.path())
            .map_err(at("make a folder in", self.path()))?;
        Ok(inside.keep())
    }

    /// From now on it cannot be listed.
    pub fn hide(&self) -> io::Result<()> {
        fs::set_permissions(self.path(), Permissions::from_mode(0o300))
            .map_err(at("hide", self.path()))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What is left of it afterwards, nobody can remove.
        let _ = remove(self.path());
    }
}

/// Removes such a folder and everything in it, whatever the rights that a program has set.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    fs::remove_dir_all(folder).or_else(|_| {
        unlock(folder);
        fs::remove_dir_all(folder)
    })
}

/// Makes all folders below one readable again, as far as their paths can be named.
fn unlock(folder: &Path) {
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let _ = fs::set_permissions(&folder, Permissions::from_mode(0o700));
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                waiting.push(entry.path());
            }
        }
    }
}

/// Removes the folders of processes that are no more. What cannot be looked at or removed is not ours.
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

/// Whether a process has locked it once and does so no more.
fn is_abandoned(folder: &Path) -> bool {
    let Ok(lock) = File::open(folder.join(LOCK)) else {
        return false;
    };
    let age = lock.metadata().and_then(|lock| lock.modified());
    let is_old = age.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > YOUNG));
    is_old && !matches!(lock.try_lock(), Err(TryLockError::WouldBlock))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::FileTimes;
    use std::time::SystemTime;

    fn grow_old(folder: &Path) {
        let lock = File::options().write(true).open(folder.join(LOCK)).unwrap();
        let then = SystemTime::now() - 2 * YOUNG;
        lock.set_times(FileTimes::new().set_modified(then)).unwrap();
    }

    /// The folder of a killed process goes, that of a running one and anybody else's stay.
    #[test]
    fn what_a_killed_process_left_is_swept() {
        let temporary = tempfile::tempdir().unwrap();
        let running = Place::new(temporary.path()).unwrap();
        running.hide().unwrap();
        let killed = temporary.path().join("contest-killed");
        let young = temporary.path().join("contest-young");
        let other = temporary.path().join("contest-other");
        for folder in [&killed, &young, &other] {
            fs::create_dir_all(folder.join("copy")).unwrap();
        }
        File::create(killed.join(LOCK)).unwrap();
        File::create(young.join(LOCK)).unwrap();
        grow_old(&killed);
        grow_old(running.path());
        sweep(temporary.path());
        assert!(!killed.exists());
        assert!(young.exists() && other.exists() && running.path().exists());
        let path = running.path().to_owned();
        let locked = path.join("copy/locked");
        fs::create_dir_all(locked.join("deep")).unwrap();
        fs::set_permissions(&locked, Permissions::from_mode(0o000)).unwrap();
        drop(running);
        assert!(!path.exists());
    }
}
