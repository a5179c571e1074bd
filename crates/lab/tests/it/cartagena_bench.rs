//! The commands `bench`, `exact`, `truth` and `calibrate` of `lab cartagena`.

use super::programs::{LAB, install, lab, lab_in, says, scratch};
use std::fs;
use std::path::Path;

/// The long searches that choices are compared with are kept in a file, which is used again and refused for another
/// question.
#[test]
fn choices_are_compared_with_kept_searches() {
    let (folder, path) = scratch("reference.json");
    let bench = |nodes: u32, players: &str| {
        let options = "--handmade --positions 4 --repeats 1 --reference reference.json";
        let words = format!("cartagena bench {options} --nodes {nodes} --choices {players}");
        lab_in(folder.path(), &words)
    };
    let first = bench(400, "hoarder random").printed();
    let lines: Vec<&str> = first.lines().collect();
    assert!(lines[0].starts_with("hoarder: loses "), "{first}");
    assert!(
        lines[1].starts_with("random: loses ") && lines[1].contains(", gains "),
        "{first}"
    );
    let kept = fs::read(&path).unwrap();
    assert_eq!(bench(400, "hoarder random").printed(), first);
    assert_eq!(fs::read(&path).unwrap(), kept);

    // Another version of the search makes other positions, and older ones wrote no hashes of them.
    let mut other: serde_json::Value = serde_json::from_slice(&kept).unwrap();
    other["positions"].as_array_mut().unwrap().swap(1, 2);
    fs::write(&path, other.to_string()).unwrap();
    let refused = || bench(400, "hoarder").told(2);
    says(&refused(), "reference.json: position 2 is ");
    other.as_object_mut().unwrap().remove("positions");
    fs::write(&path, other.to_string()).unwrap();
    let none = "reference.json has 0 positions for 4 lists of values";
    says(&refused(), none);
    fs::write(&path, &kept).unwrap();

    for (nodes, player, what) in [
        (500, "hoarder", "is of 400 nodes and 2 players"),
        (400, "nobody", "there is no built-in player"),
    ] {
        says(&bench(nodes, player).told(2), what);
    }
    // Without players to compare, the options of the comparison mean nothing.
    for option in ["--positions", "--players", "--repeats", "--reference"] {
        let told = lab(&format!("cartagena bench {option} 2")).told(2);
        says(&told, "--choices");
    }
    // Runs with and without threads get the same time, so that no number of nodes limits them.
    let told = lab("cartagena bench --threads 2 --nodes 9").told(2);
    says(&told, "cannot be used with '--nodes");
    fs::write(&path, "[1, 2").unwrap();
    says(&refused(), "holds no long searches");
}

/// A truth set that is made in pieces equals one made at once, and its file is refused for another question.
#[test]
fn truth_is_made_and_scored() {
    let folder = tempfile::tempdir().unwrap();
    let truth = |words: &str| lab_in(folder.path(), &format!("cartagena truth {words}"));
    let make = |name: &str, positions: u32, games: u32| {
        let effort = format!("--positions {positions} --games {games} --look-ahead 1");
        truth(&format!("make {name} {effort}"))
    };
    let (one, two) = ("one.truth", "two.truth");
    make(one, 3, 4).printed();
    says(&make(one, 5, 4).printed(), "positions with a choice");
    make(two, 5, 4).printed();
    let [first, second] = [one, two].map(|name| fs::read(folder.path().join(name)).unwrap());
    assert_eq!(first, second);
    let refused = make(one, 5, 6).told(1);
    for (made, games) in [
        ("was made with", "4 --look-ahead 1;"),
        ("asked for", "6 --look-ahead 1"),
    ] {
        says(
            &refused,
            format!("{made} --players 2 --leading 5 --games {games}"),
        );
    }

    let text = truth("score one.truth random hoarder --network -").printed();
    for part in ["actions a player", "30-", "all", "random", "hoarder"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("positions  loses"), "{text}");
    let nothing = truth("score one.truth").told(2);
    says(&nothing, "name a player or a --network");
    fs::write(folder.path().join(two), "no truth").unwrap();
    says(&truth("score two.truth random").told(1), two);
}

/// With searches only late positions are valued; choices that the set does not hold are valued too.
#[test]
fn searches_make_a_truth_set() {
    let folder = tempfile::tempdir().unwrap();
    let truth = |words: &str| lab_in(folder.path(), &format!("cartagena truth {words}"));
    let make = |rest: &str| truth(&format!("make late.truth --positions 8 --games 4 {rest}"));
    let made = make("--nodes 40 --after 9").printed();
    let other = make("--nodes 40").told(1);
    assert!(other.contains("--nodes 40 --after 9;"), "{made} {other}");
    let text = truth("score late.truth random --phases").printed();
    assert!(!text.starts_with("0 positions"), "{text}");
    let first = text.lines().find(|line| line.contains(" 0-5 "));
    let columns: Vec<&str> = first.unwrap().split_whitespace().collect();
    assert_eq!(columns, ["random", "0-5", "0", "-", "-"]);
    for wrong in ["--after 9", "--nodes 0", "--nodes 40 --look-ahead 2"] {
        make(wrong).told(2);
    }
}

/// Programs are scored beside built-in players. A program that gives no answer loses as much as the worst action.
#[test]
fn programs_are_scored_by_a_truth_set() {
    let folder = tempfile::tempdir().unwrap();
    let truth = |words: &str| lab_in(folder.path(), &format!("cartagena truth {words}"));
    truth("make some.truth --positions 6 --games 4 --look-ahead 1").printed();
    let engine = Path::new(LAB).with_file_name("runme");
    let player = format!("#!/bin/sh\nexec '{}' --support none\n", engine.display());
    install(&player, &folder.path().join("mine/runme"));
    install("#!/bin/sh\nexit 3\n", &folder.path().join("broken/runme"));
    let allow = engine.parent().unwrap().display();
    let players = "./mine ./broken random --env mine:RUNME_NODES=50";
    let score = format!("score some.truth {players} --phases --allow {allow}");
    let [text, told] = truth(&score).said(0);
    says(&told, "broken: crash");
    assert!(
        told.contains("faults in all") && !told.contains("mine: "),
        "{told}"
    );
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

    for (label, what) in [
        ("random", "not an environment"),
        ("nobody", "is called nobody"),
    ] {
        let refused = truth(&format!("{score} --env {label}:RUNME_NODES=50")).told(2);
        says(&refused, what);
    }
    says(&truth("score some.truth nobody,nodes=5").told(2), "nobody");

    // A name with settings is a built-in player, even if a file has that name, as in this package.
    install("#!/bin/sh\nexit 3\n", &folder.path().join("runme"));
    let text = truth("score some.truth runme,nodes=50").printed();
    says(&text, "runme,nodes=50 ");
}

#[test]
fn predictions_are_compared_with_outcomes() {
    let text = lab("cartagena calibrate hoarder --games 6 --players 3").printed();
    let last = text.lines().last().unwrap();
    let row: Vec<&str> = last.split_whitespace().collect();
    assert_eq!(row[..2], ["all", "6"], "{text}");
    assert!(row[2].parse::<f64>().unwrap().abs() < 60.0, "{text}");
    let unknown = lab("cartagena calibrate nobody").told(2);
    says(&unknown, "there is no built-in player");
}

/// Every evaluator and search is tried in every game, and loses less than random actions do.
#[test]
fn exact_judges_a_suite_of_games() {
    let text = lab("cartagena exact --suite --states 10 --nodes 300").printed();
    assert_eq!(text.matches("positions solved in").count(), 6, "{text}");
    let all = text.split("all 6 games").nth(1).unwrap();
    let number = |line: &str, column: usize| -> f64 {
        let cell = line.split_whitespace().nth(column);
        cell.unwrap().parse().unwrap()
    };
    let random = number(all.lines().last().unwrap(), 4);
    assert!(random > 1.0, "{text}");
    for evaluator in ["handmade ", "network  "] {
        for search in ["turn", "rollouts"] {
            let start = format!("{evaluator} {search}");
            let mut rows = all.lines().map(str::trim_start);
            let row = rows.find(|row| row.starts_with(&start)).unwrap();
            assert!(number(row, 2) < random, "{text}");
        }
    }
}

/// A changed signature means changed decisions. Such a change needs a match, and this file made anew: `lab
/// cartagena bench | head -n 1 > tests/data/cartagena/bench.golden`.
#[test]
fn the_signature_is_the_golden_one() {
    let text = lab("cartagena bench").printed();
    let golden = include_str!("../../../../tests/data/cartagena/bench.golden");
    assert_eq!(text.lines().next(), golden.lines().next());
}

/// A player that sees all hands is refused, as a truth set cannot show them.
#[test]
fn a_cheat_is_scored_by_no_truth_set() {
    let set = concat!(env!("CARGO_MANIFEST_DIR"), "/data/cartagena-2.truth");
    let refused = lab(&format!("cartagena truth score {set} cheat")).told(2);
    says(&refused, "cheat: cheat sees all hands");
}

/// Output piped into `head` ends without a panic.
#[test]
fn a_reader_that_leaves_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let told = lab("cartagena perft 3").stdout(writer).told(0);
    assert!(!told.contains("panicked"), "{told}");
}
