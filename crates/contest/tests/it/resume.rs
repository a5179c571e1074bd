//! Tests of `match --resume` in all contests: wherever a record was cut, the match ends as if nothing had happened.

use super::programs::{Command, contest, says, scratch, write_script};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A match of each contest, with built-in players whose decisions follow from the seed.
const MATCHES: [&str; 5] = [
    "cartagena match builtin:greedy builtin:rearmost builtin:random --games 6 --json",
    "challenge match need doge --games 8",
    "eights match high random counter random --rounds 16 --sitting 2 --json",
    "hearts match duck careful random --rounds 12 --sitting 2 --json",
    "hearts match duck careful random --rounds 12 --passing --json",
];

/// The match, with its record in this file.
fn played(line: &str, path: &Path, more: &str) -> Command {
    let mut command = contest(line);
    command.arg("--record").arg(path).words(more);
    command
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
fn results(printed: &str) -> String {
    match serde_json::from_str::<Value>(printed) {
        Ok(mut value) => {
            without_times(&mut value);
            value.to_string()
        }
        // The challenge game's text has its times after the decisions.
        Err(_) => printed
            .lines()
            .map(|line| line.split(" decisions").next().unwrap_or_default())
            .collect(),
    }
}

#[test]
fn a_match_that_was_cut_off_goes_on() {
    for line in MATCHES {
        let (folder, whole) = scratch("whole.jsonl");
        let once = results(&played(line, &whole, "").printed());
        let all = fs::read(&whole).unwrap();
        let expected = records(&whole);
        let cut = folder.path().join("cut.jsonl");
        // Nothing, a part of the first line, whole lines, a part of the last line, everything.
        let last = all.len() - 1;
        for end in [0, 20, all.len() / 3, all.len() / 2, last, all.len()] {
            fs::write(&cut, &all[..end]).unwrap();
            let [again, told] = played(line, &cut, "--resume").said(0);
            assert_eq!(records(&cut), expected, "{line}, cut at {end}");
            assert_eq!(results(&again), once, "{line}, cut at {end}");
            let lines = all[..end].iter().filter(|&&byte| byte == b'\n').count();
            let before = format!("{lines} of {} ", expected.len());
            assert!(told.contains(&before), "{line}, cut at {end}: {told}");
        }
    }
}

/// A second match with the same file would count the same games twice, and so would a game that is there twice.
#[test]
fn the_record_of_another_match_is_refused() {
    for line in MATCHES {
        let (folder, path) = scratch("record.jsonl");
        played(line, &path, "").printed();
        let before = fs::read(&path).unwrap();
        let refused = |more: &str, expected: &str| {
            let text = fs::read(&path).unwrap();
            let told = played(line, &path, more).told(2);
            assert!(told.contains(expected), "{line} {more}: {told}");
            assert_eq!(fs::read(&path).unwrap(), text, "{line} {more}");
        };
        refused("", "has records already");
        refused("", "or continue this match with --resume");
        refused("--resume --seed 2", "line 1");
        // The challenge game's records have no seed, but each seed has other cards.
        let other = match line.starts_with("challenge") {
            true => "its deal is not the one of the seed",
            false => "its seed is ",
        };
        refused("--resume --seed 2", other);
        if line.starts_with("cartagena") {
            refused(
                "--resume --deal 6",
                "line 1, game 1-1-1: its deal or board is not the one of the seed and these settings",
            );
        }
        let other = fs::File::open(&path).unwrap();
        other.lock().unwrap();
        refused("--resume", "another process uses this file");
        drop(other);
        let first = before.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for (text, more, expected) in [
            (&before[..before.len() - 1], "", "has records already"),
            (
                &[&before[..first], &before[..first]].concat(),
                "--resume",
                "line 2",
            ),
            (
                &[&before[..], &before[..first]].concat(),
                "--resume",
                "is recorded a second time",
            ),
            // Text that no record begins with is not removed.
            (
                &[&before[..], b"notes"].concat(),
                "--resume",
                "not the beginning of a record",
            ),
        ] {
            fs::write(&path, text).unwrap();
            refused(more, expected);
        }
        if line.starts_with("cartagena") {
            // It would count as a draw.
            let mut game: Value = serde_json::from_slice(&before[..first]).unwrap();
            game["actions"].as_array_mut().unwrap().truncate(1);
            game["result"] = json!({"winner": null, "ranks": [1.5, 1.5], "turns": 1, "actions": 1});
            fs::write(&path, format!("{game}\n")).unwrap();
            refused("--resume", "it ends after 1 turn: expected a winner");
        }
        // Games that were appended twice by other means count once.
        let (game, _) = line.split_once(' ').unwrap();
        if game != "challenge" {
            fs::write(&path, before.repeat(2)).unwrap();
            let told = contest(game).arg("report").arg(&path).told(0);
            let games = before.iter().filter(|&&byte| byte == b'\n').count();
            let first = games + 1;
            says(&told, format!("record.jsonl: lines {first}"));
            says(&told, "repeat games, which count once");
            let page = fs::read_to_string(folder.path().join("record.html")).unwrap();
            let kind = if game == "cartagena" {
                "games"
            } else {
                "rounds"
            };
            let has = |count: usize| page.contains(&format!("{count} {kind}"));
            assert!(has(games) && !has(2 * games), "{line}");
        }
    }
}

/// Anybody may have changed the file. So its games are played again, and records of another contest are refused as
/// such.
#[test]
fn a_record_that_was_changed_is_refused() {
    let (folder, path) = scratch("record.jsonl");
    let recorded = |of: usize| {
        let path = folder.path().join(format!("{of}.jsonl"));
        played(MATCHES[of], &path, "").printed();
        fs::read_to_string(&path).unwrap()
    };
    let refused = |of: usize, text: &str, expected: &str| {
        fs::write(&path, text).unwrap();
        let told = played(MATCHES[of], &path, "--resume").told(2);
        assert!(told.contains(expected), "{of}: {told}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{of}");
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
    for (of, contest) in [(0, "cartagena"), (1, "challenge"), (3, "hearts")] {
        let expected = format!("line 1: contest \"eights\": expected \"{contest}\"");
        refused(of, &eights, &expected);
    }
}

/// A program fails in a round that the record has from before: the first round that is played now has its fault, since
/// random cards are played in it.
#[test]
fn a_fault_in_a_round_that_is_there_counts() {
    let (place, bot) = scratch("bot");
    write_script(&bot, "exit 1");
    let (whole, cut) = (place.path().join("whole"), place.path().join("cut"));
    let line = format!(
        "eights match bot={} counter counter counter --rounds 12 --sitting 3 --seed 3",
        bot.display()
    );
    played(&line, &whole, "").said(0);
    let record = fs::read_to_string(&whole).unwrap();
    // The first two rounds of the first seating, in which the program had not failed.
    let kept = record.lines().filter_map(|line| {
        let mut round: Value = serde_json::from_str(line).unwrap();
        round.as_object_mut().unwrap().remove("faults");
        let is_kept = ["1-1", "2-1"].contains(&round["id"].as_str().unwrap());
        is_kept.then(|| format!("{round}\n"))
    });
    fs::write(&cut, kept.collect::<String>()).unwrap();
    played(&line, &cut, "--resume").said(0);
    let record = fs::read_to_string(&cut).unwrap();
    let failed = record.lines().filter_map(|line| {
        let round: Value = serde_json::from_str(line).unwrap();
        round.get("faults")?;
        Some(round["id"].as_str()?.to_owned())
    });
    assert_eq!(failed.collect::<Vec<_>>(), ["3-1", "1-2", "1-3", "1-4"]);
}
