//! The networks are part of the program; a support folder overrides them.

use super::answers::table;
use super::{EXAMPLE, Run, program, program_at, run};
use cartagena::evaluation::NetworkFile;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Explains the example: the answer and the table depend on the network alone.
fn explain(command: &mut Command) -> Run {
    let run = run(
        command.args(["--explain", "--nodes", "3000", "--threads", "1"]),
        EXAMPLE,
    );
    assert_eq!(run.code, Some(0), "{run:?}");
    run
}

/// The program as built, which lies beside the repository's support folder.
fn at_home(support: impl AsRef<Path>) -> Run {
    explain(program().arg("--support").arg(support.as_ref()))
}

#[track_caller]
fn assert_same(one: &Run, other: &Run) {
    assert_eq!(one.stdout, other.stdout);
    assert_eq!(table(&one.stderr), table(&other.stderr));
}

/// A folder with a network that is not the program's.
fn with_other_network() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut file = NetworkFile::embedded(3).unwrap();
    file.network.weights_mut().reverse();
    file.write(&folder.path().join(NetworkFile::name(3)))
        .unwrap();
    folder
}

#[test]
fn a_copy_of_the_program_alone_plays_at_full_strength() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("runme");
    // Another process makes the copy. If this process had the file open for writing, a child that another test
    // starts could inherit it, and then the copy could not be started.
    let mut copy = Command::new("cp");
    copy.arg(env!("CARGO_BIN_EXE_runme")).arg(&program);
    assert!(copy.status().unwrap().success());
    let mut alone = program_at(&program);
    alone.current_dir(&folder).args(["--support", "none"]);
    assert_same(&explain(&mut alone), &at_home("none"));
    let left: Vec<_> = fs::read_dir(&folder).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn a_network_in_the_support_folder_is_used_instead() {
    let home = at_home("none");
    let folder = with_other_network();
    let other = at_home(folder.path());
    assert_ne!(table(&other.stderr), table(&home.stderr));
    // A cache that a busy machine does not save in time is nothing that the network has to do with.
    let mut complaints = other
        .stderr
        .lines()
        .filter(|line| line.starts_with("runme: "));
    assert!(
        complaints.all(|line| line == "runme: not saved: the disk is too slow"),
        "{}",
        other.stderr
    );
}

#[test]
fn a_broken_network_is_named_and_the_program_plays_with_its_own() {
    let folder = with_other_network();
    let path = folder.path().join(NetworkFile::name(3));
    let mut bytes = fs::read(&path).unwrap();
    bytes[1000] ^= 1;
    fs::write(&path, bytes).unwrap();
    let run = at_home(folder.path());
    let line = format!(
        "runme: cannot use {}: its checksum is wrong; playing with the network in the program",
        path.display()
    );
    let lines = run
        .stderr
        .lines()
        .filter(|line| line.starts_with("runme: "));
    assert_eq!(lines.collect::<Vec<_>>(), [line]);
    assert_same(&run, &at_home("none"));
}
