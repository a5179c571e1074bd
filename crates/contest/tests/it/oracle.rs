//! Runs the auditors of `tests/oracle` with few games each. They implement the rules a second time, and share
//! no code with the programs that they check.

use super::programs::{Command, program};
use std::io::ErrorKind;

/// Runs an auditor against the programs of this build.
fn audit(name: &str, games: u32) {
    let script = format!(
        "{}/../../tests/oracle/{name}.py",
        env!("CARGO_MANIFEST_DIR")
    );
    for name in ["runme", "challenge", "eights", "hearts"] {
        program(name);
    }
    let run = Command::new("python3")
        // Without `-B`, Python's cache would lie in the checkout.
        .arg("-B")
        .arg(script)
        .arg("--bin")
        .arg(program("contest").parent().unwrap())
        .args(["--games", &games.to_string()])
        .output();
    let output = match run {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return eprintln!("no python3: not tested");
        }
        run => run.unwrap(),
    };
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().last().unwrap_or_default();
    assert!(
        output.status.success() && last.ends_with(" checks, 0 failed") && !last.starts_with("0 "),
        "{said}{errors}"
    );
}

#[test]
fn runme_answers_random_positions_by_rules_told_a_second_time() {
    audit("cartagena", 30);
}

#[test]
fn the_challenge_game_is_played_and_refereed_by_rules_told_a_second_time() {
    audit("challenge", 8);
}

#[test]
fn tricky_eights_is_played_and_refereed_by_rules_told_a_second_time() {
    audit("eights", 10);
}

#[test]
fn hearts_is_played_and_refereed_by_rules_told_a_second_time() {
    audit("hearts", 4);
}
