//! Finds the interpreters and libraries outside the system's folders to which `PATH` leads.
//!
//! A program written in Python is started by whatever `python3` comes first in `PATH`: that of the system, of a virtual
//! environment, or of a version manager such as pyenv. An interpreter needs its own files, which lie beside its folder:
//! `x/lib` and `x/libexec` beside `x/bin`. A link in such a folder leads to a program in another folder of that
//! kind. A version manager has small programs in `x/shims` that look into all of `x`. Everything else, a home folder
//! above all, stays closed.

use super::system_paths;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The names of folders and files that belong to the programs in the folder beside them.
const BESIDE: [&str; 4] = ["lib", "lib64", "libexec", "pyvenv.cfg"];

/// The folders that the programs of this process's `PATH` need, besides the system's.
pub(super) fn installed() -> &'static [PathBuf] {
    static INSTALLED: LazyLock<Vec<PathBuf>> = LazyLock::new(|| {
        let path = env::var_os("PATH").unwrap_or_default();
        needed(env::split_paths(&path))
    });
    &INSTALLED
}

/// The folders and files that the programs in these folders read: those of `PATH`, and those to which links lead.
fn needed(folders: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut waiting: Vec<PathBuf> = folders.into_iter().collect();
    let mut seen = BTreeSet::new();
    let mut needed = BTreeSet::new();
    while let Some(folder) = waiting.pop() {
        // A folder relative to the current one is another in a program's copy.
        let is_absolute = folder.is_absolute();
        let Ok(folder) = folder.canonicalize() else {
            continue;
        };
        let outside = is_absolute && !system_paths().any(|path| folder.starts_with(path));
        if !outside || !folder.is_dir() || !seen.insert(folder.clone()) {
            continue;
        }
        if let Some(parent) = folder.parent() {
            match folder.ends_with("shims") {
                true => drop(needed.insert(parent.to_owned())),
                false => needed.extend(BESIDE.map(|name| parent.join(name))),
            }
        }
        waiting.extend(linked(&folder));
        needed.insert(folder);
    }
    needed.retain(|path| path.exists());
    needed.into_iter().collect()
}

/// The folders of the programs to which the links in a folder lead.
fn linked(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let links = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()));
    let programs = links.filter_map(|link| link.path().canonicalize().ok());
    programs
        .filter(|program| program.is_file())
        .filter_map(|program| program.parent().map(Path::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_path_leads_to_is_needed_and_no_more() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().canonicalize().unwrap();
        let folder = |name: &str| {
            let path = home.join(name);
            fs::create_dir_all(&path).unwrap();
            path
        };
        let needs = |path: &Path| needed([path.to_owned()]);
        // A virtual environment of Python. Its version was installed by a version manager, so both are
        // needed.
        let version = folder("manager/versions/3/bin");
        let library = folder("manager/versions/3/lib");
        fs::write(version.join("python3"), "").unwrap();
        let environment = folder("project/env/bin");
        let settings = home.join("project/env/pyvenv.cfg");
        fs::write(&settings, "").unwrap();
        symlink(version.join("python3"), environment.join("python3")).unwrap();
        assert_eq!(
            needs(&environment),
            [version, library, environment, settings]
        );
        // The manager's shims look for the installed versions, so they need all of the manager.
        let shims = folder("manager/shims");
        assert_eq!(needs(&shims), [home.join("manager"), shims]);
        // A folder of a person's own programs needs nothing else.
        let own = folder("bin");
        assert_eq!(needs(&own), [own]);
        assert_eq!(needs(&home.join("nowhere")), [""; 0].map(PathBuf::from));
        assert_eq!(needs(Path::new("bin")), [""; 0].map(PathBuf::from));
        assert_eq!(needs(Path::new("/usr/bin")), [""; 0].map(PathBuf::from));
    }
}
