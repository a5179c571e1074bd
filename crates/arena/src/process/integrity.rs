//! Finds changes in the files of a program: lists a folder with all that is in it, and compares it later.
//!
//! *Files of the beginning* are those of the first listing; for them only kind, rights and contents count. Files that
//! appear later are reported once, and again if they change. `tampering` decides which changes are allowed.

use super::files::at;
use super::program::{hash_bytes, hash_open_file};
use fnv::FnvHasher;
use rustix::fs::{FileType, OFlags};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::hash::Hasher;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The folder at the top that a program may change itself: it is not compared.
const FREE: &str = "support";

/// The entries of a folder with all that is below it, or a single file.
#[derive(Debug)]
pub(super) struct Listing {
    place: PathBuf,
    entries: BTreeMap<PathBuf, Entry>,
}

/// The differences between a folder and its listing, in words.
#[derive(Debug, Default)]
pub(super) struct Differences {
    /// Files of the beginning that are changed or gone.
    pub changed: Vec<String>,
    /// Files that are not of the beginning, and are new, changed or gone. Another process may have made them.
    pub added: Vec<String>,
}

impl Differences {
    /// The differences of both kinds in one list.
    pub(super) fn all(self) -> Vec<String> {
        let mut all = self.changed;
        all.extend(self.added);
        all
    }
}

/// One file, folder, link or other thing.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    state: State,
    /// For a symbolic link its target, and the state of the file there if the target is a file.
    link: Option<(PathBuf, Option<State>)>,
    /// Whether it was made after the listing.
    is_added: bool,
}

/// A file's metadata, and the hash of its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    mode: u32,
    device: u64,
    inode: u64,
    size: u64,
    /// The time of the last write, in seconds and nanoseconds.
    written: (i64, i64),
    /// The time of the last change of contents, name or rights, which no program can set.
    changed: (i64, i64),
    /// `None` if it is not a file of the beginning.
    hash: Option<u64>,
}

impl State {
    fn of(metadata: &Metadata) -> State {
        State {
            mode: metadata.mode(),
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            written: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            hash: None,
        }
    }

    /// The state of a folder without size and times. These change with its entries, which are compared themselves.
    fn of_folder(metadata: &Metadata) -> State {
        State {
            size: 0,
            written: (0, 0),
            changed: (0, 0),
            ..State::of(metadata)
        }
    }

    /// The state with the hash of a file's contents.
    fn hashed(self, path: &Path) -> io::Result<State> {
        let hash = Some(hash(path)?);
        Ok(State { hash, ..self })
    }

    /// The state now, if the file still has the same contents. With the same contents, other times or another inode
    /// count as no change.
    fn same_as(self, now: &Metadata, path: &Path) -> Option<State> {
        let new = State {
            hash: self.hash,
            ..State::of(now)
        };
        // Equal metadata, including the time that no program can set, mean equal contents: nothing is read.
        if new == self {
            return Some(self);
        }
        // Otherwise only the contents count. They are read if kind, rights and size are the same.
        let alike = self.hash.is_some() && new.mode == self.mode && new.size == self.size;
        let same = alike && hash(path).ok() == self.hash;
        same.then_some(new)
    }
}

/// The hash of a file, which may have become a pipe or a folder meanwhile.
fn hash(path: &Path) -> io::Result<u64> {
    // Opening must not wait for the other end of a pipe.
    let mut file = File::options()
        .read(true)
        .custom_flags(OFlags::NONBLOCK.bits() as i32)
        .open(path)
        .map_err(at("read", path))?;
    if !file.metadata().map_err(at("look at", path))?.is_file() {
        let text = format!("{} is no file", path.display());
        return Err(io::Error::new(ErrorKind::InvalidData, text));
    }
    let mut hasher = FnvHasher::default();
    hash_open_file(&mut hasher, &mut file).map_err(at("read", path))?;
    Ok(hasher.finish())
}

impl Entry {
    /// The entry as it is now. Files of the beginning get the hash of their contents.
    fn of(path: &Path, metadata: &Metadata, is_added: bool) -> io::Result<Entry> {
        let hashed = |state: State| match is_added {
            true => Ok(state),
            false => state.hashed(path),
        };
        let (state, link) = if metadata.is_symlink() {
            let target = fs::read_link(path).map_err(at("read the link", path))?;
            let file = match fs::metadata(path) {
                Ok(file) if file.is_file() => Some(hashed(State::of(&file))?),
                _ => None,
            };
            (State::of_folder(metadata), Some((target, file)))
        } else if metadata.is_file() {
            (hashed(State::of(metadata))?, None)
        } else if is_added {
            // The contents of a new folder are not listed: its time shows that one of its entries came or went.
            (State::of(metadata), None)
        } else {
            (State::of_folder(metadata), None)
        };
        Ok(Entry {
            state,
            link,
            is_added,
        })
    }

    /// The entry as it is now, if it is the same.
    fn same_as(&self, now: &Metadata, path: &Path) -> Option<Entry> {
        if self.is_added {
            let found = Entry::of(path, now, true).ok()?;
            return (found == *self).then_some(found);
        }
        if let Some((target, file)) = &self.link {
            // A link must lead to the same place, and the file there must be the same, or still be missing.
            let leads = now.is_symlink() && fs::read_link(path).ok().as_ref() == Some(target);
            let there = fs::metadata(path).ok().filter(Metadata::is_file);
            let file = match (file, there) {
                (None, None) => None,
                (Some(before), Some(there)) => Some(before.same_as(&there, path)?),
                _ => return None,
            };
            return leads.then(|| Entry {
                link: Some((target.clone(), file)),
                ..self.clone()
            });
        }
        // A file of the beginning has a hash; whatever has none is a folder, a pipe or the like.
        let state = match self.state.hash {
            Some(_) => self.state.same_as(now, path)?,
            None => State::of_folder(now),
        };
        let found = Entry {
            state,
            ..self.clone()
        };
        let same_place = self.state.hash.is_some() || found == *self;
        same_place.then_some(found)
    }

    fn is_folder(&self) -> bool {
        FileType::from_raw_mode(self.state.mode).is_dir()
    }

    /// Whether the listing has the entries of this folder.
    fn is_listed_folder(&self, metadata: &Metadata) -> bool {
        metadata.is_dir() && !self.is_added
    }
}

impl Listing {
    /// Lists a folder with all that is in it but `support`. Links to folders are not followed; files that links
    /// lead to are noted.
    ///
    /// # Errors
    /// If something cannot be read; the error names it.
    pub(super) fn of(place: &Path) -> io::Result<Listing> {
        let mut listing = Listing {
            place: place.to_owned(),
            entries: BTreeMap::new(),
        };
        // A list of folders to visit instead of recursion: folders may lie deep in each other.
        let mut waiting = vec![PathBuf::new()];
        while let Some(inner) = waiting.pop() {
            let path = below(place, &inner);
            let metadata = fs::symlink_metadata(&path).map_err(at("look at", &path))?;
            if metadata.is_dir() {
                for entry in fs::read_dir(&path).map_err(at("read the folder", &path))? {
                    let name = entry.map_err(at("read the folder", &path))?.file_name();
                    if !is_free(&inner, &name) {
                        waiting.push(inner.join(name));
                    }
                }
            }
            let entry = Entry::of(&path, &metadata, false)?;
            listing.entries.insert(inner, entry);
        }
        Ok(listing)
    }

    /// Compares the folder with the listing. Afterwards the listing has the folder's present state, so each
    /// difference is reported once; entries that cannot be read are missing from it.
    pub(super) fn compare(&mut self) -> Differences {
        let top = self.entries.get(Path::new(""));
        let was_folder = top.is_some_and(Entry::is_folder);
        let mut found = Differences::default();
        let mut now = BTreeMap::new();
        let mut waiting = vec![PathBuf::new()];
        while let Some(inner) = waiting.pop() {
            let path = below(&self.place, &inner);
            let Ok(metadata) = fs::symlink_metadata(&path) else {
                continue;
            };
            let known = self.entries.get(&inner);
            let same = known.and_then(|entry| entry.same_as(&metadata, &path));
            let entry = match (same, known) {
                (Some(entry), _) => entry,
                (None, known) => {
                    match known {
                        Some(entry) if !entry.is_added => {
                            found.changed.push(self.was_changed(&inner))
                        }
                        Some(_) => found.added.push(self.was_changed(&inner)),
                        None => found.added.push(format!("{} is new", inner.display())),
                    }
                    // A folder of the beginning is still listed if only its rights have changed.
                    let is_listed = known.is_some_and(|entry| !entry.is_added && entry.is_folder());
                    let is_added = !(is_listed && metadata.is_dir());
                    let Ok(entry) = Entry::of(&path, &metadata, is_added) else {
                        continue;
                    };
                    entry
                }
            };
            if entry.is_listed_folder(&metadata) {
                match fs::read_dir(&path) {
                    Ok(entries) => waiting.extend(
                        entries
                            .flatten()
                            .map(|entry| entry.file_name())
                            .filter(|name| !is_free(&inner, name))
                            .map(|name| inner.join(name)),
                    ),
                    Err(_) => found.changed.push(self.was_changed(&inner)),
                }
            }
            now.insert(inner, entry);
        }
        for (inner, entry) in &self.entries {
            if !now.contains_key(inner) {
                let gone = format!("{} is gone", self.shown(inner));
                match entry.is_added {
                    true => found.added.push(gone),
                    false => found.changed.push(gone),
                }
            }
        }
        self.entries = now;
        let is_folder = fs::symlink_metadata(&self.place).is_ok_and(|place| place.is_dir());
        if was_folder && !is_folder {
            // One line is enough for a folder that is gone with all its files.
            found.changed = vec!["its folder is gone".to_owned()];
        }
        found.changed.sort();
        found.added.sort();
        found
    }

    fn was_changed(&self, inner: &Path) -> String {
        format!("{} was changed", self.shown(inner))
    }

    /// The name of an entry in messages.
    fn shown(&self, inner: &Path) -> String {
        let top = self.entries.get(Path::new(""));
        match inner.as_os_str().is_empty() {
            true if top.is_some_and(Entry::is_folder) => "its folder".to_owned(),
            true => self.place.display().to_string(),
            false => inner.display().to_string(),
        }
    }

    /// A hash of the names and contents of all files of the beginning, equal for two copies of one folder.
    pub(super) fn contents(&self) -> u64 {
        let mut hasher = FnvHasher::default();
        for (path, entry) in self.entries.iter().filter(|(_, entry)| !entry.is_added) {
            hash_bytes(&mut hasher, path.as_os_str().as_encoded_bytes());
            let linked = entry.link.as_ref().and_then(|(_, file)| file.as_ref());
            let hash = entry.state.hash.or(linked.and_then(|file| file.hash));
            hasher.write(&hash.unwrap_or_default().to_le_bytes());
        }
        hasher.finish()
    }
}

/// The path of an entry. The empty path is the place itself, which may be a file.
fn below(place: &Path, inner: &Path) -> PathBuf {
    match inner.as_os_str().is_empty() {
        true => place.to_owned(),
        false => place.join(inner),
    }
}

/// Whether this entry of the folder `inner` is the one that the program may change itself.
fn is_free(inner: &Path, name: &OsStr) -> bool {
    inner.as_os_str().is_empty() && name == FREE
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{FileTimes, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::time::SystemTime;

    fn folder() -> (tempfile::TempDir, Listing) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for inner in ["src/deep", "support", "empty"] {
            fs::create_dir_all(path(inner)).unwrap();
        }
        for file in ["runme", "src/a", "src/deep/b", "support/net"] {
            fs::write(path(file), "old").unwrap();
        }
        symlink("src/a", path("link")).unwrap();
        symlink("nowhere", path("broken")).unwrap();
        let listing = Listing::of(folder.path()).unwrap();
        (folder, listing)
    }

    /// The differences that are reported after `change` in a fresh folder: what changed, and what was added.
    fn told(change: impl FnOnce(&Path)) -> (Vec<String>, Vec<String>) {
        let (folder, mut listing) = folder();
        change(folder.path());
        let found = listing.compare();
        let second = listing.compare();
        assert_eq!(second.all(), [""; 0], "it is told once");
        (found.changed, found.added)
    }

    #[test]
    fn whatever_changes_is_told() {
        let changed = |change: fn(&Path)| told(change).0.join(", ");
        let set_time = |path: &Path| {
            let file = File::options().write(true).open(path).unwrap();
            let times = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH);
            file.set_times(times).unwrap();
        };
        assert_eq!(changed(|_| ()), "");
        assert_eq!(
            changed(|f| fs::write(f.join("runme"), "new").unwrap()),
            "runme was changed"
        );
        assert_eq!(
            changed(|f| fs::write(f.join("src/deep/b"), "longer").unwrap()),
            "src/deep/b was changed"
        );
        assert_eq!(
            changed(|f| fs::remove_file(f.join("runme")).unwrap()),
            "runme is gone"
        );
        assert_eq!(
            changed(|f| {
                fs::remove_file(f.join("runme")).unwrap();
                symlink("src/a", f.join("runme")).unwrap();
            }),
            "runme was changed",
            "also if it leads to the same contents"
        );
        assert_eq!(
            changed(|f| {
                fs::remove_file(f.join("link")).unwrap();
                symlink("src/deep/b", f.join("link")).unwrap();
            }),
            "link was changed"
        );
        assert_eq!(
            changed(|f| fs::write(f.join("src/a"), "new").unwrap()),
            "link was changed, src/a was changed",
        );
        assert_eq!(
            changed(|f| {
                let mode = Permissions::from_mode(0o700);
                fs::set_permissions(f.join("runme"), mode).unwrap();
            }),
            "runme was changed"
        );
        assert_eq!(
            changed(|f| {
                fs::remove_dir_all(f).unwrap();
                fs::write(f, "").unwrap();
            }),
            "its folder is gone"
        );
        // Files with the same contents have not changed, whatever their times.
        let (folder, mut listing) = folder();
        set_time(&folder.path().join("runme"));
        fs::write(folder.path().join("src/a"), "old").unwrap();
        assert_eq!(listing.compare().all(), [""; 0]);
    }

    #[test]
    fn what_is_added_is_told_apart() {
        let added = |change: fn(&Path)| {
            let (changed, added) = told(change);
            assert_eq!(changed, [""; 0]);
            added.join(", ")
        };
        assert_eq!(
            added(|f| fs::write(f.join("log"), "").unwrap()),
            "log is new"
        );
        assert_eq!(
            added(|f| fs::create_dir_all(f.join("src/new/deep")).unwrap()),
            "src/new is new"
        );
        assert_eq!(
            added(|f| {
                fs::write(f.join("support/net"), "new").unwrap();
                fs::write(f.join("support/other"), "new").unwrap();
            }),
            "",
            "support is its own"
        );
        let (folder, mut listing) = folder();
        let log = folder.path().join("log");
        fs::write(&log, "1").unwrap();
        listing.compare();
        fs::write(&log, "12").unwrap();
        assert_eq!(listing.compare().added, ["log was changed"]);
        fs::remove_file(&log).unwrap();
        assert_eq!(listing.compare().added, ["log is gone"]);
    }

    #[test]
    fn a_single_file_is_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("bot"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        symlink("bot", &link).unwrap();
        let mut listings = [&file, &link].map(|path| Listing::of(path).unwrap());
        let mut told = || listings.each_mut().map(|listing| listing.compare().changed);
        assert_eq!(told(), [const { Vec::<String>::new() }; 2]);
        fs::write(&file, "new").unwrap();
        let changed = |path: &Path| vec![format!("{} was changed", path.display())];
        assert_eq!(told(), [changed(&file), changed(&link)]);
        fs::remove_file(&file).unwrap();
        assert!(
            told()[0].is_empty(),
            "what was changed is the program's own from then on"
        );
    }

    #[test]
    fn copies_have_the_same_contents() {
        let (one, first) = folder();
        let (_two, second) = folder();
        assert_eq!(first.contents(), second.contents());
        fs::write(one.path().join("src/a"), "new").unwrap();
        let changed = Listing::of(one.path()).unwrap();
        assert_ne!(changed.contents(), second.contents());
    }
}
