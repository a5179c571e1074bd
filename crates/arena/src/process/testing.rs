//! Helpers for the tests of this crate and of others: programs that are written for a test, their supervisors, places for
//! files, and what a text must say.
// Helpers outside the test functions may unwrap too.
#![allow(clippy::unwrap_used)]

mod command;

pub use command::{Command, PATIENCE, Process, install, until, within};

use super::{Limits, Program, Run, Workspace};
use std::env;
use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{self, ExitStatus};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// Asserts that a text has a part, and shows the text if it has not.
#[track_caller]
pub fn says(text: &str, part: impl AsRef<str>) {
    let part = part.as_ref();
    assert!(text.contains(part), "{part:?} is not in\n{text}");
}

/// A temporary folder, and a path in it where nothing is yet.
pub fn scratch(name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    (folder, path)
}

/// A program in a temporary folder.
pub struct Mock {
    folder: TempDir,
    /// Stands in the environment of everything the program starts.
    mark: String,
}

impl Mock {
    /// A program that is a shell script.
    pub fn new(script: &str) -> Mock {
        static MOCKS: AtomicUsize = AtomicUsize::new(0);
        let mock = Mock {
            folder: tempfile::tempdir().unwrap(),
            mark: format!(
                "{}-{}",
                process::id(),
                MOCKS.fetch_add(1, Ordering::Relaxed)
            ),
        };
        write_script(&mock.path().join("runme"), script);
        mock
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn program(&self) -> Program {
        let program = Program::find(self.path()).unwrap();
        program.with_variable("MOCK", &self.mark)
    }

    /// Calls it without a limit that it could reach.
    pub fn run(&self) -> Run {
        self.run_with(b"", &patient())
    }

    /// Calls it, and asserts that nothing of it is left.
    pub fn run_with(&self, input: &[u8], limits: &Limits) -> Run {
        let workspace = Workspace::new(&self.program()).unwrap();
        let run = workspace.run(input, limits).unwrap();
        self.assert_gone();
        run
    }

    /// The processes that have the mark in their environment or their arguments, with their arguments.
    fn alive(&self) -> Vec<(PathBuf, String)> {
        let variable = format!("MOCK={}", self.mark);
        let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
            let path = entry.unwrap().path();
            // A program can start others with a fresh environment: the mark may then stand in their arguments.
            let environment = fs::read(path.join("environ")).unwrap_or_default();
            let arguments = fs::read(path.join("cmdline")).unwrap_or_default();
            let has =
                |text: &[u8], word: &str| text.split(|&b| b == 0).any(|v| v == word.as_bytes());
            let is_marked = has(&environment, &variable) || has(&arguments, &self.mark);
            is_marked.then(|| (path, String::from_utf8_lossy(&arguments).into_owned()))
        });
        processes.collect()
    }

    /// The same, but for its supervisors.
    fn own(&self) -> Vec<(PathBuf, String)> {
        let mut alive = self.alive();
        alive.retain(|(_, arguments)| !arguments.contains(SUPERVISE[0]));
        alive
    }

    /// The states of its processes, as proc(5) has them.
    pub fn states(&self) -> Vec<char> {
        let own = self.own();
        let stats = own
            .iter()
            .map(|(path, _)| fs::read_to_string(path.join("stat")));
        // After the name in brackets, which may hold brackets itself, the state is the next field.
        let state = |stat: String| stat.rsplit_once(") ")?.1.chars().next();
        stats.flatten().filter_map(state).collect()
    }

    /// Asserts that no process has the mark in its environment or its arguments, but for its supervisors.
    #[track_caller]
    pub fn assert_gone(&self) {
        let own = self.own();
        assert!(own.is_empty(), "still alive: {own:?}");
    }

    /// Whether there is not even a supervisor of it.
    pub fn is_forgotten(&self) -> bool {
        self.alive().is_empty()
    }
}

/// Limits that no program of a test reaches.
pub fn patient() -> Limits {
    Limits {
        late: Duration::from_secs(1000),
        kill: Duration::from_secs(1000),
        ..Limits::default()
    }
}

/// Limits that end a program as soon as it is started.
pub fn impatient() -> Limits {
    Limits {
        kill: Duration::ZERO,
        ..patient()
    }
}

/// Writes an executable shell script.
pub fn write_script(path: &Path, script: &str) {
    install(format!("#!/bin/sh\n{script}\n"), path);
}

/// Bytes as text, which they must be.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// A call that answered and did nothing wrong.
pub fn answered(stdout: &str) -> Run {
    Run {
        stdout: stdout.into(),
        stdout_cut: false,
        stderr_tail: Vec::new(),
        status: ExitStatus::from_raw(0),
        wall: Duration::from_millis(1500),
        cpu: Duration::ZERO,
        peak_memory: 0,
        late_after: Duration::MAX,
        timed_out: false,
        unanswered: false,
        excess: None,
        leftovers: 0,
        changed: None,
    }
}

/// The arguments that make the test runner run nothing but the test that calls [`supervise`].
const SUPERVISE: [&str; 3] = ["a_test_that_supervises", "--nocapture", "--test-threads=1"];

/// Supervisors are started by the test of that name: every file of tests that calls programs has one.
pub(super) fn launch_supervisors() -> io::Result<()> {
    super::launch_by(&SUPERVISE)
}

/// To be called by the test `a_test_that_supervises`: if this process was started for that, it becomes a supervisor.
pub fn supervise() {
    if env::args().skip(1).eq(SUPERVISE) {
        // The process must end here, before the test runner goes on with other tests.
        let supervised = super::supervise();
        process::exit(i32::from(supervised.is_err()));
    }
}
