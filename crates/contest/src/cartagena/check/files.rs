//! Listings of a folder before and after calls of a program, to find the files that it wrote; and whether a folder can
//! be written to.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The files and folders below a folder at one time, by relative path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listing(BTreeMap<PathBuf, Entry>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    is_folder: bool,
    /// The length of a file and the time of its last change. None for a folder, since a change in it shows in its
    /// entries.
    written: Option<(u64, SystemTime)>,
}

impl Listing {
    /// Lists a folder without the paths `without` (relative to it) and all that is below them. Links are not followed.
    ///
    /// # Errors
    /// If something cannot be read. Files that vanish meanwhile are left out.
    pub(super) fn of(folder: &Path, without: &[&str]) -> io::Result<Listing> {
        let mut listing = Listing::default();
        listing.add(folder, Path::new(""), without)?;
        Ok(listing)
    }

    /// Adds the entries of the folder `inner`, a path relative to `home`.
    fn add(&mut self, home: &Path, inner: &Path, without: &[&str]) -> io::Result<()> {
        // A folder that vanished after it was listed has no entries.
        let entries = match fs::read_dir(home.join(inner)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let path = inner.join(entry.file_name());
            if without.iter().any(|without| path == Path::new(without)) {
                continue;
            }
            // An entry that vanished has no metadata.
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            let is_folder = metadata.is_dir();
            let written = match is_folder {
                true => None,
                false => Some((metadata.len(), metadata.modified()?)),
            };
            if is_folder {
                self.add(home, &path, without)?;
            }
            self.0.insert(path, Entry { is_folder, written });
        }
        Ok(())
    }

    /// The differences between this listing and a later one, in words: new, changed and missing paths.
    pub(super) fn changes(&self, later: &Listing) -> Vec<String> {
        let mut changes = Vec::new();
        for (path, entry) in &later.0 {
            match self.0.get(path) {
                None => changes.push(format!("{} is new", path.display())),
                Some(before) if before != entry => {
                    changes.push(format!("{} was changed", path.display()));
                }
                Some(_) => {}
            }
        }
        let gone = self.0.keys().filter(|path| !later.0.contains_key(*path));
        changes.extend(gone.map(|path| format!("{} is gone", path.display())));
        changes
    }
}

/// The reason why no file can be made in a folder; none if one can. The trial leaves no file behind.
// The temporary file has no name, so the system removes it when it is closed.
pub(super) fn trouble_writing(folder: &Path) -> Option<io::Error> {
    tempfile::tempfile_in(folder).err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_tried() {
        let folder = tempfile::tempdir().unwrap();
        assert!(trouble_writing(folder.path()).is_none());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        // In `/proc` nobody can make files, not even root.
        assert!(trouble_writing(Path::new("/proc")).is_some());
    }

    #[test]
    fn changes_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("support/cache")).unwrap();
        fs::create_dir(path("src")).unwrap();
        for name in ["a", "b", "src/c", "support/d"] {
            fs::write(path(name), "1").unwrap();
        }
        let list = || Listing::of(folder.path(), &["support"]).unwrap();
        let before = list();
        assert_eq!(before.changes(&list()), [] as [&str; 0]);
        fs::write(path("support/cache/e"), "").unwrap();
        fs::write(path("support/d"), "22").unwrap();
        assert_eq!(before.changes(&list()), [] as [&str; 0]);
        fs::write(path("a"), "22").unwrap();
        fs::remove_file(path("b")).unwrap();
        fs::write(path("src/f"), "").unwrap();
        fs::create_dir(path("g")).unwrap();
        assert_eq!(
            before.changes(&list()),
            ["a was changed", "g is new", "src/f is new", "b is gone"]
        );
    }
}
