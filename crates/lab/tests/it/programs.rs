//! The programs that the tests start.

pub use arena::process::testing::{Command, Process, install, says, scratch, until};

/// The program under test.
pub const LAB: &str = env!("CARGO_BIN_EXE_lab");

/// The program with arguments, and what came of it.
pub fn lab(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::new(LAB).args(arguments).assert()
}

/// Its standard output.
pub fn stdout(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// Its standard error.
pub fn stderr(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}
