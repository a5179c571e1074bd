//! `runme` as the contest calls it: the built program, text in, one action out.

mod answers;
mod caches;
mod endings;
mod games;
mod networks;
mod positions;
mod usage;

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

/// The contest's example, in which player 2 is to move.
const EXAMPLE: &str = include_str!("../../data/cartagena/interface-example.txt");

/// Every variable the program listens to: the machine's own settings must not reach the tests.
const VARIABLES: [&str; 7] = [
    "RUNME_TIME",
    "RUNME_NODES",
    "RUNME_ENOUGH",
    "RUNME_THREADS",
    "RUNME_SEED",
    "RUNME_SUPPORT",
    "RUNME_HOME",
];

/// The outcome of a run of the program.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Run {
    /// The lines on standard error.
    fn complaints(&self) -> Vec<&str> {
        self.stderr.lines().collect()
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The program, with none of its variables set and everything piped.
fn program() -> Command {
    program_at(env!("CARGO_BIN_EXE_runme"))
}

/// The same for a copy of the program.
fn program_at(path: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(path);
    for name in VARIABLES {
        command.env_remove(name);
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The program without caches, on one thread: its answer follows from the input alone.
fn pure(nodes: u64) -> Command {
    let mut command = program();
    command.args(["--support", "none", "--threads", "1", "--nodes"]);
    command.arg(nodes.to_string());
    command
}

/// Starts the program and gives it all of its input.
fn start(command: &mut Command, input: impl AsRef<[u8]>) -> Child {
    let mut child = command.spawn().unwrap();
    // A program that refuses its flags reads nothing: then the pipe is broken, and rightly so.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child
}

/// Runs the program on an input.
fn run(command: &mut Command, input: impl AsRef<[u8]>) -> Run {
    in_time(|| once(command, input.as_ref()))
}

fn once(command: &mut Command, input: impl AsRef<[u8]>) -> Run {
    Run::from(start(command, input).wait_with_output().unwrap())
}

/// A run that was not late. On a machine that is so busy that a file is not read or a search does not end in time, the
/// program plays without it, and says so: then it is asked once more.
fn in_time(mut ask: impl FnMut() -> Run) -> Run {
    for _ in 0..100 {
        let run = ask();
        if !is_late(&run) {
            return run;
        }
    }
    ask()
}

fn is_late(run: &Run) -> bool {
    let late = [
        "not read: the disk is too slow",
        "the search did not stop in time",
    ];
    late.iter().any(|late| run.stderr.contains(late))
}
