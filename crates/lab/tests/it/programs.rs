//! The programs that the tests start.

use std::path::Path;

pub use arena::process::testing::{Command, Process, install, says, scratch, until};

/// The program under test.
pub const LAB: &str = env!("CARGO_BIN_EXE_lab");

/// The program under test with these arguments, which blanks separate.
pub fn lab(words: &str) -> Command {
    let mut lab = Command::new(LAB);
    lab.words(words);
    lab
}

/// The same in a folder.
pub fn lab_in(folder: &Path, words: &str) -> Command {
    let mut lab = lab(words);
    lab.current_dir(folder);
    lab
}
