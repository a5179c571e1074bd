//! The paths of the programs that the tests start, and the helpers by which all tests start programs and
//! wait.

use arena::records::{Reader, Record};
use std::path::{Path, PathBuf};

pub use arena::process::testing::{
    Command, Process, install, says, scratch, until, within, write_script,
};

/// The program under test.
pub const CONTEST: &str = env!("CARGO_BIN_EXE_contest");

/// The program under test with these arguments, which blanks separate.
pub fn contest(words: &str) -> Command {
    let mut contest = Command::new(CONTEST);
    contest.words(words);
    contest
}

/// The same in a folder.
pub fn contest_in(folder: &Path, words: &str) -> Command {
    let mut contest = contest(words);
    contest.current_dir(folder);
    contest
}

/// The records in a file.
pub fn records<R: Record>(path: &Path) -> Vec<R> {
    let records: Result<_, _> = Reader::open(path).unwrap().collect();
    records.unwrap()
}

/// Writes a shell script as a program into a folder; returns its path from there.
pub fn script(folder: &Path, name: &str, text: &str) -> String {
    write_script(&folder.join(name), text);
    format!("./{name}")
}

/// Another program of the workspace, which `cargo test` in its root builds beside `contest`.
pub fn program(name: &str) -> PathBuf {
    let path = Path::new(CONTEST).with_file_name(name);
    assert!(
        path.is_file(),
        "{} is missing: `cargo build` in the root of the workspace makes it",
        path.display()
    );
    path
}

/// A command line: the path of such a program, with arguments.
pub fn command(name: &str, arguments: &str) -> String {
    format!("{} {arguments}", program(name).display())
}
