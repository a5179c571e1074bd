//! The commands `bench`, `exact`, `truth` and `calibrate` of `lab cartagena`.

use super::programs::{Command, LAB, install, lab, says, scratch, stderr, stdout};
use std::fs;

fn cartagena(arguments: &[&str]) -> assert_cmd::assert::Assert {
    lab(&[&["cartagena"], arguments].concat())
}

/// The long searches that choices are compared with are kept in a file, which is used again and refused for another
/// question.
#[test]
fn choices_are_compared_with_kept_searches() {
    let (_folder, path) = scratch("reference.json");
    let name = path.to_str().unwrap();
    let bench = |nodes: &str, players: &[&str]| {
        let options = ["bench", "--handmade", "--nodes", nodes, "--positions", "4"];
        let rest = ["--repeats", "1", "--reference", name, "--choices"];
        cartagena(&[&options[..], &rest[..], players].concat())
    };
    let first = stdout(&bench("400", &["hoarder", "random"]).success());
    let lines: Vec<&str> = first.lines().collect();
    assert!(lines[0].starts_with("hoarder: loses "), "{first}");
    assert!(
        lines[1].starts_with("random: loses ") && lines[1].contains(", gains "),
        "{first}"
    );
    let kept = fs::read(&path).unwrap();
    assert_eq!(
        stdout(&bench("400", &["hoarder", "random"]).success()),
        first
    );
    assert_eq!(fs::read(&path).unwrap(), kept);

    for (nodes, player, what) in [
        ("500", "hoarder", "is of 400 nodes and 2 players"),
        ("400", "nobody", "there is no built-in player"),
    ] {
        let output = bench(nodes, &[player]).code(2);
        let message = stderr(&output);
        says(&message, what);
    }
    // Without players to compare, the options of the comparison mean nothing.
    for option in ["--positions", "--players", "--repeats", "--reference"] {
        let message = stderr(&cartagena(&["bench", option, "2"]).code(2));
        says(&message, "--choices");
    }
    // Runs with and without threads get the same time, so that no number of nodes limits them.
    let message = stderr(&cartagena(&["bench", "--threads", "2", "--nodes", "9"]).code(2));
    says(&message, "cannot be used with '--nodes");
    fs::write(&path, "[1, 2").unwrap();
    let output = bench("400", &["hoarder"]).code(2);
    let message = stderr(&output);
    says(&message, "holds no long searches");
}

/// A truth set that is made in pieces equals one made at once, and its file is refused for another question.
#[test]
fn truth_is_made_and_scored() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let make = |name: &str, positions: &str, games: &str| {
        let rest = [
            "--positions",
            positions,
            "--games",
            games,
            "--look-ahead",
            "1",
        ];
        cartagena(&[&["truth", "make", &path(name)][..], &rest].concat())
    };
    let (one, two) = ("one.truth", "two.truth");
    make(one, "3", "4").success();
    let text = stdout(&make(one, "5", "4").success());
    says(&text, "positions with a choice");
    make(two, "5", "4").success();
    assert_eq!(fs::read(path(one)).unwrap(), fs::read(path(two)).unwrap());
    let refused = stderr(&make(one, "5", "6").code(1));
    says(
        &refused,
        "was made with --players 2 --leading 5 --games 4 --look-ahead 1;",
    );
    says(
        &refused,
        "asked for --players 2 --leading 5 --games 6 --look-ahead 1",
    );

    let score = [
        "truth",
        "score",
        &path(one),
        "random",
        "hoarder",
        "--network",
        "-",
    ];
    let text = stdout(&cartagena(&score).success());
    for part in ["actions a player", "30-", "all", "random", "hoarder"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("positions  loses"), "{text}");
    let nothing = stderr(&cartagena(&score[..3]).code(2));
    says(&nothing, "name a player or a --network");
    fs::write(path(two), "no truth").unwrap();
    let broken = stderr(&cartagena(&["truth", "score", &path(two), "random"]).code(1));
    says(&broken, path(two));
}

/// With searches only late positions are valued; choices that the set does not hold are valued too.
#[test]
fn searches_make_a_truth_set() {
    let (_folder, file) = scratch("late.truth");
    let file = file.to_str().unwrap();
    let make = |rest: &[&str]| {
        let all = ["truth", "make", file, "--positions", "8", "--games", "4"];
        cartagena(&[&all[..], rest].concat())
    };
    let late = ["--nodes", "40", "--after", "9"];
    let made = stdout(&make(&late).success());
    let other = stderr(&make(&["--nodes", "40"]).code(1));
    assert!(other.contains("--nodes 40 --after 9;"), "{made} {other}");
    let score = ["truth", "score", file, "random", "--phases"];
    let text = stdout(&cartagena(&score).success());
    assert!(!text.starts_with("0 positions"), "{text}");
    let first = text.lines().find(|line| line.contains(" 0-5 "));
    let columns: Vec<&str> = first.unwrap().split_whitespace().collect();
    assert_eq!(columns, ["random", "0-5", "0", "-", "-"]);
    for wrong in [
        &["--after", "9"][..],
        &["--nodes", "0"],
        &["--nodes", "40", "--look-ahead", "2"],
    ] {
        make(wrong).code(2);
    }
}

/// Programs are scored beside built-in players. A program that gives no answer loses as much as the worst action.
#[test]
fn programs_are_scored_by_a_truth_set() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let file = path("some.truth");
    let make = ["truth", "make", &file, "--positions", "6", "--games", "4"];
    cartagena(&[&make[..], &["--look-ahead", "1"]].concat()).success();
    let engine = std::path::Path::new(LAB).with_file_name("runme");
    let player = format!("#!/bin/sh\nexec '{}' --support none\n", engine.display());
    install(&player, &folder.path().join("mine/runme"));
    install("#!/bin/sh\nexit 3\n", &folder.path().join("broken/runme"));
    let allow = engine.parent().unwrap().to_str().unwrap();
    let (mine, broken) = (path("mine"), path("broken"));
    let mut score = vec!["truth", "score", &file, &mine, &broken, "random"];
    score.extend(["--phases", "--allow", allow, "--env", "mine:RUNME_NODES=50"]);
    let scored = cartagena(&score).success();
    let told = stderr(&scored);
    says(&told, "broken: crash");
    assert!(
        told.contains("faults in all") && !told.contains("mine: "),
        "{told}"
    );
    let text = stdout(&scored);
    let row = |label: &str| -> Vec<f64> {
        let line = text.lines().find(|line| line.starts_with(label)).unwrap();
        let cells = line.split_whitespace().skip(1);
        cells.map(|cell| cell.parse().unwrap_or(0.0)).collect()
    };
    let (mine, broken, random) = (row("mine "), row("broken "), row("random "));
    assert_eq!(broken[4], 100.0, "{text}");
    assert!(mine[0] < broken[0] && random[0] <= broken[0], "{text}");
    let phases = text
        .lines()
        .filter(|line| line.starts_with("random ") && line.contains('-'));
    assert!(phases.count() >= 6, "{text}");

    score.push("random:RUNME_NODES=50");
    score.insert(score.len() - 1, "--env");
    let refused = stderr(&cartagena(&score).code(2));
    says(&refused, "not an environment");
    *score.last_mut().unwrap() = "nobody:RUNME_NODES=50";
    let refused = stderr(&cartagena(&score).code(2));
    says(&refused, "is called nobody");
    let nobody = ["truth", "score", &file, "nobody,nodes=5"];
    let refused = stderr(&cartagena(&nobody).code(2));
    says(&refused, "nobody");

    // A name with settings is a built-in player, even if a file has that name, as in this package.
    install("#!/bin/sh\nexit 3\n", &folder.path().join("runme"));
    let mut beside = Command::new(LAB);
    let player = ["truth", "score", &file, "runme,nodes=50"];
    beside
        .current_dir(folder.path())
        .arg("cartagena")
        .args(player);
    let text = stdout(&beside.assert().success());
    says(&text, "runme,nodes=50 ");
}

#[test]
fn predictions_are_compared_with_outcomes() {
    let text =
        stdout(&cartagena(&["calibrate", "hoarder", "--games", "6", "--players", "3"]).success());
    let last = text.lines().last().unwrap();
    let row: Vec<&str> = last.split_whitespace().collect();
    assert_eq!(row[..2], ["all", "6"], "{text}");
    assert!(row[2].parse::<f64>().unwrap().abs() < 60.0, "{text}");
    let unknown = stderr(&cartagena(&["calibrate", "nobody"]).code(2));
    says(&unknown, "there is no built-in player");
}

/// Every evaluator and search is tried in every game, and loses less than random actions do.
#[test]
fn exact_judges_a_suite_of_games() {
    let output = cartagena(&["exact", "--suite", "--states", "10", "--nodes", "300"]).success();
    let text = stdout(&output);
    assert_eq!(text.matches("positions solved in").count(), 6, "{text}");
    let all = text.split("all 6 games").nth(1).unwrap();
    let number = |line: &str, column: usize| -> f64 {
        line.split_whitespace()
            .nth(column)
            .unwrap()
            .parse()
            .unwrap()
    };
    let random = number(all.lines().last().unwrap(), 4);
    assert!(random > 1.0, "{text}");
    for line in [
        "handmade  turn",
        "handmade  rollouts",
        "network   turn",
        "network   rollouts",
    ] {
        let row = all
            .lines()
            .find(|l| l.trim_start().starts_with(line))
            .unwrap();
        assert!(number(row, 2) < random, "{text}");
    }
}

/// A changed signature means changed decisions. Such a change needs a match, and this file made anew: `lab
/// cartagena bench | head -n 1 > tests/data/cartagena/bench.golden`.
#[test]
fn the_signature_is_the_golden_one() {
    let text = stdout(&cartagena(&["bench"]).success());
    let golden = include_str!("../../../../tests/data/cartagena/bench.golden");
    assert_eq!(text.lines().next(), golden.lines().next());
}

/// A player that sees all hands is refused, as a truth set cannot show them.
#[test]
fn a_cheat_is_scored_by_no_truth_set() {
    let set = concat!(env!("CARGO_MANIFEST_DIR"), "/data/cartagena-2.truth");
    let refused = stderr(&cartagena(&["truth", "score", set, "cheat"]).code(2));
    says(&refused, "cheat: cheat sees all hands");
}

/// Output piped into `head` ends without a panic.
#[test]
fn a_reader_that_leaves_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(LAB);
    let output = command
        .args(["cartagena", "perft", "3"])
        .stdout(writer)
        .stderr(std::process::Stdio::piped())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && !said.contains("panicked"),
        "{said}"
    );
}
