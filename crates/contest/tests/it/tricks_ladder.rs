//! Tests of `ladder` for the trick-taking games, of the player that sees all hands, and of the moons that a
//! match counts.

use super::programs::{command, contest, contest_in, says, scratch};

use contest::tricks::record::Record;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The JSON that a command prints, without times.
fn printed(folder: &Path, words: &str) -> Value {
    let printed = contest_in(folder, words).arg("--json").printed();
    let mut result: Value = serde_json::from_str(&printed).unwrap();
    for player in result["players"].as_array_mut().unwrap() {
        for time in ["mean_ms", "longest_ms"] {
            player.as_object_mut().unwrap().remove(time);
        }
    }
    result
}

fn records(folder: &Path) -> Vec<Record> {
    super::programs::records(&folder.join("rounds.jsonl"))
}

const LADDER: &str = "hearts ladder careful duck cheat --limit nodes=20 --deals 3 --sitting 2 --inferred 0 \
                      --record rounds.jsonl";

#[test]
fn a_ladder_goes_on_where_it_stopped() {
    let (folder, file) = scratch("rounds.jsonl");
    let result = printed(folder.path(), LADDER);
    let all = records(folder.path());
    assert_eq!(all.len(), 3 * 3 * 6);

    // The record is cut after some rounds and a part of the next.
    let text = fs::read(&file).unwrap();
    let ends: Vec<usize> = (0..text.len()).filter(|&at| text[at] == b'\n').collect();
    fs::write(&file, &text[..ends[20] + 40]).unwrap();
    let jobs = format!("{LADDER} --jobs 2");
    assert_eq!(printed(folder.path(), &jobs), result);
    let played = |records: &[Record]| -> BTreeSet<(Vec<String>, String, Vec<String>)> {
        let of = |it: &Record| (it.players.clone(), it.id.clone(), it.cards.clone());
        records.iter().map(of).collect()
    };
    let again = records(folder.path());
    assert_eq!((again.len(), played(&again)), (all.len(), played(&all)));

    // Nothing is left to play.
    let text = fs::read(&file).unwrap();
    assert_eq!(printed(folder.path(), LADDER), result);
    assert_eq!(fs::read(&file).unwrap(), text);

    // A further player joins, and the others do not play again.
    let grown = printed(folder.path(), &format!("{LADDER} --with low-first"));
    assert_eq!(grown["players"].as_array().unwrap().len(), 4);
    assert_eq!(records(folder.path()).len(), 6 * 3 * 6);
    assert!(fs::read(&file).unwrap().starts_with(&text));
    let find = |result: &Value| {
        let pairs = result["pairs"].as_array().unwrap();
        let pair = pairs.iter().find(|pair| pair["players"][1] == "duck");
        pair.unwrap().clone()
    };
    assert_eq!(find(&grown), find(&result));
}

/// Each pair of players plays the same deals in all arrangements, and the printed results follow from the
/// recorded points.
#[test]
fn a_ladder_is_of_duplicate_deals() {
    for seats in ["3", "4"] {
        let folder = tempfile::tempdir().unwrap();
        let words = format!("hearts ladder careful duck --deals 2 --seats {seats} --inferred 0");
        let result = printed(folder.path(), &format!("{words} --record rounds.jsonl"));
        let records = records(folder.path());
        let mut deals: BTreeMap<&[String], BTreeSet<&[String]>> = BTreeMap::new();
        let mut points = [0.0, 0.0];
        let mut sat = [0.0, 0.0];
        for record in &records {
            let arrangements = deals.entry(&record.hands).or_default();
            arrangements.insert(&record.players);
            for (player, &made) in record.players.iter().zip(&record.points) {
                let side = usize::from(player == "duck");
                points[side] += f64::from(made);
                sat[side] += 1.0;
            }
        }
        assert_eq!(deals.len(), 2);
        assert!(deals.values().all(|arrangements| arrangements.len() == 6));
        assert_eq!(sat[0], sat[1]);
        let lead = points[1] / sat[1] - points[0] / sat[0];
        let found = result["pairs"][0]["lead"].as_f64().unwrap();
        assert!((found - lead).abs() < 1e-9, "{found} for {lead}");
        let best = usize::from(lead < 0.0);
        assert_eq!(result["players"][0]["player"], ["careful", "duck"][best]);
        assert_eq!(result["players"][0]["cards_error"], Value::Null);
        // Half of the seats win games against the other half; with three seats the shares would mean nothing.
        let first = &result["pairs"][0]["games"];
        if seats == "3" {
            assert_eq!(*first, json!({}));
            continue;
        }
        for goal in ["100", "300"] {
            let won = |games: &Value| games[goal]["share"].as_f64().unwrap();
            let places = [0, 1].map(|place| won(&result["players"][place]["games"]));
            assert!((places[0] + places[1] - 1.0).abs() < 1e-9, "{places:?}");
            assert_eq!(won(first), places[best], "{result}");
            assert!(places[0] > 0.5, "{result}");
        }
    }
}

/// A ladder is printed as a table of points; one of its players is an external program.
#[test]
fn a_ladder_is_printed() {
    let text = contest("eights ladder counter search --with")
        .arg(format!("me={}", command("eights", "--nodes 1")))
        .words("--limit nodes=30 --deals 1 --inferred 0 --isolate none")
        .printed();
    let heading: Vec<&str> = text.lines().next().unwrap().split_whitespace().collect();
    let columns = "player to 100 ± to 300 ± lead ± points time faults cards ± agreed";
    assert_eq!(heading.join(" "), columns);
    for player in ["counter", "search,nodes=30", "me"] {
        let count = text.matches(&format!("  {player} ")).count();
        assert_eq!(count, 1, "{text}");
    }
    assert!(!text.contains("moons"), "{text}");
}

/// For a policy that the beliefs can model, the ladder reports that its cards are inferred, and its choices
/// predicted more often than by chance.
#[test]
fn a_ladder_says_what_is_foretold() {
    let folder = tempfile::tempdir().unwrap();
    let result = printed(folder.path(), "eights ladder counter high --deals 1");
    let counter = &result["players"][0];
    assert_eq!(counter["player"], "counter");
    assert!(counter["cards"].as_f64().unwrap() < 0.0, "{counter}");
    assert!(counter["cards_error"].as_f64().is_some(), "{counter}");
    assert!(counter["agreed"].as_f64().unwrap() > 0.2, "{counter}");
}

#[test]
fn ladders_that_cannot_be_played_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |words: &str, expected: &str| {
        let told = contest_in(folder.path(), words).told(2);
        assert!(told.contains(expected), "{words}: {told}");
    };
    let labels = "contest: expected two players or more whose labels differ, not duck, duck\n";
    refused("hearts ladder duck duck", labels);
    refused(
        "eights ladder --seats 3",
        "contest: expected 4 seats, not 3\n",
    );
    refused(
        "eights ladder --limit speed=3",
        "expected nodes=N or time=SECONDS",
    );
    // The rounds of another contest stay as they are.
    let file = folder.path().join("rounds.jsonl");
    for (of, players, other) in [
        (
            "eights",
            "random random random random",
            "hearts ladder careful duck",
        ),
        (
            "hearts",
            "random random random",
            "eights knockout a=random b=random",
        ),
    ] {
        let words = format!("{of} match {players} --rounds 1 --record rounds.jsonl");
        contest_in(folder.path(), &words).printed();
        let before = fs::read(&file).unwrap();
        let (game, _) = other.split_once(' ').unwrap();
        let expected = format!("rounds.jsonl: line 1: contest {of:?}: expected {game:?}");
        refused(&format!("{other} --record rounds.jsonl"), &expected);
        assert_eq!(fs::read(&file).unwrap(), before);
        fs::remove_file(&file).unwrap();
    }
}

/// The player that sees all hands beats the others, and can play in matches and ladders only.
#[test]
fn a_cheat_sits_at_matches_alone() {
    let folder = tempfile::tempdir().unwrap();
    for (game, policy) in [("hearts", "careful"), ("eights", "counter")] {
        let words = "cheat,nodes=60 search,blind,nodes=20 --deals 16 --inferred 0";
        let result = printed(folder.path(), &format!("{game} ladder {words}"));
        assert_eq!(result["players"][0]["player"], "cheat,nodes=60", "{result}");
        let games = contest(&format!("{game} games cheat,nodes=5 {policy}")).told(2);
        says(&games, "there is no built-in player \"cheat\"");
        let table = format!("play --program {game}:me=cheat --port 0");
        assert_eq!(
            contest(&table).told(2),
            "contest: me sees all hands: it plays only in matches\n"
        );
    }
}

/// A match of Hearts counts moons.
#[test]
fn a_match_counts_moons() {
    let folder = tempfile::tempdir().unwrap();
    let line_up = "hearts match random random careful careful";
    let words = format!("{line_up} --rounds 600 --record rounds.jsonl");
    let result = printed(folder.path(), &words);
    let all_but_one = |record: &&Record| {
        let points = record.points.iter();
        points.filter(|&&points| points == 26).count() == 3
    };
    let moons = records(folder.path()).iter().filter(all_but_one).count() as u64;
    assert!(moons > 0, "no moons in 600 rounds");
    let sum = |what: &str| -> u64 {
        let rows = result["players"].as_array().unwrap().iter();
        rows.map(|row| row["moons"][what].as_u64().unwrap()).sum()
    };
    let sums = ["shot", "against", "rounds"].map(sum);
    assert_eq!(sums, [moons, 3 * moons, 2400]);
    // Each game has one winner, and the leads over the others cancel.
    let total = |pointer: &str| -> f64 {
        let rows = result["players"].as_array().unwrap().iter();
        rows.map(|row| row.pointer(pointer).unwrap().as_f64().unwrap())
            .sum()
    };
    for goal in ["100", "300"] {
        assert!((total(&format!("/games/{goal}/share")) - 1.0).abs() < 1e-6);
        assert!(total(&format!("/games/{goal}/error")) > 0.0);
    }
    assert!(total("/lead").abs() < 1e-6 && total("/lead_error") > 0.0);

    let text = contest(&format!("{line_up} --rounds 8")).printed();
    says(&text, "moons");
    says(&text, " %");
    says(&text, "to 100");
    says(&text, "share of games to 100");
    let none = printed(folder.path(), "eights match high high high high --rounds 4");
    assert_eq!(none["players"][0].get("moons"), None);
}
