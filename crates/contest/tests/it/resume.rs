//! Tests of `match --resume` in all contests: wherever a record was cut, the match ends as if nothing had happened.

use super::programs::{CONTEST, Command};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A match of each contest, with built-in players whose decisions follow from the seed.
const MATCHES: [(&str, &[&str]); 5] = [
    (
        "cartagena",
        &[
            "builtin:greedy",
            "builtin:rearmost",
            "--games",
            "8",
            "--json",
        ],
    ),
    ("challenge", &["need", "doge", "--games", "8"]),
    (
        "eights",
        &[
            "high",
            "random",
            "counter",
            "random",
            "--rounds",
            "16",
            "--sitting",
            "2",
            "--json",
        ],
    ),
    (
        "hearts",
        &[
            "duck",
            "careful",
            "random",
            "--rounds",
            "12",
            "--sitting",
            "2",
            "--json",
        ],
    ),
    (
        "hearts",
        &[
            "duck",
            "careful",
            "random",
            "--rounds",
            "12",
            "--passing",
            "--json",
        ],
    ),
];

fn played(
    contest: &str,
    options: &[&str],
    path: &Path,
    more: &[&str],
) -> assert_cmd::assert::Assert {
    let mut command = Command::new(CONTEST);
    command.args([contest, "match"]).args(options);
    command.arg("--record").arg(path).args(more);
    command.assert()
}

fn told(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

/// The records of a file without their times, by id.
fn records(path: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(path).unwrap();
    let mut records = BTreeSet::new();
    for line in text.lines() {
        let mut record: Value = serde_json::from_str(line).unwrap();
        record["ms"] = Value::Null;
        for action in record["actions"].as_array_mut().into_iter().flatten() {
            action["ms"] = Value::Null;
        }
        assert!(records.insert(record.to_string()), "played twice: {record}");
    }
    records
}

/// Removes the times from a result.
fn without_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| name != "seconds" && !name.ends_with("_ms"));
            fields.values_mut().for_each(without_times);
        }
        Value::Array(values) => values.iter_mut().for_each(without_times),
        _ => {}
    }
}

/// The results that a match has printed, without its times.
fn results(assert: &assert_cmd::assert::Assert) -> String {
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    match serde_json::from_str::<Value>(&text) {
        Ok(mut value) => {
            without_times(&mut value);
            value.to_string()
        }
        // The challenge game's text has its times after the decisions.
        Err(_) => text
            .lines()
            .map(|line| line.split(" decisions").next().unwrap_or_default())
            .collect(),
    }
}

#[test]
fn a_match_that_was_cut_off_goes_on() {
    for (contest, options) in MATCHES {
        let folder = tempfile::tempdir().unwrap();
        let whole = folder.path().join("whole.jsonl");
        let once = played(contest, options, &whole, &[]).success();
        let all = fs::read(&whole).unwrap();
        let expected = records(&whole);
        let cut = folder.path().join("cut.jsonl");
        // Nothing, a part of the first line, whole lines, a part of the last line, everything.
        let ends = [
            0,
            20,
            all.len() / 3,
            all.len() / 2,
            all.len() - 1,
            all.len(),
        ];
        for end in ends {
            fs::write(&cut, &all[..end]).unwrap();
            let again = played(contest, options, &cut, &["--resume"]).success();
            assert_eq!(records(&cut), expected, "{contest}, cut at {end}");
            assert_eq!(results(&again), results(&once), "{contest}, cut at {end}");
            let lines = all[..end].iter().filter(|&&byte| byte == b'\n').count();
            let told = told(&again);
            let before = format!("{lines} of {} ", expected.len());
            assert!(told.contains(&before), "{contest}, cut at {end}: {told}");
        }
    }
}

#[test]
fn the_record_of_another_match_is_refused() {
    for (contest, options) in MATCHES {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record.jsonl");
        played(contest, options, &path, &[]).success();
        let before = fs::read(&path).unwrap();
        let refused = |more: &[&str], expected: &str| {
            let refused = played(contest, options, &path, more).code(2);
            let told = told(&refused);
            assert!(told.contains(expected), "{contest} {more:?}: {told}");
            assert_eq!(fs::read(&path).unwrap(), before);
        };
        refused(&[], "has records already");
        refused(&[], "or continue this match with --resume");
        refused(&["--resume", "--seed", "2"], "line 1");
        refused(&["--resume", "--seed", "2"], "differs from this match's");
        let other = fs::File::open(&path).unwrap();
        other.lock().unwrap();
        refused(&["--resume"], "another process uses this file");
        drop(other);
        // A game that is there twice would count twice.
        let first = before.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        fs::write(&path, [&before[..], &before[..first]].concat()).unwrap();
        let twice = played(contest, options, &path, &["--resume"]).code(2);
        assert!(
            told(&twice).contains("is recorded a second time"),
            "{}",
            told(&twice)
        );
        // Text that no record begins with is not removed.
        fs::write(&path, [&before[..], b"notes"].concat()).unwrap();
        let foreign = played(contest, options, &path, &["--resume"]).code(2);
        assert!(
            told(&foreign).contains("not the beginning of a record"),
            "{}",
            told(&foreign)
        );
    }
}

/// Anybody may have changed the file. So its games are played again, and records of another contest are refused as
/// such.
#[test]
fn a_record_that_was_changed_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.jsonl");
    let recorded = |of: usize| {
        let (contest, options) = MATCHES[of];
        let path = folder.path().join(format!("{contest}.jsonl"));
        played(contest, options, &path, &[]).success();
        fs::read_to_string(&path).unwrap()
    };
    let refused = |of: usize, text: &str, expected: &str| {
        let (contest, options) = MATCHES[of];
        fs::write(&path, text).unwrap();
        let told = told(&played(contest, options, &path, &["--resume"]).code(2));
        assert!(told.contains(expected), "{contest}: {told}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{contest}");
    };
    let changed = |text: &str, change: &dyn Fn(&mut Value)| -> String {
        let change = |line: &str| {
            let mut record: Value = serde_json::from_str(line).unwrap();
            change(&mut record);
            format!("{record}\n")
        };
        text.lines().map(change).collect()
    };
    let [cartagena, challenge, eights] = [0, 1, 2].map(recorded);
    let later = changed(&cartagena, &|record| record["version"] = 9.into());
    refused(
        0,
        &later,
        "line 1, game 1-1-1: expected contest \"cartagena\", version 1 to 2",
    );
    let swapped = changed(&cartagena, &|record| {
        record["result"]["ranks"].as_array_mut().unwrap().reverse();
    });
    refused(0, &swapped, "the result says");
    let flipped = changed(&challenge, &|record| {
        record["winner"] = (1 - record["winner"].as_u64().unwrap()).into();
    });
    refused(
        1,
        &flipped,
        "line 1, game 1: winner: the record says player",
    );
    refused(
        0,
        &eights,
        "line 1: contest \"eights\": expected \"cartagena\"",
    );
    refused(
        1,
        &eights,
        "line 1: contest \"eights\": expected \"challenge\"",
    );
    refused(
        3,
        &eights,
        "line 1: contest \"eights\": expected \"hearts\"",
    );
}
