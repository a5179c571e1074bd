//! Tests of `contest cartagena match`: results, records, resuming, stopping, and external programs.

use super::programs::{Command, contest, records, says, scratch, until};

use contest::cartagena::record::Record;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::process::Stdio;

/// A match of Cartagena.
fn matched(words: &str) -> Command {
    let mut command = contest("cartagena match");
    command.words(words);
    command
}

fn json(words: &str) -> Value {
    serde_json::from_str(&matched(words).arg("--json").printed()).unwrap()
}

#[test]
fn games_and_their_order_do_not_depend_on_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let games = |jobs: &str| {
        let mut play = matched("builtin:random builtin:greedy builtin:hoarder --games 10 --seed 5");
        let path = folder.path().join(jobs);
        play.args(["--jobs", jobs, "--record"]).arg(&path).printed();
        // Only the times may differ between runs.
        let mut records: Vec<Record> = records(&path);
        for step in records.iter_mut().flat_map(|r| &mut r.actions) {
            step.ms = 0.0;
        }
        records
    };
    let many = games("3");
    let games = games("1");
    assert_eq!(games, many);
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

/// Ctrl-C ends a match after the block under way. The result covers exactly the games that were recorded.
#[test]
fn a_match_that_is_asked_to_stop_says_what_was_played() {
    const ALL: u64 = 1_000_000;
    let folder = tempfile::tempdir().unwrap();
    for json in [true, false] {
        let path = folder.path().join(format!("{json}.jsonl"));
        let words = format!("builtin:greedy builtin:rearmost --games {ALL} --seed 7 --record");
        let mut child = matched(&words)
            .arg(&path)
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
        let games = records::<Record>(&path).len() as u64;
        assert!(
            games > 0 && games < ALL && games.is_multiple_of(2),
            "{games}"
        );
        if json {
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(report["line_ups"][0]["games"], games);
        } else {
            let text = String::from_utf8(output.stdout).unwrap();
            says(&text, format!("{games} of {ALL} games in"));
        }
        let said = String::from_utf8(output.stderr).unwrap();
        // The seed stands in the same command.
        assert!(said.ends_with("with --resume\n"), "{said}");
    }
}

#[test]
fn the_hoarder_beats_the_other_baselines() {
    for other in ["random", "greedy", "rearmost"] {
        let report = json(&format!("builtin:hoarder builtin:{other} --games 400"));
        let line_up = &report["line_ups"][0];
        assert_eq!(line_up["blocks"], 200);
        let rows = line_up["rows"].as_array().unwrap();
        let shares: Vec<f64> = rows
            .iter()
            .map(|row| row["share"].as_f64().unwrap())
            .collect();
        assert!(shares[0] >= 0.95, "{shares:?} against {other}");
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

/// Players that see all hands play in matches.
#[test]
fn a_cheat_plays_in_matches() {
    let report = json("builtin:cheat,nodes=60 builtin:random --games 6");
    let share = &report["line_ups"][0]["rows"][0]["share"];
    assert!(share.as_f64().unwrap() > 0.8, "{share}");
}

#[test]
fn as_many_programs_as_players_are_one_line_up() {
    let programs = "builtin:hoarder builtin:greedy builtin:greedy builtin:greedy";
    let report = json(&format!("{programs} --players 4 --games 10 --deal 6"));
    let line_ups = report["line_ups"].as_array().unwrap();
    assert_eq!(line_ups.len(), 1);
    assert_eq!(line_ups[0]["games"], 12, "whole blocks of four rotations");
    assert_eq!(line_ups[0]["rows"][0]["fair"], 0.25);
    assert_eq!(line_ups[0]["rows"][1]["seats"], 3);
    let report = json("builtin:greedy builtin:random --players 4 --games 1");
    assert_eq!(report["line_ups"].as_array().unwrap().len(), 3);
}

#[test]
fn long_games_are_stopped_and_drawn() {
    let report = json("builtin:greedy builtin:hoarder --games 2 --max-turns 3");
    let line_up = &report["line_ups"][0];
    assert_eq!(line_up["stopped"], 2);
    assert_eq!(line_up["rows"][0]["share"], 0.5);
    assert_eq!(line_up["actions"], 9.0);
}

#[test]
fn a_board_can_be_fixed() {
    let (folder, board) = scratch("board.txt");
    fs::write(board, "cell\nhat gun keys\nskull\nboat\n").unwrap();
    matched("builtin:greedy builtin:random --games 4 --board board.txt --record games.jsonl")
        .current_dir(folder.path())
        .printed();
    let games: Vec<Record> = records(&folder.path().join("games.jsonl"));
    assert!(games.iter().all(|game| game.board == "hgks"));
}

#[test]
fn the_table_names_the_programs() {
    let [text, errors] = matched("A=builtin:greedy B=builtin:random --games 20").said(0);
    assert!(text.starts_with("A, B: 20 games in 10 blocks"), "{text}");
    says(&text, "wins by seat");
    assert_eq!(errors, "", "no bar without a terminal");
}

#[test]
fn wrong_usage_is_exit_status_2() {
    for (words, message) in [
        (
            "builtin:greedy builtin:nobody",
            "no built-in player \"nobody\"",
        ),
        ("builtin:greedy greedy", "the player is builtin:greedy"),
        ("builtin:greedy --players 3", "two different programs"),
        (
            "A=builtin:greedy A=builtin:random",
            "two different programs have the label A",
        ),
        (
            "A=builtin:runme,nodes=20 A=builtin:runme,time=0.05",
            "two different programs have the label A",
        ),
        (
            "builtin:greedy builtin:random --players 7",
            "7 is not in 2..=6",
        ),
        (
            "builtin:greedy builtin:random --board /nowhere",
            "cannot read /nowhere",
        ),
        ("builtin:hoarder,card=x builtin:random", "card=x"),
        (
            "builtin:greedy builtin:random --games 1000000001",
            "1000000001 is not in 1..=1000000000",
        ),
    ] {
        let [printed, told] = matched(words).said(2);
        assert!(told.contains(message), "{words}: {told}");
        assert_eq!(printed, "");
    }
    let told = contest("").told(2);
    says(&told, "Usage: contest");
}

#[test]
fn an_unwritable_record_is_exit_status_1() {
    let folder = tempfile::tempdir().unwrap();
    matched("builtin:greedy builtin:random --record no/such/folder")
        .current_dir(folder.path())
        .told(1);
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
    let allow = engine.to_str().unwrap();
    let call = |words: &str, status: i32| {
        let mut call = matched("--games 2 --program-time 100 --allow");
        call.arg(allow).words(words).current_dir(folder.path());
        call.said(status)
    };
    let of = "--json --seed 3 --record games.jsonl --env player:MORE=--strict";
    let [report, _] = call(&format!("./player builtin:random {of}"), 0);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["line_ups"][0]["rows"][0]["label"], "player");
    assert_eq!((&report["seed"], report.get("faults")), (&3.into(), None));
    let games: Vec<Record> = records(&path("games.jsonl"));
    assert_eq!(games.len(), 2);
    assert!(
        games
            .iter()
            .all(|game| game.programs.iter().any(|p| p.len() == 16))
    );
    // Of another version of a program the games say nothing.
    super::programs::install(format!("{player}# 2\n"), &path("player/runme"));
    let [_, told] = call(&format!("./player builtin:random {of} --resume"), 2);
    assert!(
        told.contains("the program of player has changed since (fingerprint "),
        "{told}"
    );
    // A fault costs the game and is reported. The seed is printed, as it was drawn at random.
    let [told, _] = call("./broken builtin:random", 0);
    says(&told, "faults of broken: 2 crash\nseed ");
    for (words, expected) in [
        (
            "./player player=./broken",
            "two different programs have the label player",
        ),
        (
            "./player builtin:random --env random:A=1",
            "no external program is called random",
        ),
        ("./nobody builtin:random", "no program at "),
        (
            "./player builtin:random --resume --record games.jsonl",
            "name the --seed that was printed",
        ),
    ] {
        let [_, told] = call(words, 2);
        assert!(told.contains(expected), "{words}: {told}");
    }
}
