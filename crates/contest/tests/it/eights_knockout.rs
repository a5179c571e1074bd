//! Tests of `contest eights knockout`: brackets, which players go on, continuing with a file, and being
//! stopped.

use super::programs::{CONTEST, Command, contest, install, says, scratch};
use super::stopped::REFEREE;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Six participants, while a table has four seats: three of them reach the next stage without a table.
const SIX: &str = "a=builtin:counter b=builtin:high c=builtin:counter d=builtin:random e=builtin:high \
                   f=builtin:low-first";

fn tournament(folder: &Path, words: &str) -> Command {
    // A program that signals its process group must not reach the tests.
    let mut command = Command::in_own_group(CONTEST);
    command.words("eights knockout --jobs 1 --isolate none");
    command.words(words).current_dir(folder);
    command
}

fn played(folder: &Path, words: &str) -> String {
    tournament(folder, words).printed()
}

fn json(folder: &Path, words: &str) -> Value {
    let text = played(folder, &format!("{words} --json"));
    serde_json::from_str(&text).unwrap()
}

/// The labels in a list, or in the field of its objects.
fn labels(list: &Value, field: Option<&str>) -> Vec<String> {
    let label = |one: &Value| {
        field
            .map_or(one, |field| &one[field])
            .as_str()
            .unwrap()
            .to_owned()
    };
    list.as_array().unwrap().iter().map(label).collect()
}

/// Before there were tournaments with ratings, the command had their name; without a folder it still has.
#[test]
fn the_old_name_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let called = |name: &str| {
        let mut call = contest(&format!("eights {name} --rounds 1 --isolate none {SIX}"));
        call.current_dir(folder.path()).printed()
    };
    assert_eq!(called("tournament"), called("knockout"));
}

#[test]
fn the_winners_of_tables_meet_until_one_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let result = json(folder.path(), SIX);
    let stages = result["stages"].as_array().unwrap();
    assert_eq!(stages.len(), 2);
    assert_eq!(labels(&stages[0]["byes"], None), ["a", "b", "c"]);
    let table = &stages[0]["tables"][0];
    let mut sit = labels(&table["seats"], Some("player"));
    sit.sort();
    assert_eq!(sit, ["d", "e", "f", "house"]);
    let mut sit = labels(&stages[1]["tables"][0]["seats"], Some("player"));
    sit.sort();
    let mut expected = vec!["a", "b", "c", table["winner"].as_str().unwrap()];
    expected.sort_unstable();
    assert_eq!(sit, expected);
    for stage in stages {
        let table = &stage["tables"][0];
        let points = |seat: &Value| seat["points"].as_u64().unwrap();
        let seats = table["seats"].as_array().unwrap();
        assert_eq!(
            seats.iter().map(points).sum::<u64>(),
            25 * table["rounds"].as_u64().unwrap()
        );
        assert!(seats.iter().map(points).max() >= Some(300));
        let best = seats
            .iter()
            .filter(|seat| seat["player"] != "house")
            .max_by_key(|seat| points(seat))
            .unwrap();
        assert_eq!(best["player"], table["winner"]);
    }
    assert_eq!(result["finished"], true);
    let standings = labels(&result["standings"], Some("player"));
    assert_eq!(result["winner"], standings[0]);
    assert_eq!(stages[1]["tables"][0]["winner"], standings[0]);
    let mut first_four = standings[..4].to_vec();
    first_four.sort();
    assert_eq!(
        first_four, expected,
        "who reaches the final is before who does not"
    );
    assert_eq!(standings.len(), 6);
}

#[test]
fn the_same_seed_is_the_same_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let short = format!("{SIX} --rounds 3");
    let said = played(folder.path(), &short);
    assert!(
        said.starts_with("stage 1\n  without a table: a, b, c\n  table 1: "),
        "{said}"
    );
    says(&said, "\nstage 2, the final\n  table 1: ");
    assert_eq!(said.matches(" goes on\n").count(), 1, "{said}");
    assert_eq!(said.matches(" has won\n").count(), 1, "{said}");
    says(&said, " rounds; ");
    assert_eq!(played(folder.path(), &short), said);
    let other = format!("{short} --seed 2");
    assert_ne!(played(folder.path(), &other), said);
    // The places drawn by lot follow from the seed as well.
    let drawn = format!("{short} --draw");
    let said = played(folder.path(), &drawn);
    assert!(!said.contains("without a table: a, b, c\n"), "{said}");
    assert_eq!(played(folder.path(), &drawn), said);
}

#[test]
fn a_tournament_goes_on_with_its_file() {
    let (folder, file) = scratch("log.jsonl");
    let arguments = format!("{SIX} --rounds 3 --record log.jsonl");
    let said = played(folder.path(), &arguments);
    let whole = fs::read_to_string(&file).unwrap();
    assert!(whole.lines().count() >= 6, "{whole}");
    assert!(whole.contains(r#""id":"1.1.1-1""#) && whole.contains(r#""id":"2.1.3-1""#));
    assert_eq!(played(folder.path(), &arguments), said);
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        whole,
        "nothing was played again"
    );
    // The record is cut in the middle of the final's second round. The whole final is then played again.
    let cut = whole.find(r#""id":"2.1.2-1""#).unwrap();
    fs::write(&file, &whole[..cut]).unwrap();
    assert_eq!(played(folder.path(), &arguments), said);
    let ids = fs::read_to_string(&file).unwrap();
    assert_eq!(ids.matches(r#""id":"2.1.1-1""#).count(), 2);
    assert_eq!(ids.matches(r#""id":"2.1.3-1""#).count(), 1);
    assert_eq!(
        played(folder.path(), &arguments),
        said,
        "the later game counts"
    );
    // A tournament with another seed finds no games of its own in the file.
    let other = format!("{arguments} --seed 2");
    played(folder.path(), &other);
    assert!(fs::read_to_string(&file).unwrap().len() > ids.len());
    // Commands that read the rounds of a match also read these.
    for command in ["replay log.jsonl 1.1.1-1", "report log.jsonl"] {
        let mut read = contest(&format!("eights {command}"));
        read.current_dir(folder.path()).printed();
    }
}

#[test]
fn who_makes_a_fault_is_out() {
    let folder = tempfile::tempdir().unwrap();
    install("#!/bin/sh\nread x; exit 7\n", &folder.path().join("bot"));
    let said = played(folder.path(), "bad=./bot b=random --rounds 1");
    says(&said, ", bad disqualified, house ");
    says(&said, "; b has won\n");
    says(&said, "disqualified: crash: ended with exit status: 7\n");
    // If all are disqualified, nobody goes on.
    let arguments = "bad=./bot worse=./bot";
    let said = played(folder.path(), arguments);
    says(&said, "; 1 round; nobody has won\n");
    let result = json(folder.path(), arguments);
    assert_eq!(
        (&result["winner"], &result["finished"]),
        (&Value::Null, &true.into())
    );
}

#[test]
fn a_stopped_tournament_says_what_was_played_and_goes_on_later() {
    let folder = tempfile::tempdir().unwrap();
    install(
        format!("#!/bin/sh\nread line; {REFEREE}; kill -TERM -$referee; kill -TERM $$\n"),
        &folder.path().join("bot"),
    );
    // Eight participants play at two tables, three at each. The table of seeds 3, 6 and 7 comes first.
    let with = |fourth: &str| {
        let others = "e=random f=random g=random h=random --rounds 2 --record log.jsonl --seed 1";
        format!("a=random b=random c=random {fourth} {others}")
    };
    let [said, _] = tournament(folder.path(), &with("d=./bot")).said(130);
    assert!(
        said.contains("\n  table 1: ") && !said.contains("  table 2: "),
        "{said}"
    );
    assert!(
        said.contains("not decided\n") && !said.contains("disqualified"),
        "{said}"
    );
    let log = fs::read_to_string(folder.path().join("log.jsonl")).unwrap();
    assert!(
        log.contains(r#""id":"1.1.2-1""#) && !log.contains(r#""id":"1.2.1-1""#),
        "{log}"
    );
    let said = played(folder.path(), &with("d=random"));
    says(&said, "stage 2, the final");
    let after = fs::read_to_string(folder.path().join("log.jsonl")).unwrap();
    assert!(after.starts_with(&log), "what was played stands");
    assert_eq!(after.matches(r#""id":"1.1.1-1""#).count(), 1);
}

#[test]
fn wrong_usage_is_told() {
    let folder = tempfile::tempdir().unwrap();
    install("#!/bin/sh\n", &folder.path().join("bot"));
    for (words, expected) in [
        ("random random", "expected participants whose labels differ"),
        ("house=random high", "none of them \"house\""),
        ("random high --house ./bot", "expected a built-in player"),
        ("random nobody-knows", "nobody-knows"),
        ("random", "2 values required"),
    ] {
        let told = tournament(folder.path(), words).told(2);
        says(&told, expected);
    }
}

/// Whoever has changed a record decides no game by it: rounds follow each other, and their cards follow from the seed.
#[test]
fn rounds_that_do_not_follow_are_refused() {
    let (folder, file) = scratch("log.jsonl");
    let arguments = format!("{SIX} --rounds 3 --record log.jsonl");
    played(folder.path(), &arguments);
    let whole = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let refused = |lines: &[&str], expected: &str| {
        fs::write(&file, lines.join("\n") + "\n").unwrap();
        says(&tournament(folder.path(), &arguments).told(1), expected);
    };
    let again = "line 3: round 2: expected round 3 of this game";
    refused(&[lines[0], lines[1], lines[1]], again);
    refused(
        &[lines[1]],
        "line 1: round 2: expected round 1 of this game",
    );
    let record: Value = serde_json::from_str(lines[0]).unwrap();
    let seed = format!("\"seed\":{}", record["seed"]);
    let other = lines[0].replace(&seed, "\"seed\":7");
    refused(&[&other], "its deal is not the one of the seed");
}
