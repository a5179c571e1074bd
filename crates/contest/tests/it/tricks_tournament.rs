//! Tests of `contest eights tournament` and `contest hearts tournament`: what `cartagena_tournament` tests for one
//! contest, where a game of the trick-taking games differs.

use super::programs::{Command, contest, contest_in, says, scratch, until, write_script};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// A tournament in a folder; `words` are its players and options, separated by blanks.
fn tournament(game: &str, words: &str, folder: &Path) -> Command {
    contest(&format!("{game} tournament --out {} {words}", text(folder)))
}

fn rated(game: &str, folder: &Path) -> Value {
    let printed = contest_in(folder, &format!("{game} rate . --json")).printed();
    serde_json::from_str(&printed).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The games of a folder by their ids, without their times.
fn games(folder: &Path) -> BTreeSet<String> {
    let file = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    let mut games = BTreeSet::new();
    for line in file.lines() {
        let mut game: Value = serde_json::from_str(line).unwrap();
        for round in game["rounds"].as_array_mut().unwrap() {
            round["ms"] = Value::Null;
        }
        assert!(
            games.insert(game.to_string()),
            "played twice: {}",
            game["id"]
        );
    }
    games
}

/// A tournament that is killed ten times and called again each time ends as one that was left alone.
#[test]
fn killed_ten_times_it_ends_as_one_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let (whole, broken) = (place.path().join("whole"), place.path().join("broken"));
    let call = |folder: &Path| {
        let words = "search,nodes=30 duck careful --players 3,4 --games 2 --game-rounds 3 --seed 3 --jobs 2";
        tournament("hearts", words, folder)
    };
    call(&whole).printed();
    let all = games(&whole);
    // Three players: six line-ups of two programs in blocks of 3 games, one of all three in a block of 6. Four players:
    // three line-ups of each two programs, and three of all three, in blocks of 4 games.
    assert_eq!(all.len(), 6 * 3 + 6 + 3 * (4 + 4 + 4) + 3 * 4);
    for kill in 1..=10 {
        let mut child = call(&broken)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let file = broken.join("games.jsonl");
        let lines = |text: &[u8]| text.iter().filter(|&&byte| byte == b'\n').count();
        let enough = || fs::read(&file).is_ok_and(|text| lines(&text) >= kill * all.len() / 12);
        until("enough games", || {
            enough() || child.try_wait().unwrap().is_some()
        });
        child.kill().unwrap();
        child.wait().unwrap();
        // The file may end in the middle of a game, as after a crash of the machine.
        let mut left = fs::read(&file).unwrap();
        left.truncate(left.len() - left.len() / 20);
        fs::write(&file, left).unwrap();
    }
    call(&broken).printed();
    assert_eq!(games(&broken), all);
    assert_eq!(rated("hearts", &broken), rated("hearts", &whole));
    // Called once more, it finds nothing left to play.
    let before = fs::read(broken.join("games.jsonl")).unwrap();
    call(&broken).printed();
    assert_eq!(fs::read(broken.join("games.jsonl")).unwrap(), before);
}

/// Shards that were played apart are joined to the whole; settings are kept, and what contradicts them is refused.
#[test]
fn a_tournament_of_eights_is_played_in_parts() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    let play = |name: &str, more: &str| {
        let words = format!("high counter me=random --games 4 --game-rounds 2 --seed 9 {more}");
        tournament("eights", &words, &path(name)).printed()
    };
    says(&play("whole", ""), "me");
    play("one", "--shard 1/2");
    play("two", "--shard 2/2");
    contest_in(place.path(), "eights merge one two --out merged").printed();
    let merged = path("merged");
    assert_eq!(games(&merged), games(&path("whole")));
    assert_eq!(rated("eights", &merged), rated("eights", &path("whole")));
    let refused = |more: &str, expected: &str| {
        let told = tournament("eights", more, &merged).told(2);
        assert!(told.contains(expected), "{more}: {told}");
    };
    refused("--game-rounds 3", "rounds a game 2, not 3");
    refused("--players 3", "players 3: expected 4");
    refused("me=high", "me is builtin:random, not builtin:high");
    refused("nobody", "there is no built-in player");
    refused(
        "--patience 9",
        "--patience: Tricky Eights has programs that stay",
    );
    refused("--pin", "--pin: Tricky Eights has programs that stay");
    // The help offers only what there is to choose.
    for (game, offered) in [
        ("eights", [false, false]),
        ("hearts", [true, false]),
        ("cartagena", [true, true]),
    ] {
        let help = contest(&format!("{game} tournament --help")).printed();
        let found = ["--players", "--pin"].map(|option| help.contains(&format!("      {option}")));
        assert_eq!(found, offered, "{game}");
        assert_eq!(help.contains("      --patience"), offered[1], "{game}");
    }
    // Other contests do not read its folder, and say so rather than which fields they miss.
    for game in ["hearts", "cartagena"] {
        let other = contest_in(&merged, &format!("{game} rate .")).told(2);
        says(&other, format!("expected contest \"{game}\""));
    }
}

/// It sees all hands.
#[test]
fn a_cheat_is_refused() {
    let (_place, folder) = scratch("t");
    let said = tournament("eights", "cheat,nodes=20 counter --games 1", &folder).told(2);
    says(
        &said,
        "it sees all hands, and plays in matches and ladders only",
    );
    assert!(!folder.exists());
}

/// A forged result is found by replaying the rounds.
#[test]
fn results_cannot_be_made_up() {
    let (_place, folder) = scratch("t");
    let words = "duck random --games 1 --game-rounds 1 --seed 1";
    tournament("hearts", words, &folder).printed();
    let file = folder.join("games.jsonl");
    let honest = fs::read_to_string(&file).unwrap();
    let forged = |change: &dyn Fn(&mut Value)| {
        let mut lines: Vec<String> = honest.lines().map(str::to_owned).collect();
        let mut game: Value = serde_json::from_str(&lines[1]).unwrap();
        change(&mut game);
        lines[1] = game.to_string();
        fs::write(&file, lines.join("\n") + "\n").unwrap();
        contest_in(&folder, "hearts rate .").told(2)
    };
    let said = forged(&|game| game["ranks"].as_array_mut().unwrap().reverse());
    says(&said, "line 2, game 4p");
    says(&said, "but the rounds come to");
    let said = forged(&|game| {
        game["rounds"][0]["points"]
            .as_array_mut()
            .unwrap()
            .reverse()
    });
    says(&said, "round 1: points");
    let said = forged(&|game| game["rounds"] = Value::Array(Vec::new()));
    says(&said, "it is not over after 0 rounds");
}

/// Whoever forfeits a game is last in it, and each program has its own time.
#[test]
fn a_program_that_fails_comes_last() {
    let (place, mute) = scratch("mute");
    // It reads all that it is told, and keeps its output open.
    write_script(&mute, "while read -r line; do :; done");
    let mute = format!("mute={}", text(&mute));
    let folder = place.path().join("t");
    let words = format!(
        "{mute} high --games 1 --game-rounds 1 --time 100 --time-of mute=0.01 --isolate none"
    );
    tournament("eights", &words, &folder).printed();
    let settings = fs::read(folder.join("tournament.json")).unwrap();
    let settings: Value = serde_json::from_slice(&settings).unwrap();
    assert_eq!(settings["programs"][0]["seconds"], 0.01);
    assert_eq!(settings["programs"][1].get("seconds"), None);
    let standings = rated("eights", &folder);
    assert_eq!(standings["overall"]["rows"][0]["label"], "high");
    assert!(
        standings["faults"]["mute"]["timeout"].as_u64().unwrap() > 0,
        "{standings}"
    );
    let file = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    for line in file.lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        let players = game["players"].as_array().unwrap().iter();
        let ranks = game["ranks"].as_array().unwrap();
        let rank = |label: &str| {
            let seats = players
                .clone()
                .zip(ranks)
                .filter(|(player, _)| *player == label);
            seats
                .map(|(_, rank)| rank.as_f64().unwrap())
                .collect::<Vec<_>>()
        };
        for mute in rank("mute") {
            assert!(rank("high").iter().all(|&high| high < mute), "{line}");
        }
    }
    // Another time is another program.
    let words = format!("{mute} --time-of mute=1");
    let refused = tournament("eights", &words, &folder).told(2);
    says(&refused, "with 0.01 s a decision");
}

/// Pairs meet in rounds, each program on half of the seats, and a sequential test stops a comparison.
#[test]
fn pairs_are_compared() {
    let (place, folder) = scratch("swiss");
    let words = "duck random careful --format swiss --rounds 2 --game-rounds 1 --seed 1";
    tournament("hearts", words, &folder).printed();
    let standings = rated("hearts", &folder);
    // A round has one meeting, of a block of four games.
    assert_eq!(
        (&standings["games"], &standings["of"]),
        (&8.into(), &8.into())
    );
    assert_eq!(standings["swiss"].as_array().unwrap().len(), 3);
    contest_in(&folder, "hearts report .").printed();
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(
        page.contains("Hearts of 4 players: "),
        "not of its 3 programs"
    );
    assert!(page.contains("games won</th>"), "the points");
    for game in games(&folder) {
        let game: Value = serde_json::from_str(&game).unwrap();
        let players = game["players"].as_array().unwrap();
        let of_first = players.iter().filter(|&player| *player == players[0]);
        let of_first = of_first.count();
        assert_eq!(of_first, 2, "{game}");
    }
    let folder = place.path().join("sprt");
    let words = "duck random --sprt 0,100 --alpha 0.2 --beta 0.2 --game-rounds 1 --jobs 1 --seed 1";
    let decided = tournament("hearts", words, &folder).told(0);
    says(&decided, "of -1.39 to 1.39: H1");
}

/// Reports and replays read the rounds of a tournament's games.
#[test]
fn rounds_are_reported_and_replayed() {
    let (_place, folder) = scratch("t");
    let words = "duck random --games 1 --game-rounds 2 --live";
    tournament("hearts", words, &folder).printed();
    let page = fs::read_to_string(folder.join("live.html")).unwrap();
    says(&page, "2 rounds");
    contest_in(&folder, "hearts report .").printed();
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    says(&page, ">Ratings</h2>");
    let id = "4p1.1.1.2-1.2-1";
    let round = contest_in(&folder, &format!("hearts replay . {id}")).printed();
    let start = format!("Hearts round {id}, seed ");
    assert!(round.starts_with(&start), "{round}");
}

/// The page of the games under way shows each decision while a game waits for the next one.
#[test]
fn games_are_watched_while_they_are_played() {
    let place = tempfile::tempdir().unwrap();
    let (bot, go, folder) = (
        place.path().join("bot"),
        place.path().join("go"),
        place.path().join("t"),
    );
    // It ends at once when it is started for the question before the tournament, and waits in games.
    let script = format!(
        "mkdir '{asked}' 2>/dev/null && exit\nuntil [ -e '{go}' ]; do sleep 0.1; done",
        asked = text(&place.path().join("asked")),
        go = text(&go)
    );
    write_script(&bot, &script);
    let bot = format!("bot={}", text(&bot));
    let words = format!(
        "high {bot} --games 1 --game-rounds 1 --time 1000 --jobs 1 --seed 1 --isolate none --live"
    );
    let mut child = tournament("eights", &words, &folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let page = || fs::read_to_string(folder.join("live-games.html")).unwrap_or_default();
    until("a card on the page", || {
        page().contains("<li>1 high: ") || child.try_wait().unwrap().is_some()
    });
    let shown = page();
    says(&shown, "1 game under way");
    says(&shown, "high, high, high, bot");
    fs::write(&go, "").unwrap();
    assert!(child.wait().unwrap().success());
    says(&page(), "0 games under way");
    let standings = fs::read_to_string(folder.join("live.html")).unwrap();
    assert!(!standings.contains("live-games.html"), "{standings}");
}
