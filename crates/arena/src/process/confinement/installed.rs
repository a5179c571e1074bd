//! Finds the interpreters and libraries outside the system's folders to which `PATH` leads.
//!
//! A program written in Python is started by whatever `python3` comes first in `PATH`: that of the system, of a virtual
//! environment, or of a version manager such as pyenv. An interpreter needs its own files, which lie beside its folder:
//! `x/lib` and `x/libexec` beside `x/bin`. A link in such a folder leads to a program in another folder of that
//! kind, or to a single file. A version manager has small programs in `x/shims` that look into all of `x`. Everything
//! else, the home folder and the current one above all, stays closed.

use super::system_paths;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The names of folders and files that belong to the programs in the folder beside them.
const BESIDE: [&str; 4] = ["lib", "lib64", "libexec", "pyvenv.cfg"];

/// The names of folders of programs.
const FOLDERS: [&str; 3] = ["bin", "sbin", "shims"];

/// The folders that the programs of this process's `PATH` need, besides the system's.
pub(super) fn installed() -> &'static [PathBuf] {
    static INSTALLED: LazyLock<Vec<PathBuf>> = LazyLock::new(|| {
        let path = env::var_os("PATH").unwrap_or_default();
        let closed = env::home_dir().into_iter().chain(env::current_dir());
        let closed: Vec<PathBuf> = closed.filter_map(|path| path.canonicalize().ok()).collect();
        needed(env::split_paths(&path), &closed)
    });
    &INSTALLED
}

/// The folders and files that the programs in these folders read: those of `PATH`, and those to which links lead. No
/// folder that is one of `closed`, or has one of them in it.
fn needed(folders: impl IntoIterator<Item = PathBuf>, closed: &[PathBuf]) -> Vec<PathBuf> {
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
        for program in linked(&folder) {
            match program.parent() {
                Some(folder) if FOLDERS.iter().any(|name| folder.ends_with(name)) => {
                    waiting.push(folder.to_owned());
                }
                // Any other folder may hold whatever its owner likes.
                _ => drop(needed.insert(program)),
            }
        }
        needed.insert(folder);
    }
    let is_open = |path: &Path| !closed.iter().any(|closed| closed.starts_with(path));
    needed.retain(|path| path.exists() && is_open(path));
    needed.into_iter().collect()
}

/// The programs to which the links in a folder lead.
fn linked(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let links = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()));
    let programs = links.filter_map(|link| link.path().canonicalize().ok());
    programs.filter(|program| program.is_file())
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
        let needs = |path: &Path| needed([path.to_owned()], std::slice::from_ref(&home));
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
        assert_eq!(needs(&own), std::slice::from_ref(&own));
        // A link from there to a program in the home folder opens that program alone.
        let script = home.join("tool.sh");
        fs::write(&script, "").unwrap();
        symlink(&script, own.join("tool")).unwrap();
        assert_eq!(needs(&own), [own, script]);
        // A home folder that is in `PATH` itself stays closed.
        assert_eq!(needs(&home), [""; 0].map(PathBuf::from));
        assert_eq!(needs(&home.join("nowhere")), [""; 0].map(PathBuf::from));
        assert_eq!(needs(Path::new("bin")), [""; 0].map(PathBuf::from));
        assert_eq!(needs(Path::new("/usr/bin")), [""; 0].map(PathBuf::from));
    }
}
