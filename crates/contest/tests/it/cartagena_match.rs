//! Tests of `contest cartagena match`: results, records, resuming, stopping, and external programs.

use super::programs::{CONTEST, Command, until};
use arena::records::Reader;
use contest::cartagena::record::Record;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;

fn contest(args: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::new(CONTEST);
    command.args(["cartagena", "match"]).args(args).assert()
}

fn json(args: &[&str]) -> Value {
    let output = contest(args).success();
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

fn records(path: &Path) -> Vec<Record> {
    Reader::open(path)
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap()
}

/// Records without their times, which alone may differ between runs.
fn timeless(path: &Path) -> Vec<Record> {
    let mut records = records(path);
    for step in records.iter_mut().flat_map(|r| &mut r.actions) {
        step.ms = 0.0;
    }
    records
}

#[test]
fn games_and_their_order_do_not_depend_on_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one.jsonl");
    let many = folder.path().join("many.jsonl");
    for (path, jobs) in [(&one, "1"), (&many, "3")] {
        let path = path.to_str().unwrap();
        let participants = ["builtin:random", "builtin:greedy", "builtin:hoarder"];
        let options = [
            "--games", "10", "--jobs", jobs, "--record", path, "--seed", "5",
        ];
        contest(&[&participants[..], &options[..]].concat()).success();
    }
    let games = timeless(&one);
    assert_eq!(games, timeless(&many));
    assert_eq!(games.len(), 3 * 10, "three line-ups of two players");
    let ids: Vec<&str> = games.iter().map(|g| g.id.as_str()).take(3).collect();
    assert_eq!(ids, ["1-1-1", "1-1-2", "1-2-1"]);
    assert_eq!(games[0].pile, games[1].pile, "one deal a block");
    assert_eq!(games[0].players, ["random", "greedy"]);
    assert_eq!(games[1].players, ["greedy", "random"]);
    assert_ne!(games[0].board, games[2].board);
    for game in &games {
        game.replay(|_, _, _, _| ()).unwrap();
    }
}

/// A second match with the same file would count the same games twice.
#[test]
fn a_record_is_of_one_match() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let name = path.to_str().unwrap();
    let again = |options: &[&str]| {
        let arguments = [
            "builtin:greedy",
            "builtin:rearmost",
            "--games",
            "2",
            "--record",
            name,
        ];
        contest(&[&arguments, options].concat())
    };
    let refused = |expected: &str| {
        let output = again(&[]).code(2);
        let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(told.contains(expected), "{told}");
    };
    again(&[]).success();
    let text = fs::read(&path).unwrap();
    refused("has records already");
    refused("or continue this match with --resume");
    fs::write(&path, &text[..text.len() - 1]).unwrap();
    refused("has records already");
    assert_eq!(fs::read(&path).unwrap().len(), text.len() - 1);
    again(&["--resume"]).success();
    assert_eq!(records(&path).len(), 2);
    let other = fs::File::open(&path).unwrap();
    other.lock().unwrap();
    refused("another process uses this file");
    drop(other);
    // Games that were appended twice by other means count once.
    fs::write(&path, [&text[..], &text].concat()).unwrap();
    let mut report = Command::new(CONTEST);
    report.args(["cartagena", "report", name]);
    let output = report.assert().success();
    let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(
        told.contains("2 of the lines repeat a game, which counts once"),
        "{told}"
    );
    let page = fs::read_to_string(folder.path().join("games.html")).unwrap();
    assert!(page.contains("2 games") && !page.contains("4 games"));
}

/// Wherever the record was cut, a resumed match completes it as if nothing had happened.
#[test]
fn an_interrupted_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let name = path.to_str().unwrap();
    let participants = ["builtin:greedy", "builtin:rearmost", "builtin:random"];
    let run = |options: &[&str]| {
        let all = ["--games", "6", "--record", name, "--resume", "--json"];
        contest(&[&participants[..], &all[..], options].concat())
    };
    let report = |options: &[&str]| -> Value {
        let output = run(options).success();
        let mut report: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
        report["seconds"] = Value::Null;
        for line_up in report["line_ups"].as_array_mut().unwrap() {
            for row in line_up["rows"].as_array_mut().unwrap() {
                for (key, value) in row.as_object_mut().unwrap() {
                    if key.contains("ms") {
                        *value = Value::Null;
                    }
                }
            }
        }
        report
    };
    let straight = report(&[]);
    let (whole, games) = (fs::read(&path).unwrap(), timeless(&path));
    assert_eq!(games.len(), 18);
    for cut in [0, 700, whole.len() / 2, whole.len() - 1, whole.len()] {
        fs::write(&path, &whole[..cut]).unwrap();
        assert_eq!(report(&[]), straight, "cut at {cut}");
        assert_eq!(timeless(&path), games, "cut at {cut}");
    }

    for (options, what) in [
        (["--seed", "2"], "its seed differs"),
        (["--deal", "6"], "its deal or board differs"),
    ] {
        let output = run(&options).code(2);
        let message = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(
            message.contains("line 1, game 1-1-1") && message.contains(what),
            "{message}"
        );
    }
    let first = whole.iter().position(|&b| b == b'\n').unwrap() + 1;
    fs::write(&path, [&whole[..first], &whole[..first]].concat()).unwrap();
    let output = run(&[]).code(2);
    let message = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(
        message.contains("line 2: game 1-1-1 is recorded a second time"),
        "{message}"
    );
}

/// Ctrl-C ends a match after the block under way. The result covers exactly the games that were recorded.
#[test]
fn a_match_that_is_asked_to_stop_says_what_was_played() {
    const ALL: u64 = 1_000_000;
    let folder = tempfile::tempdir().unwrap();
    for json in [true, false] {
        let path = folder.path().join(format!("{json}.jsonl"));
        let mut child = Command::new(CONTEST)
            .args(["cartagena", "match", "builtin:greedy", "builtin:rearmost"])
            .args(["--games", &ALL.to_string(), "--record"])
            .arg(&path)
            .args(["--seed", "7"])
            .args(json.then_some("--json"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        until("a game is recorded", || {
            fs::metadata(&path).is_ok_and(|file| file.len() > 0)
        });
        assert!(child.try_wait().unwrap().is_none(), "it ended");
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        let games = records(&path).len() as u64;
        assert!(
            games > 0 && games < ALL && games.is_multiple_of(2),
            "{games}"
        );
        if json {
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(report["line_ups"][0]["games"], games);
        } else {
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(
                text.contains(&format!("{games} of {ALL} games in")),
                "{text}"
            );
        }
        let said = String::from_utf8(output.stderr).unwrap();
        // The seed stands in the same command.
        assert!(said.ends_with("with --resume\n"), "{said}");
    }
}

#[test]
fn the_hoarder_beats_the_other_baselines() {
    for other in ["builtin:random", "builtin:greedy", "builtin:rearmost"] {
        let report = json(&["builtin:hoarder", other, "--games", "400", "--json"]);
        let line_up = &report["line_ups"][0];
        assert_eq!(line_up["blocks"], 200);
        let share = line_up["rows"][0]["share"].as_f64().unwrap();
        assert!(share >= 0.95, "{share} against {other}");
        let shares = line_up["rows"].as_array().unwrap();
        let sum: f64 = shares.iter().map(|r| r["share"].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-9);
    }
}

/// Players that see all hands play in matches.
#[test]
fn a_cheat_plays_in_matches() {
    let cheat = "builtin:cheat,nodes=60";
    let report = json(&[cheat, "builtin:random", "--games", "6", "--json"]);
    let share = &report["line_ups"][0]["rows"][0]["share"];
    assert!(share.as_f64().unwrap() > 0.8, "{share}");
}

#[test]
fn as_many_programs_as_players_are_one_line_up() {
    let participants = [
        "builtin:hoarder",
        "builtin:greedy",
        "builtin:greedy",
        "builtin:greedy",
    ];
    let options = ["--players", "4", "--games", "10", "--deal", "6", "--json"];
    let report = json(&[&participants[..], &options[..]].concat());
    let line_ups = report["line_ups"].as_array().unwrap();
    assert_eq!(line_ups.len(), 1);
    assert_eq!(line_ups[0]["games"], 12, "whole blocks of four rotations");
    assert_eq!(line_ups[0]["rows"][0]["fair"], 0.25);
    assert_eq!(line_ups[0]["rows"][1]["seats"], 3);
    let report = json(&[
        "builtin:greedy",
        "builtin:random",
        "--players",
        "4",
        "--games",
        "1",
        "--json",
    ]);
    assert_eq!(report["line_ups"].as_array().unwrap().len(), 3);
}

#[test]
fn long_games_are_stopped_and_drawn() {
    let options = ["--games", "2", "--max-turns", "3", "--json"];
    let report = json(&[&["builtin:greedy", "builtin:hoarder"][..], &options[..]].concat());
    let line_up = &report["line_ups"][0];
    assert_eq!(line_up["stopped"], 2);
    assert_eq!(line_up["rows"][0]["share"], 0.5);
    assert_eq!(line_up["actions"], 9.0);
}

#[test]
fn a_board_can_be_fixed() {
    let folder = tempfile::tempdir().unwrap();
    let board = folder.path().join("board.txt");
    let record = folder.path().join("games.jsonl");
    fs::write(&board, "cell\nhat gun keys\nskull\nboat\n").unwrap();
    let options = [
        "--board",
        board.to_str().unwrap(),
        "--record",
        record.to_str().unwrap(),
    ];
    let participants = ["builtin:greedy", "builtin:random", "--games", "4"];
    contest(&[&participants[..], &options[..]].concat()).success();
    assert!(records(&record).iter().all(|game| game.board == "hgks"));
}

#[test]
fn the_table_names_the_programs() {
    let output = contest(&["A=builtin:greedy", "B=builtin:random", "--games", "20"]).success();
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert!(text.starts_with("A, B: 20 games in 10 blocks"), "{text}");
    assert!(text.contains("wins by seat"), "{text}");
    assert!(
        output.get_output().stderr.is_empty(),
        "no bar without a terminal"
    );
}

#[test]
fn wrong_usage_is_exit_status_2() {
    for (args, message) in [
        (
            &["builtin:greedy", "builtin:nobody"][..],
            "no built-in player \"nobody\"",
        ),
        (
            &["builtin:greedy", "greedy"],
            "the player is builtin:greedy",
        ),
        (
            &["builtin:greedy", "--players", "3"],
            "two different programs",
        ),
        (
            &["A=builtin:greedy", "A=builtin:random"],
            "two different programs have the label A",
        ),
        (
            &["builtin:greedy", "builtin:random", "--players", "7"],
            "7 is not in 2..=6",
        ),
        (
            &["builtin:greedy", "builtin:random", "--board", "/nowhere"],
            "cannot read /nowhere",
        ),
        (&["builtin:hoarder,card=x", "builtin:random"], "card=x"),
        (
            &["builtin:greedy", "builtin:random", "--games", "1000000001"],
            "1000000001 is not in 1..=1000000000",
        ),
    ] {
        let output = contest(args).code(2);
        let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(text.contains(message), "{args:?}: {text}");
        assert!(output.get_output().stdout.is_empty());
    }
}

#[test]
fn an_unwritable_record_is_exit_status_1() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no/such/folder");
    let args = [
        "builtin:greedy",
        "builtin:random",
        "--record",
        path.to_str().unwrap(),
    ];
    contest(&args).code(1);
}

#[test]
fn without_arguments_there_is_help() {
    let mut command = Command::new(CONTEST);
    let output = command.assert().code(2);
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(text.contains("Usage: contest"), "{text}");
}

/// External programs play in a match as they do in a tournament.
#[cfg(target_os = "linux")]
#[test]
fn programs_take_part() {
    let folder = tempfile::tempdir().unwrap();
    let engine = super::programs::program("runme");
    let path = |name: &str| folder.path().join(name);
    let settings = "--nodes 30 --threads 1 --support none --seed 1";
    let player = format!("#!/bin/sh\nexec '{}' {settings} $MORE\n", engine.display());
    super::programs::install(&player, &path("player/runme"));
    super::programs::install("#!/bin/sh\nexit 3\n", &path("broken/runme"));
    let record = path("games.jsonl");
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let allow = text(&engine);
    let call = |programs: &[&str], more: &[&str]| {
        let common = ["--games", "2", "--allow", &allow, "--program-time", "100"];
        contest(&[&common[..], programs, more].concat())
    };
    let (player, broken) = (text(&path("player")), text(&path("broken")));
    let report = call(
        &[&player, "builtin:random"],
        &[
            "--json",
            "--seed",
            "3",
            "--record",
            &text(&record),
            "--env",
            "player:MORE=--strict",
        ],
    );
    let report: Value = serde_json::from_slice(&report.success().get_output().stdout).unwrap();
    assert_eq!(report["line_ups"][0]["rows"][0]["label"], "player");
    assert_eq!((&report["seed"], report.get("faults")), (&3.into(), None));
    let games = records(&record);
    assert_eq!(games.len(), 2);
    assert!(
        games
            .iter()
            .all(|game| game.programs.iter().any(|p| p.len() == 16))
    );
    // A fault costs the game and is reported. The seed is printed, as it was drawn at random.
    let told = call(&[&broken, "builtin:random"], &[]).success();
    let told = String::from_utf8(told.get_output().stdout.clone()).unwrap();
    assert!(told.contains("faults of broken: 2 crash\nseed "), "{told}");
    let refused = |programs: &[&str], more: &[&str]| {
        let refused = call(programs, more).code(2);
        String::from_utf8(refused.get_output().stderr.clone()).unwrap()
    };
    let same = format!("player={broken}");
    let told = refused(&[&player, &same], &[]);
    assert!(
        told.contains("two different programs have the label player"),
        "{told}"
    );
    let told = refused(&[&player, "builtin:random"], &["--env", "random:A=1"]);
    assert!(
        told.contains("no external program is called random"),
        "{told}"
    );
    let told = refused(
        &[&path("nobody").display().to_string(), "builtin:random"],
        &[],
    );
    assert!(told.contains("no program at "), "{told}");
    let resumed = ["--resume", "--record", &text(&record)];
    let told = refused(&[&player, "builtin:random"], &resumed);
    assert!(told.contains("name the --seed that was printed"), "{told}");
}
