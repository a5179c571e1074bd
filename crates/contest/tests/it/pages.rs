//! Tests of the command that writes the manual pages and shell completions of a release.

use super::programs::{CONTEST, Command, scratch};
use std::fs;

/// Every program and every visible subcommand has a manual page, and every program has completions.
#[test]
fn every_program_has_its_pages() {
    let folder = tempfile::tempdir().unwrap();
    let mut contest = Command::new(CONTEST);
    contest.arg("pages").arg(folder.path()).said(0);
    let read = |path: String| fs::read_to_string(folder.path().join(path)).unwrap();
    for program in ["contest", "lab", "runme", "challenge", "eights", "hearts"] {
        let page = read(format!("man/{program}.1"));
        assert!(page.contains(".SH OPTIONS"), "{program}");
        for completions in [
            format!("{program}.bash"),
            format!("_{program}"),
            format!("{program}.fish"),
        ] {
            let text = read(format!("completions/{completions}"));
            assert!(
                text.contains("--help") || text.contains("-l help"),
                "{completions}"
            );
        }
    }
    for page in [
        "cartagena",
        "cartagena-tournament",
        "challenge-serve",
        "hearts-match",
        "eights-dispatch",
    ] {
        let text = read(format!("man/contest-{page}.1"));
        assert!(text.contains(".SH SYNOPSIS"), "{page}");
    }
    assert!(read("man/lab-cartagena-train.1".to_owned()).contains(".SH SYNOPSIS"));
    let seconds = read("man/runme.1".to_owned());
    assert!(seconds.contains("RUNME_TIME"), "variables are explained");
    for entry in fs::read_dir(folder.path().join("man")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let hidden = ["help", "confined", "pages"];
        assert!(!hidden.iter().any(|hidden| name.contains(hidden)), "{name}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let (_folder, file) = scratch("file");
    fs::write(&file, "").unwrap();
    let mut contest = Command::new(CONTEST);
    let output = contest.arg("pages").arg(&file).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        errors.starts_with(&format!("contest: cannot write to {}", file.display())),
        "{errors}"
    );
}
