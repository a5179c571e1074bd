//! The programs that the tests start.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program under test.
pub const CONTEST: &str = env!("CARGO_BIN_EXE_contest");

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

/// The same as text, with arguments.
pub fn command(name: &str, arguments: &str) -> String {
    format!("{} {arguments}", program(name).display())
}

/// Writes an executable script. A child of its own writes it: while this process has it open,
/// another test's child may inherit it, and it could not be started.
pub fn install(text: &str, path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut child = Command::new("sh")
        .args(["-c", r#"cat > "$1" && chmod +x "$1""#, "sh"])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let written = child.stdin.take().unwrap().write_all(text.as_bytes());
    written.unwrap();
    assert!(child.wait().unwrap().success());
}
