//! `lab cartagena strangers` and `lab cartagena exploit`

use super::programs::{lab, lab_in, says, scratch};
use cartagena::evaluation::NetworkFile;
use std::fs;

/// A call with the results of an earlier one plays only further games, and prints the same table but for times.
#[test]
fn strangers_are_played_and_results_kept() {
    let (folder, path) = scratch("results.jsonl");
    let strangers = |games: u32| {
        let player = "--player greedy --players 3 --results results.jsonl";
        let words = format!("cartagena strangers {player} --games {games}");
        lab_in(folder.path(), &words).printed()
    };
    let first = strangers(6);
    let lines: Vec<&str> = first.lines().collect();
    assert_eq!(lines[0], "greedy, 3 players, fair 33.3 %");
    for (line, name) in lines[2..].iter().zip([
        "population",
        "flat",
        "forest",
        "linear",
        "distilled",
        "mixed",
    ]) {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[..2], [name, "6"], "{line}");
    }
    assert!(
        lines[8].starts_with("mean ") && lines[8].contains(" against "),
        "{first}"
    );
    // A stored result has its times, so that the whole table is the same.
    let kept = fs::read_to_string(&path).unwrap();
    assert_eq!(kept.lines().count(), 6 * 2);
    assert_eq!(strangers(6), first);
    assert_eq!(fs::read_to_string(&path).unwrap(), kept);
    strangers(9);
    let more = fs::read_to_string(&path).unwrap();
    assert!(
        more.starts_with(&kept) && more.lines().count() == 6 * 3,
        "{more}"
    );
    // The search for weights has its own number of players.
    let message = lab("cartagena strangers --teach linear --players 3").told(2);
    says(&message, "cannot be used with '--players");
    // Nor does it take an option that it would not heed.
    let message = lab("cartagena strangers --teach distilled --games 5").told(2);
    says(&message, "--games 5: --teach distilled has no bouts");
}

/// Another network in the same folder plays its own games.
#[test]
fn results_of_another_network_are_not_used_again() {
    let (folder, path) = scratch("results.jsonl");
    let player = format!("runme,nodes=1,network={}", folder.path().display());
    let words = "--players 2 --games 2 --results results.jsonl";
    let call = format!("cartagena strangers --player {player} {words}");
    let kept = |change| {
        // Games of a trained network are short.
        let mut file = NetworkFile::embedded(2).unwrap();
        file.network.weights_mut()[0] += change;
        file.write(&folder.path().join("cartagena-2.net")).unwrap();
        lab_in(folder.path(), &call).printed();
        fs::read_to_string(&path).unwrap().lines().count()
    };
    assert_eq!([1.0, 1.0, 2.0].map(kept), [10, 10, 20]);
}

/// The responder's result follows from the seed, whatever the number of threads.
#[test]
fn a_response_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let exploit = |jobs: &str| {
        let effort = "--nodes 200 --worlds 20 --games 4 --positions 5";
        let words = format!("cartagena exploit {effort} --jobs {jobs} --results {jobs}");
        let text = lab_in(folder.path(), &words).printed();
        let lines: Vec<&str> = text.lines().collect();
        let [agreed, won, others] = lines[..] else {
            panic!("{text}");
        };
        assert!(agreed.contains("moves as the player does in "), "{text}");
        let (won, _) = won.split_once("; ").unwrap();
        assert!(won.contains(" % of 4 games, "), "{text}");
        [agreed, won, others].map(str::to_owned)
    };
    assert_eq!(exploit("1"), exploit("2"));
}

#[test]
fn numbers_of_players_and_files_are_checked() {
    for command in ["strangers", "exploit --positions 0"] {
        let players = lab(&format!("cartagena {command} --players 1..3")).told(2);
        says(&players, "expected players from 2 to 6");
        let (folder, path) = scratch("results");
        fs::write(&path, "none\n").unwrap();
        let words = format!("cartagena {command} --results results --players 2");
        says(
            &lab_in(folder.path(), &words).told(1),
            "line 1 is no block record",
        );
    }
    let unknown = lab("cartagena strangers --player nobody").told(2);
    says(&unknown, "there is no built-in player");
}
