//! `contest cartagena check`: good programs pass, and bad ones fail for their own reason.
#![cfg(target_os = "linux")]

use super::programs;
use super::programs::{CONTEST, Command, install, says, scratch};
use serde_json::Value;
use std::path::Path;
use std::path::PathBuf;
use std::sync::LazyLock;
use tempfile::TempDir;

static GOOD: LazyLock<PathBuf> = LazyLock::new(|| programs::program("runme"));

/// A program in a new folder. Its script may call `$GOOD`, a program that plays well.
fn program(script: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    install(
        format!("#!/bin/sh\n{script}\n"),
        &folder.path().join("runme"),
    );
    folder
}

/// The repository's player in a new folder. The folder of the build has thousands of files, and the check
/// looks at all files of a program for changes. A child process copies it, because a file that this process
/// holds open for writing cannot be started.
fn our_player() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut copy = Command::new("cp");
    assert!(
        copy.arg(&*GOOD)
            .arg(folder.path())
            .status()
            .unwrap()
            .success()
    );
    folder
}

/// The output and the messages of a program's check, which ends with this status.
fn check(program: &Path, arguments: &[&str], status: i32) -> [String; 2] {
    checked(program, arguments, |command| command.said(status))
}

/// Prepares a check of this program, runs it by `run`, and returns the result of that.
fn checked<T>(program: &Path, arguments: &[&str], run: impl Fn(&mut Command) -> T) -> T {
    let mut command = Command::new(CONTEST);
    command.args(["cartagena", "check"]).arg(program);
    for setting in ["GOOD", "RUNME_NODES", "RUNME_SUPPORT"] {
        let value = match setting {
            "GOOD" => GOOD.to_str().unwrap(),
            "RUNME_NODES" => "50",
            _ => "none",
        };
        command.args(["--env", &format!("{setting}={value}")]);
    }
    command.arg("--allow").arg(&*GOOD);
    // The check saves what it sent in the current folder.
    let elsewhere = tempfile::tempdir().unwrap();
    command.current_dir(elsewhere.path());
    run(command.args(arguments))
}

/// Arguments that let a program do what it is otherwise kept from, so that the check can find it doing so.
const FREE: &[&str] = &["--isolate", "none"];

/// Name, verdict and detail of the report's lines that did not pass. Also checks that the exit status agrees
/// with them.
fn trouble(program: &Path, arguments: &[&str]) -> Vec<(String, String, String)> {
    let arguments = [&["--json"], arguments].concat();
    let output = checked(program, &arguments, |command| command.output().unwrap());
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let lines = report["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 20);
    let text = |line: &Value, key: &str| line[key].as_str().unwrap().to_owned();
    let trouble: Vec<_> = lines
        .iter()
        .map(|line| {
            (
                text(line, "name"),
                text(line, "verdict"),
                text(line, "detail"),
            )
        })
        .filter(|(_, verdict, _)| verdict != "passed")
        .collect();
    let passed = trouble.iter().all(|(_, verdict, _)| verdict == "warned");
    assert_eq!(report["passed"], passed);
    assert_eq!(output.status.code(), Some(i32::from(!passed)));
    trouble
}

/// Asserts that exactly one line of a check did not pass, and that it has this name, verdict and detail.
#[track_caller]
fn assert_only(program: &Path, arguments: &[&str], [name, verdict, detail]: [&str; 3]) {
    let trouble = trouble(program, arguments);
    assert_eq!(trouble.len(), 1, "{trouble:?}");
    let (told, as_what, why) = &trouble[0];
    assert_eq!((&**told, &**as_what), (name, verdict));
    says(why, detail);
}

#[test]
fn our_player_passes() {
    assert_eq!(trouble(our_player().path(), &[]), []);
    assert_eq!(trouble(program("exec \"$GOOD\"").path(), &[]), []);
}

#[test]
fn the_python_example_passes() {
    if Command::new("python3").arg("-V").output().is_err() {
        return eprintln!("no python3: not tested");
    }
    let bot = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/minimal-bot.py");
    assert_eq!(trouble(Path::new(bot), &[]), []);
}

#[test]
fn a_report_reads_well() {
    let bot = program("if grep -q '^gun$'; then echo 1 0 1 hat; else echo 2 9 7; fi");
    let (_saved, folder) = scratch("what was sent");
    let save = ["--save", folder.to_str().unwrap()];
    let [text, errors] = check(bot.path(), &save, 1);
    assert!(!text.contains('\x1b'), "colours without a terminal");
    // First the table, then the verdict, then each cause once.
    let verdict = text.find("\nnot fit to take part: 12 of 20 checks failed, for ");
    let (table, rest) = text.split_at(verdict.expect(&text));
    let only = "FAIL  an only move                                  cause ";
    says(table, only);
    says(table, " again\n");
    assert_eq!(table.matches("it is player 2's turn").count(), 1, "{table}");
    assert_eq!(rest.matches("it is player 2's turn").count(), 1, "{rest}");
    says(rest, "  received:\n    | 1 0 1 hat\n");
    assert!(
        errors.ends_with("\ncontest: 12 of 20 checks failed\n")
            || errors.starts_with("contest: 12"),
        "{errors}"
    );
    // The calls that failed are saved as files, and the printed command makes the same call again.
    let sent = std::fs::read_to_string(folder.join("an-only-move.txt")).unwrap();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/cartagena");
    assert_eq!(
        sent,
        std::fs::read_to_string(format!("{data}/only-move.txt")).unwrap()
    );
    let again: Vec<&str> = rest
        .lines()
        .filter_map(|line| line.strip_prefix("  again: "))
        .collect();
    assert!(!again.is_empty(), "{rest}");
    for command in again {
        let called = Command::new("sh").args(["-c", command]).output().unwrap();
        assert_eq!(called.stdout, b"1 0 1 hat\n", "{command}");
    }
}

#[test]
fn nothing_is_saved_of_a_good_program() {
    let (_saved, folder) = scratch("sent");
    let player = our_player();
    let [told, _] = check(player.path(), &["--save", folder.to_str().unwrap()], 0);
    assert!(told.ends_with("\nfit to take part\n"), "{told}");
    assert!(!folder.exists());
}

/// If a program cannot run because of how it was written or installed, the check gives a hint.
#[test]
fn what_may_help_is_told() {
    let folder = tempfile::tempdir().unwrap();
    install(
        "#!/bin/sh\r\necho 1 0 1 hat\r\n",
        &folder.path().join("runme"),
    );
    let [text, _] = check(folder.path(), &[], 1);
    // Once in the table and once in the list of causes.
    let trouble = "(os error 2): the first line of runme ends with CR LF";
    assert_eq!(text.matches(trouble).count(), 2, "{text}");
    // The system starts `env`, and only that program finds out that there is no such interpreter.
    let by_env = tempfile::tempdir().unwrap();
    let script = "#!/usr/bin/env no-such-interpreter\n";
    install(script, &by_env.path().join("runme"));
    let [text, _] = check(by_env.path(), &[], 1);
    let hint = "  hint: the first line of runme names no-such-interpreter, which is in no folder";
    assert_eq!(text.matches(hint).count(), 1, "{text}");
    let unset = |command: &mut Command| command.env("TMPDIR", "/nowhere").told(1);
    let told = checked(by_env.path(), &[], unset);
    says(&told, "cannot find the folder for temporary files /nowhere");
    let bare = tempfile::tempdir().unwrap();
    std::fs::write(bare.path().join("runme"), "#!/bin/sh\n").unwrap();
    let [_, refused] = check(bare.path(), &[], 2);
    says(&refused, "runme is not executable");
    says(&refused, "`chmod +x ");
}

/// A refused answer is shown as it was written, but a terminal obeys nothing in it, and a long one is cut.
#[test]
fn a_refused_answer_is_shown() {
    let bot = program(r"printf '\033[2Jhat\r\n'; printf '%2000s' x");
    // The verdict is the status, though nobody reads it.
    let (reader, closed) = std::io::pipe().unwrap();
    drop(reader);
    let unread = |command: &mut Command| command.stdout(closed.try_clone().unwrap()).told(1);
    says(&checked(bot.path(), &[], unread), " checks failed");
    let [text, _] = check(bot.path(), &[], 1);
    says(&text, "\n    | \\u{1b}[2Jhat\\r\n");
    says(&text, r#"it wrote "\u{1b}[2Jhat\r\n        "#);
    assert!(!text.contains('\x1b') && !text.contains('\r'), "{text}");
    let longest = text.lines().map(|line| line.chars().count()).max();
    assert!(longest < Some(500), "{text}");
}

#[test]
fn one_that_says_more_than_the_action_fails() {
    let trouble = trouble(program("echo thinking; exec \"$GOOD\"").path(), &[]);
    assert!(trouble.iter().any(|(name, verdict, detail)| {
        name == "prints the action and nothing else"
            && verdict == "failed"
            && detail.starts_with("malformed: line 1")
    }));
}

#[test]
fn one_that_writes_a_gigabyte_fails() {
    let trouble = trouble(program("exec yes").path(), &[]);
    assert!(trouble.len() > 12);
    let told = "malformed: wrote more than 1048576 bytes and was ended";
    assert!(trouble[0].2 == told, "{trouble:?}");
}

/// Capitals are not what the contest writes, but an answer in capitals can be read: a warning, not a failure.
#[test]
fn one_that_only_shouts_is_warned() {
    let shouts = program("\"$GOOD\" | tr a-z A-Z");
    let name = "prints the action and nothing else";
    let told = "written differently from the contest";
    assert_only(shouts.path(), &[], [name, "warned", told]);
}

#[test]
fn one_that_leaves_a_process_behind_fails() {
    for started in ["sleep 1000 &", "setsid sleep 1000 > /dev/null 2>&1 &"] {
        let bot = program(&format!("{started} exec \"$GOOD\""));
        let told = "left a process behind";
        assert_only(
            bot.path(),
            &[],
            ["leaves no process behind", "failed", told],
        );
    }
}

#[test]
fn one_that_writes_elsewhere_fails() {
    let name = "writes only under its support/";
    let beside = program("echo >> notes; exec \"$GOOD\"");
    assert_only(beside.path(), FREE, [name, "failed", "notes was changed"]);
    let inside = program("mkdir -p support/cache; echo >> support/notes; exec \"$GOOD\"");
    assert_eq!(trouble(inside.path(), &[]), []);
    let home = tempfile::tempdir().unwrap();
    let script = format!(
        "#!/bin/sh\necho >> {}/notes\nexec \"$GOOD\"\n",
        home.path().display()
    );
    install(&script, &home.path().join("runme"));
    let told = "notes was changed where the program is";
    assert_only(home.path(), FREE, [name, "failed", told]);
}

#[test]
fn one_that_is_late_fails() {
    let good = program("exec \"$GOOD\"");
    let told = " s at most, of 0.000000001 s";
    assert_only(
        good.path(),
        &["--time", "1e-9"],
        ["ends in time", "failed", told],
    );
}

#[test]
fn one_that_never_ends_is_given_up() {
    let sleeper = program("exec sleep 1000");
    let hurried = ["--time", "1e-9", "--warm-up", "1e-9"];
    let trouble = trouble(sleeper.path(), &hurried);
    let verdicts: Vec<_> = trouble.iter().map(|(_, verdict, _)| &**verdict).collect();
    assert_eq!(verdicts[..3], ["failed"; 3]);
    assert_eq!(verdicts[3..15], ["skipped"; 12]);
    assert!(
        trouble[1].2.starts_with("timeout: did not end"),
        "{trouble:?}"
    );
    // Checks that were not tried have not failed.
    let [text, errors] = check(sleeper.path(), &hurried, 1);
    let (_, verdict) = text.split_once("\nnot fit to take part: ").unwrap();
    let (failed, rest) = verdict.split_once(", for ").unwrap();
    assert!(rest.contains(" not tried\n"), "{text}");
    assert!(
        errors.ends_with(&format!("contest: {failed}\n")),
        "{errors}"
    );
}

#[test]
fn one_that_is_alone_in_the_world_fails() {
    // The call about 5 players waits until the call about 6 has begun, and fails. When it is asked again
    // alone, it answers.
    let bot = program(
        r#"read players
        case $players in
        5)  if [ ! -e support/again ]; then
                : > support/again
                while [ ! -e support/six ]; do sleep 0.01; done
                exit 9
            fi ;;
        6)  : > support/six ;;
        esac
        (echo "$players"; cat) | "$GOOD""#,
    );
    std::fs::create_dir(bot.path().join("support")).unwrap();
    let told = "crash: ended with exit status: 9";
    assert_only(bot.path(), &[], ["two calls at once", "failed", told]);
}

#[test]
fn one_that_cannot_be_started_fails() {
    let folder = tempfile::tempdir().unwrap();
    install("#!/nowhere/at/all\n", &folder.path().join("runme"));
    let trouble = trouble(folder.path(), &[]);
    for (_, _, told) in &trouble[..2] {
        assert!(
            told.starts_with("crash: ") && told.contains("cannot start "),
            "{told}"
        );
    }
    let free = self::trouble(folder.path(), FREE);
    assert!(free[0].2.starts_with("crash: cannot start "), "{free:?}");
}

#[test]
fn wrong_usage_is_told() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data");
    for (program, arguments, expected) in [
        (data, &[][..], "expected an executable file `runme` in it"),
        ("/nowhere/at/all", &[], "no program at /nowhere/at/all"),
        (
            data,
            &["--time", "0"],
            "expected a number of seconds above 0",
        ),
        (data, &["--env", "A"], "expected NAME=VALUE"),
        (
            data,
            &["--env", "bot:A=1:2"],
            "as check has one program: --env A=1:2",
        ),
    ] {
        let [_, told] = check(Path::new(program), arguments, 2);
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
}
