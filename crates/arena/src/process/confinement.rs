//! Programs kept away from everything that is not their own.
//!
//! A confined program is started by a launcher, which takes away from itself what the program is not to
//! have and then becomes the program. That needs no privileges, and what the program starts inherits all
//! of it: files and signals by Landlock (landlock(7)), sockets and changes of modes by a filter of system
//! calls (seccomp(2)), what root may do by capabilities(7), sizes of files by setrlimit(2).

use super::running::new_token;
use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
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
    /// As far as the system can.
    #[default]
    Best,
    /// Wholly, or nothing is played.
    Require,
    /// Not at all.
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

/// What the system can take away from a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// Files other than the program's own and the system's.
    pub files: bool,
    /// Sockets of all kinds.
    pub sockets: bool,
    /// Signals to processes that it has not started.
    pub signals: bool,
}

impl Abilities {
    /// What this system can do.
    pub fn of_this_system() -> Abilities {
        system::abilities(false)
    }

    /// What this system can do for programs that connect to a port: `sockets` are all others.
    pub fn with_a_port() -> Abilities {
        system::abilities(true)
    }

    /// Whether that is everything.
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
        let names = |able: bool| -> Vec<&str> {
            let listed = all.iter().filter(|(can, _)| *can == able);
            listed.map(|(_, name)| *name).collect()
        };
        match (&names(true)[..], &names(false)[..]) {
            (kept, []) => write!(f, "programs are kept away from {}", kept.join(", ")),
            ([], _) => write!(f, "programs are kept away from nothing: this system cannot"),
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
    /// What starts them: it is given the words of [`Confined::arguments`].
    pub launcher: PathBuf,
    /// The arguments that make it a launcher.
    pub mode: Vec<OsString>,
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
        let name = name.to_str().unwrap_or_default();
        INHERITED.contains(&name) || name.starts_with("LC_")
    })
}

/// A program could not be confined, and was not started: that is nothing it has done.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("a program cannot be confined (--isolate): {0}")]
pub struct Unconfined(String);

/// The file in which a launcher says that it has failed.
#[derive(Clone, Debug)]
pub(super) struct Trouble(PathBuf);

impl Trouble {
    /// In a folder that the program cannot write to.
    pub(super) fn in_folder(folder: &Path) -> Trouble {
        Trouble(folder.join(format!("trouble-{}", new_token())))
    }

    /// What it says, if something.
    ///
    /// # Errors
    /// [`Unconfined`].
    pub(super) fn check(&self) -> io::Result<()> {
        let Ok(file) = File::open(&self.0) else {
            return Ok(());
        };
        let _ = fs::remove_file(&self.0);
        let mut told = Vec::new();
        file.take(4096).read_to_end(&mut told)?;
        match told.is_empty() {
            true => Ok(()),
            false => {
                let told = String::from_utf8_lossy(&told).into_owned();
                Err(io::Error::other(Unconfined(told)))
            }
        }
    }
}

impl Confinement {
    /// The command that confines a program and becomes it, with so many bytes of address space if it is limited.
    pub(super) fn command(
        &self,
        mut confined: Confined,
        memory: Option<u64>,
        trouble: &Trouble,
    ) -> (PathBuf, Vec<OsString>) {
        // The limit is the program's: the launcher needs memory of its own.
        if let Some(bytes) = memory {
            let (shell, mut words) = limited(bytes, &confined.program);
            words.extend(confined.arguments);
            (confined.program, confined.arguments) = (shell, words);
        }
        let installed = installed::installed().iter();
        confined
            .readable
            .extend(self.readable.iter().chain(installed).cloned());
        confined.port = self.port;
        confined.trouble = Some(trouble.0.clone());
        let mut arguments = self.mode.clone();
        arguments.extend(confined.arguments());
        (self.launcher.clone(), arguments)
    }
}

/// Lowers the limit of address space, then becomes the program. A limit that is lower already stays.
const WITH_LIMIT: &str = r#"ulimit -v "$0" 2>/dev/null; exec "$@""#;

/// A program and arguments that become the one given, with so many bytes of address space.
pub(super) fn limited(bytes: u64, program: &Path) -> (PathBuf, Vec<OsString>) {
    let amount = (bytes / 1024).to_string();
    let words = ["-c", WITH_LIMIT, &amount].map(OsString::from);
    let arguments = words.into_iter().chain([program.into()]);
    ("/bin/sh".into(), arguments.collect())
}

/// A program to be confined, and what is its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confined {
    /// Files and folders that it may read and execute.
    pub readable: Vec<PathBuf>,
    /// Folders in which it may do what it likes, and pipes that it may open.
    pub writable: Vec<PathBuf>,
    /// The port to which it may connect by TCP; without one it has no sockets.
    pub port: Option<u16>,
    /// Where it is written down that it could not be confined.
    pub trouble: Option<PathBuf>,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

impl Confined {
    /// The words of a launcher's command line that say all this.
    pub fn arguments(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        for (flag, paths) in [("--read", &self.readable), ("--write", &self.writable)] {
            for path in paths {
                words.extend([flag.into(), path.into()]);
            }
        }
        if let Some(port) = self.port {
            words.extend(["--port".into(), port.to_string().into()]);
        }
        if let Some(trouble) = &self.trouble {
            words.extend(["--trouble".into(), trouble.into()]);
        }
        words.push("--".into());
        words.push((&self.program).into());
        words.extend(self.arguments.iter().cloned());
        words
    }

    /// Confines this process and becomes the program. It returns only if that fails.
    pub fn become_program(&self) -> io::Error {
        // Opened now, as later nothing can be.
        let trouble = self.trouble.as_ref().map(File::create_new);
        let mut trouble = match trouble.transpose() {
            Ok(trouble) => trouble,
            Err(error) => return error,
        };
        match system::confine(&self.readable, &self.writable, self.port) {
            Ok(()) => Command::new(&self.program).args(&self.arguments).exec(),
            Err(error) => {
                if let Some(file) = &mut trouble {
                    // If that fails too, the program has failed to start.
                    let _ = write!(file, "{error}");
                }
                error
            }
        }
    }
}

/// Keeps programs of the same user from reading what this process has open or holds in memory.
pub fn hide_this_process() {
    system::hide_this_process();
}

/// What programs need of a system, as far as it is there: libraries, interpreters, settings, devices that
/// hold nothing.
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
        assert!(none.ends_with("this system cannot"), "{none}");
    }

    #[test]
    fn a_launcher_is_told_what_is_whose() {
        let confined = Confined {
            readable: vec!["/a b".into()],
            writable: vec!["/c".into()],
            port: Some(7),
            trouble: Some("/t".into()),
            program: "/p".into(),
            arguments: vec!["--x".into()],
        };
        let words = "--read,/a b,--write,/c,--port,7,--trouble,/t,--,/p,--x";
        let words: Vec<&str> = words.split(',').collect();
        assert_eq!(confined.arguments(), words);
        assert_eq!("require".parse(), Ok(Isolation::Require));
        assert!("some".parse::<Isolation>().is_err());
    }
}
