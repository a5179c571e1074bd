//! Answers of `runme`: one action on standard output and nothing else, and the same one every time.

use super::positions::moment;
use super::{EXAMPLE, Run, program, pure, run, start};
use std::fs;
use std::io::Write;

#[test]
fn the_example_has_one_answer() {
    let run = run(&mut pure(2000), EXAMPLE);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(run.stdout.matches('\n').count(), 1);
    assert!(run.stdout.ends_with('\n'));
    let legal = [
        "2 0 7 hat\n",
        "2 0 1 skull\n",
        "2 2 7 hat\n",
        "2 2 10 skull\n",
        "2 3 7 hat\n",
        "2 3 10 skull\n",
        "2 3 2\n",
    ];
    assert!(legal.contains(&run.stdout.as_str()), "{run:?}");
}

#[test]
fn variables_stand_for_flags() {
    let flags = run(pure(1500).args(["--seed", "7"]), EXAMPLE);
    let mut command = program();
    command
        .env("RUNME_NODES", "1500")
        .env("RUNME_SEED", "7")
        .env("RUNME_THREADS", "1")
        .env("RUNME_SUPPORT", "none")
        .arg("--explain");
    let variables = run(&mut command, EXAMPLE);
    assert_eq!(variables.stdout, flags.stdout);
    let mut command = pure(1500);
    command.args(["--seed", "7", "--explain"]);
    let explained = run(&mut command, EXAMPLE);
    assert_eq!(table(&variables.stderr), table(&explained.stderr));
    // A flag wins over its variable.
    command.env("RUNME_NODES", "60").env("RUNME_SEED", "8");
    let both = run(&mut command, EXAMPLE);
    assert_eq!(table(&both.stderr), table(&explained.stderr));
}

/// The table of candidates without its last line, which shows the time.
pub(super) fn table(explained: &str) -> Vec<&str> {
    let lines: Vec<&str> = explained
        .lines()
        .skip_while(|line| !line.contains("rollouts"))
        .take_while(|line| !line.contains(" s in all"))
        .collect();
    assert!(lines.len() > 2, "{explained}");
    lines
}

/// Same input, nodes and seed: the same answer and the same reasons, on any number of threads.
#[test]
fn answers_repeat() {
    for seed in 0..6 {
        let players = 2 + seed as usize % 5;
        let position = moment(seed, players, 3);
        let explained = |threads: &str| {
            let mut command = program();
            command.args(["--support", "none", "--nodes", "1200", "--seed", "5"]);
            command.args(["--threads", threads, "--explain"]);
            run(&mut command, position.input())
        };
        let first = explained("1");
        position.answer(&first);
        for threads in ["1", "2", "3"] {
            let again = explained(threads);
            assert_eq!(first.stdout, again.stdout, "{threads} threads");
            assert_eq!(table(&first.stderr), table(&again.stderr));
        }
    }
}

#[test]
fn explaining_leaves_standard_output_alone() {
    let explained = run(pure(500).arg("--explain"), EXAMPLE);
    let plain = run(&mut pure(500), EXAMPLE);
    assert_eq!(explained.stdout, plain.stdout);
    for part in [
        "CELL",
        "BOAT",
        "own hand: 2 hat, 1 skull",
        "deal: 3",
        "expectimax: ",
        "rollouts: ",
        " s in all",
    ] {
        assert!(explained.stderr.contains(part), "{}", explained.stderr);
    }
}

/// Every golden input: legal histories of all kinds.
#[test]
fn golden_inputs_are_answered() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/cartagena");
    let mut answered = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        if cartagena::notation::parse(text.as_bytes()).is_err() {
            continue;
        }
        let run = run(&mut pure(200), &text);
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.stdout.lines().count() <= 1);
        answered += run.stdout.lines().count();
    }
    assert!(answered >= 6, "only {answered}");
}

/// Careless writing is no reason not to answer.
#[test]
fn careless_input_is_the_same_input() {
    let plain = run(&mut pure(300), EXAMPLE);
    let careless = EXAMPLE.replace('\n', " \r\n\r\n").replace("keys", "KEY");
    assert_eq!(run(&mut pure(300), careless), plain);
    assert_eq!(run(&mut pure(300), EXAMPLE.trim_end()), plain);
}

/// Ending a turn early is an answer only where the rules allow it and the user does.
#[test]
fn passes_come_only_when_allowed() {
    let mut passes = 0;
    for seed in 100..140 {
        let position = moment(seed, 2 + seed as usize % 3, 3);
        let run = run(pure(200).arg("--allow-pass"), position.input());
        if run.stdout.is_empty() {
            assert_eq!(run.code, Some(0));
            assert!(
                position.game.may_pass(position.state()),
                "{}",
                position.input()
            );
            passes += 1;
        } else {
            position.answer(&run);
        }
    }
    assert!(passes < 40);
}

/// When the program has ended, nothing of it lives on.
#[cfg(target_os = "linux")]
#[test]
fn no_process_is_left() {
    use std::os::unix::process::CommandExt;
    let support = tempfile::tempdir().unwrap();
    let mut command = program();
    command
        .args(["--nodes", "3000", "--threads", "4", "--support"])
        .arg(support.path())
        .process_group(0);
    let mut child = start(&mut command, EXAMPLE);
    let group = child.id();
    assert!(
        members(group).contains(&group),
        "the group is looked for rightly"
    );
    assert!(child.wait().unwrap().success());
    assert_eq!(members(group), [0u32; 0]);
}

/// The processes of a group.
#[cfg(target_os = "linux")]
fn members(group: u32) -> Vec<u32> {
    let mut members = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|n| n.parse().ok()) else {
            continue;
        };
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else {
            continue;
        };
        // After the name, which may hold anything: state, parent, group.
        let fields = stat.rsplit(')').next().unwrap_or_default();
        if fields.split_whitespace().nth(2) == Some(group.to_string().as_str()) {
            members.push(id);
        }
    }
    members
}

/// A harness that does not read the answer gets a failure, not a panic.
#[test]
fn a_closed_standard_output_is_a_failure() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let run = run(pure(60).stdout(writer), EXAMPLE);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.complaints().len(), 1, "{run:?}");
    assert!(!run.stderr.contains("panicked"), "{run:?}");
}

/// A closed standard error changes neither the answer nor the exit status.
#[test]
fn a_closed_standard_error_changes_nothing() {
    let plain = run(pure(60).arg("--explain"), EXAMPLE);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let run = run(pure(60).arg("--explain").stderr(writer), EXAMPLE);
    assert_eq!((run.code, run.stdout), (Some(0), plain.stdout));
}

/// A full pipe that nobody reads does not delay the answer, and delays the end of the process only briefly.
#[test]
fn an_unread_standard_error_changes_nothing() {
    let plain = run(pure(60).arg("--explain"), EXAMPLE);
    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(&[b' '; 1 << 16]).unwrap();
    let run = run(pure(60).arg("--explain").stderr(writer), EXAMPLE);
    assert_eq!((run.code, run.stdout), (Some(0), plain.stdout));
    drop(reader);
}

/// A game that arrives in parts gets the same answer as one that arrives at once, even if the input is not closed.
#[test]
fn a_game_in_parts_gets_the_same_answer() {
    let whole = run(pure(1000).arg("--explain"), EXAMPLE);
    for (cut, closed) in [(1, true), (200, true), (EXAMPLE.len() - 1, false)] {
        let mut child = pure(1000).arg("--explain").spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let (head, tail) = EXAMPLE.as_bytes().split_at(cut);
        input.write_all(head).unwrap();
        input.flush().unwrap();
        assert!(
            child.try_wait().unwrap().is_none(),
            "it waits for a whole game"
        );
        input.write_all(tail).unwrap();
        let open = (!closed).then_some(input);
        let parts: Run = child.wait_with_output().unwrap().into();
        drop(open);
        assert_eq!(parts.stdout, whole.stdout);
        assert_eq!(table(&parts.stderr), table(&whole.stderr));
    }
}
