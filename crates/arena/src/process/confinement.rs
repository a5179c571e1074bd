//! Keeps programs away from everything that is not their own.
//!
//! The thread that starts a confined program first gives up its own rights. That needs no privileges, and all
//! descendants of the thread inherit the limits: on files and signals by Landlock (landlock(7)), on sockets and
//! changes of modes by a filter of system calls (seccomp(2)), on the powers of root by capabilities(7), on
//! sizes of files by setrlimit(2).

use super::files::resolved;
use serde::{Deserialize, Serialize};
use std::env;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use thiserror::Error;

mod installed;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
mod other_systems;
#[cfg(not(target_os = "linux"))]
use other_systems as system;

/// Whether programs are confined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// As far as the system allows.
    #[default]
    Best,
    /// Completely, or nothing is played.
    Require,
    /// Not at all: programs have the rights of this process.
    None,
}

impl FromStr for Isolation {
    type Err = String;

    fn from_str(text: &str) -> Result<Isolation, String> {
        match text {
            "best" => Ok(Isolation::Best),
            "require" => Ok(Isolation::Require),
            "none" => Ok(Isolation::None),
            _ => Err("expected best, require or none".to_owned()),
        }
    }
}

/// The things that this system can keep a program away from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// All files but the program's own and the system's.
    pub files: bool,
    /// Sockets of all kinds.
    pub sockets: bool,
    /// Signals to processes that it has not started.
    pub signals: bool,
}

impl Abilities {
    /// The abilities of this system.
    pub fn of_this_system() -> Abilities {
        system::abilities(false)
    }

    /// The abilities of this system for programs that may connect to one port. Then `sockets` means all sockets
    /// but those that connect to it.
    pub fn with_a_port() -> Abilities {
        system::abilities(true)
    }

    /// Whether it can do all three.
    pub fn are_whole(self) -> bool {
        self.files && self.sockets && self.signals
    }
}

impl fmt::Display for Abilities {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let all = [
            (self.files, "files"),
            (self.sockets, "the network"),
            (self.signals, "other processes"),
        ];
        // One list for each half of the message: an organizer must also see the gaps.
        let names = |able: bool| -> Vec<&str> {
            let listed = all.iter().filter(|(can, _)| *can == able);
            listed.map(|(_, name)| *name).collect()
        };
        match (&names(true)[..], &names(false)[..]) {
            (kept, []) => write!(f, "programs are kept away from {}", kept.join(", ")),
            ([], _) => write!(
                f,
                "programs are not kept away from anything: this system cannot do it"
            ),
            (kept, open) => write!(
                f,
                "programs are kept away from {}; this system cannot keep them away from {}",
                kept.join(", "),
                open.join(", ")
            ),
        }
    }
}

/// How the programs of a contest are confined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confinement {
    /// Files and folders that they may read, besides their own and the system's.
    pub readable: Vec<PathBuf>,
    /// The port to which they may connect by TCP, for programs that are clients of a referee; without
    /// one they have no sockets at all.
    pub port: Option<u16>,
}

/// The variables of the environment that a confined program inherits, besides those whose names begin
/// with `LC_`.
const INHERITED: [&str; 4] = ["PATH", "LANG", "LANGUAGE", "TZ"];

/// The part of this process's environment that a confined program inherits: nothing in it is a secret.
pub(super) fn inherited() -> impl Iterator<Item = (OsString, OsString)> {
    env::vars_os().filter(|(name, _)| {
        // A list of names that are allowed, not of secrets to remove: nobody knows all secrets.
        let name = name.to_str().unwrap_or_default();
        INHERITED.contains(&name) || name.starts_with("LC_")
    })
}

/// A program could not be confined, and was not started. This is not its fault.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("a program cannot be confined (--isolate): {0}")]
pub struct Unconfined(pub(super) String);

impl Confinement {
    /// The file or folder that every program may read and that has this path in it, whether or not there is anything
    /// at the path yet; none if programs cannot read there.
    pub fn shows(&self, path: &Path) -> Option<PathBuf> {
        let place = resolved(path)?;
        let system = system_paths().map(Path::to_owned);
        let further = self.readable.iter().chain(installed::installed());
        let mut shown = system.chain(further.cloned());
        shown.find(|shown| {
            shown
                .canonicalize()
                .is_ok_and(|shown| place.starts_with(shown))
        })
    }

    /// Adds to what a program owns the files that all programs may read, and the port.
    pub(super) fn of(&self, mut confined: Confined) -> Confined {
        // Every program may read the contest's list of files and what is installed on this machine.
        let installed = installed::installed().iter();
        confined
            .readable
            .extend(self.readable.iter().chain(installed).cloned());
        confined.port = self.port;
        confined
    }
}

/// The files, folders and port that a confined program keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Confined {
    /// Files and folders that it may read and execute.
    pub readable: Vec<PathBuf>,
    /// Folders in which it may do what it likes, and pipes that it may open.
    pub writable: Vec<PathBuf>,
    /// The one of these folders that it also sees as `/dev/shm`, where the system lets it have private shared
    /// memory.
    pub shared_memory: Option<PathBuf>,
    /// The port to which it may connect by TCP; without one it has no sockets.
    pub port: Option<u16>,
}

/// Further limits of a confined program.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Bounds {
    /// The most threads of all its processes together, where the system can count them apart from others.
    pub threads: usize,
    /// Whether it stays on the cores that it was given.
    pub keeps_cores: bool,
    /// Whether its memory is limited. It then makes no memory that no process needs to map, and that is not counted.
    pub counts_memory: bool,
}

impl Confined {
    /// Gives up the right to everything else, for good, for this thread and all that it starts. Some of the limits hold
    /// for the whole process.
    pub(super) fn take_effect(&self, bounds: Bounds) -> io::Result<()> {
        // This comes before the limits, as it may use a right that they take away.
        // A folder for temporary files may lie in the common shared memory. The private one would hide it, and the
        // program's own files with it.
        let mut needed = self.readable.iter().chain(&self.writable);
        if let Some(folder) = &self.shared_memory
            && !needed.any(|path| path.starts_with(SHARED_MEMORY))
        {
            system::share_memory_in(folder);
        }
        system::limit_threads(bounds.threads)?;
        system::confine(&self.readable, &self.writable, self.port, bounds)
    }
}

/// Makes it possible to give programs private shared memory, for which ordinary users lack a right. To be called
/// while this process has one thread; a second call has no effect.
pub(super) fn prepare_shared_memory() {
    system::prepare_shared_memory();
}

/// Sees to it that whatever this process starts has no open files of this process but the standard streams.
pub(super) fn close_files() {
    system::close_files();
}

/// Keeps programs of the same user from reading this process's memory and open files.
pub fn hide_this_process() {
    system::hide_this_process();
}

/// Where programs put what their processes share: POSIX shared memory and semaphores (shm_overview(7)).
const SHARED_MEMORY: &str = "/dev/shm";

/// The folders of the system that programs need, as far as they exist: libraries, interpreters, settings, and
/// the kernel's own (/proc, /sys).
pub(super) fn system_paths() -> impl Iterator<Item = &'static Path> {
    [
        "/usr",
        "/bin",
        "/sbin",
        "/lib",
        "/lib32",
        "/lib64",
        "/libx32",
        "/etc",
        "/opt",
        "/nix/store",
        "/gnu/store",
        "/run/current-system",
        "/proc",
        "/sys",
    ]
    .into_iter()
    .map(Path::new)
    .filter(|path| path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abilities_in_words() {
        let all = Abilities {
            files: true,
            sockets: true,
            signals: true,
        };
        assert_eq!(
            all.to_string(),
            "programs are kept away from files, the network, other processes"
        );
        assert!(all.are_whole());
        let some = Abilities {
            signals: false,
            ..all
        };
        assert!(some.to_string().ends_with("away from other processes"));
        assert!(!some.are_whole());
        let none = Abilities::default().to_string();
        assert!(none.ends_with("this system cannot do it"), "{none}");
    }

    #[test]
    fn the_ways_to_isolate() {
        assert_eq!("require".parse(), Ok(Isolation::Require));
        assert!("some".parse::<Isolation>().is_err());
    }
}
