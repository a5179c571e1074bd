//! Tests of `contest cartagena tournament`, `rate` and `merge`, and of the folder that they share: resuming,
//! shards, misbehaving programs. Also has the helpers that `cartagena_formats` uses.

use super::programs::{CONTEST, Command, command, install, until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::LazyLock;
use tempfile::TempDir;

static ENGINE: LazyLock<String> = LazyLock::new(|| command("runme", "").trim().to_owned());

/// A temporary folder for tournaments and programs.
pub(super) struct Place(TempDir);

impl Place {
    pub(super) fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Makes a program from a script; returns its folder.
    pub(super) fn script(&self, name: &str, text: &str) -> PathBuf {
        let folder = self.path(name);
        install(text, &folder.join("runme"));
        folder
    }

    /// The repository's player, set up to use no caches and to answer the same every time.
    fn player(&self, name: &str) -> PathBuf {
        let call = format!(
            "exec '{ENGINE}' --nodes 30 --threads 1 --support none --seed 1",
            ENGINE = *ENGINE
        );
        self.script(name, &format!("#!/bin/sh\n{call}\n"))
    }
}

pub(super) fn contest(command: &str, args: &[&str]) -> Command {
    let mut contest = Command::new(CONTEST);
    contest.args(["cartagena", command]).args(args);
    contest
}

/// Runs a tournament whose programs may use the repository's player. A new tournament without a named seed
/// gets seed 1.
pub(super) fn tournament(args: &[&str]) -> assert_cmd::assert::Assert {
    let mut args = [args, &["--allow", &ENGINE]].concat();
    let out = args
        .iter()
        .position(|&arg| arg == "--out")
        .map(|at| args[at + 1]);
    let is_new = out.is_some_and(|out| !Path::new(out).join("tournament.json").exists());
    if is_new && !args.iter().any(|arg| arg.starts_with("--seed")) {
        args.extend(["--seed", "1"]);
    }
    contest("tournament", &args).assert()
}

pub(super) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

pub(super) fn rated(folder: &Path) -> Value {
    let output = contest("rate", &[text(folder), "--json"])
        .assert()
        .success();
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

pub(super) fn ids(folder: &Path) -> Vec<String> {
    let games = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    games
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["id"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect()
}

pub(super) fn assert_unique(ids: &[String]) {
    let different: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(different.len(), ids.len(), "a game was played twice");
}

pub(super) const HEURISTICS: [&str; 3] = ["builtin:random", "builtin:greedy", "builtin:hoarder"];

/// A tournament that is killed at any moment and called again ends as if nothing had happened.
#[test]
fn killed_and_resumed_it_ends_the_same() {
    let place = Place::new();
    let bot = place.player("bot");
    let (whole, broken) = (place.path("whole"), place.path("broken"));
    let named = |folder: &Path| -> Vec<String> {
        let mut args: Vec<String> = vec![format!("bot={}", text(&bot))];
        args.extend(HEURISTICS[..2].iter().map(|&s| s.to_owned()));
        let options = "--players 2,3 --games 2 --seed 3 --time 100 --jobs 2 --out";
        args.extend(options.split(' ').map(str::to_owned));
        args.push(text(folder).to_owned());
        args
    };
    let run = |folder: &Path| {
        let args = named(folder);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        tournament(&args).success();
    };
    run(&whole);
    let games = ids(&whole).len();
    // With two players: three line-ups with 2 games each. With three: six line-ups of two programs with 3 games
    // each, which are a block of 3 seatings, and one line-up of all three programs with 6 games, one for each seating.
    assert_eq!(games, 3 * 2 + 6 * 3 + 6);
    for share in [4, 2] {
        let mut child = Command::new(CONTEST)
            .args(["cartagena", "tournament"])
            .args(named(&broken))
            .args(["--allow", &ENGINE])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let file = broken.join("games.jsonl");
        let enough = || fs::read(&file).is_ok_and(|t| lines(&t) >= games / share);
        until("enough games", || {
            enough() || child.try_wait().unwrap().is_some()
        });
        child.kill().unwrap();
        child.wait().unwrap();
        // A line that was cut off in the middle, as by a crash.
        let mut left = fs::read(&file).unwrap();
        left.extend_from_slice(b"{\"contest\":\"cart");
        fs::write(&file, left).unwrap();
    }
    run(&broken);
    let played = ids(&broken);
    assert_unique(&played);
    assert_eq!(played.len(), games);
    assert_eq!(rated(&broken), rated(&whole));
    // Called once more, it finds nothing left to play.
    run(&broken);
    assert_eq!(ids(&broken), played);
}

fn lines(text: &[u8]) -> usize {
    text.iter().filter(|&&b| b == b'\n').count()
}

/// A forged winner in a record is found by replaying the game.
#[test]
fn results_cannot_be_made_up() {
    let place = Place::new();
    let honest = place.path("honest");
    let args = [&HEURISTICS[..2], &["--games", "4", "--out", text(&honest)]].concat();
    tournament(&args).success();
    let file = honest.join("games.jsonl");
    let games = fs::read_to_string(&file).unwrap();
    let flipped = |line: &str| {
        let mut game: Value = serde_json::from_str(line).unwrap();
        let result = &mut game["result"];
        result["winner"] = (3 - result["winner"].as_u64().unwrap()).into();
        result["ranks"].as_array_mut().unwrap().reverse();
        game.to_string()
    };
    let third = |make: &dyn Fn(&str) -> String| -> String {
        let lines = games.lines().enumerate();
        let lines = lines.map(|(i, line)| if i == 2 { make(line) } else { line.to_owned() });
        lines.map(|line| line + "\n").collect()
    };
    // The game after its first action, as if it had been drawn or given up there.
    let cut = |line: &str, result: Value, resigned: Value| {
        let mut game: Value = serde_json::from_str(line).unwrap();
        game["actions"].as_array_mut().unwrap().truncate(1);
        (game["result"], game["resigned"]) = (result, resigned);
        game.to_string()
    };
    let drawn = json!({"winner": null, "ranks": [1.5, 1.5], "turns": 1, "actions": 1});
    let given_up = json!({"winner": 2, "ranks": [2, 1], "turns": 1, "actions": 1});
    for (forged, why) in [
        (third(&flipped), "the result says"),
        (
            third(&|line| line.replacen("\"from\":0,\"to\":", "\"from\":0,\"to\":1", 1)),
            "action",
        ),
        (
            third(&|line| cut(line, drawn.clone(), Value::Null)),
            "it ends after 1 turn: expected a winner, or 500 turns",
        ),
        (
            third(&|line| cut(line, given_up.clone(), json!(1))),
            "a player resigned, which no tournament allows",
        ),
    ] {
        fs::write(&file, forged).unwrap();
        let merged = place.path("merged");
        for args in [
            vec!["rate", text(&honest)],
            vec!["merge", text(&honest), "--out", text(&merged)],
            vec!["tournament", "--games", "6", "--out", text(&honest)],
        ] {
            let told = message(&contest(args[0], &args[1..]).assert().failure());
            assert!(
                told.contains("games.jsonl, line 3, game 2p1.") && told.contains(why),
                "{args:?} {told}"
            );
        }
        assert!(!merged.exists());
    }
}

#[test]
fn shards_played_apart_are_merged_to_the_whole() {
    let place = Place::new();
    let whole = place.path("whole");
    let options = ["--players", "2,4", "--games", "10", "--seed", "9"];
    let played = |folder: &Path, more: &[&str]| {
        let args = [&HEURISTICS[..], &options, &["--out", text(folder)], more].concat();
        tournament(&args).success();
    };
    played(&whole, &[]);
    let parts: Vec<PathBuf> = (1..=3).map(|i| place.path(&format!("part{i}"))).collect();
    for (part, shard) in parts.iter().zip(["1/3", "2/3", "3/3"]) {
        played(part, &["--shard", shard]);
    }
    let merged = place.path("merged");
    let mut args: Vec<&str> = parts.iter().map(|p| text(p)).collect();
    args.extend(["--out", text(&merged)]);
    contest("merge", &args).assert().success();
    assert_eq!(rated(&merged), rated(&whole));
    let mut all = ids(&whole);
    all.sort_unstable();
    let mut joined = ids(&merged);
    assert_unique(&joined);
    joined.sort_unstable();
    assert_eq!(joined, all);
    // Merging does not overwrite existing games.
    let again = contest("merge", &args).assert().code(2);
    assert!(message(&again).contains("has games already"));
    let other = place.path("other");
    let args = [
        &HEURISTICS[..],
        &["--seed", "8", "--games", "2", "--out", text(&other)],
    ]
    .concat();
    tournament(&args).success();
    let mixed = place.path("mixed");
    let args = [text(&parts[0]), text(&other), "--out", text(&mixed)];
    let refused = contest("merge", &args).assert().code(2);
    assert!(
        message(&refused).contains("belong to different tournaments"),
        "{}",
        message(&refused)
    );
    assert!(!mixed.exists(), "nothing half made");
}

pub(super) fn message(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

#[test]
fn programs_join_later_and_settings_stay() {
    let place = Place::new();
    let folder = place.path("t");
    let out = ["--out", text(&folder)];
    tournament(
        &[
            &HEURISTICS[..2],
            &["--games", "4", "--anchor", "greedy=100"],
            &out,
        ]
        .concat(),
    )
    .success();
    assert_eq!(ids(&folder).len(), 4);
    tournament(&[&HEURISTICS[2..], &out].concat()).success();
    let played = ids(&folder);
    assert_eq!(played.len(), 12);
    assert_unique(&played);
    for (args, said) in [
        (vec!["--deal", "6"], "deal 3, not 6"),
        (vec!["--seed", "5"], "seed 1, not 5"),
        (
            vec!["random=builtin:greedy"],
            "random is builtin:random, not builtin:greedy",
        ),
        (vec!["builtin:nobody"], "there is no built-in player"),
        (vec!["/no/such/bot"], "/no/such/bot"),
        (vec!["--shard", "1/2"], "shard 1/1, not 1/2"),
    ] {
        let refused = tournament(&[&args[..], &out].concat()).code(2);
        assert!(message(&refused).contains(said), "{}", message(&refused));
    }
    assert_eq!(ids(&folder), played);
    let csv = contest("rate", &[text(&folder), "--csv"])
        .assert()
        .success();
    let csv = String::from_utf8(csv.get_output().stdout.clone()).unwrap();
    assert_eq!(csv.lines().count(), 4, "{csv}");
    contest("rate", &[text(&folder), "--players", "5"])
        .assert()
        .code(2);
    contest("rate", &[text(&place.path("nowhere"))])
        .assert()
        .code(2);
}

/// A call for fewer games than were played is refused: it would be another tournament, and needs another
/// folder.
#[test]
fn fewer_games_than_were_played_are_refused() {
    let place = Place::new();
    let folder = place.path("t");
    let again = |games: &str| {
        let args = ["--games", games, "--out", text(&folder)];
        tournament(&[&HEURISTICS[..2], &args].concat())
    };
    again("6").success();
    let (played, standings) = (ids(&folder), rated(&folder));
    let settings = fs::read_to_string(folder.join("tournament.json")).unwrap();
    for games in ["2", "4"] {
        let told = message(&again(games).code(2));
        let expected =
            format!("has 6 games of a line-up, more than the {games} of this tournament");
        assert!(told.contains(&expected), "{told}");
        let new = "contest cartagena tournament PROGRAM PROGRAM --games N --out NEW-FOLDER";
        assert!(told.contains(new), "{told}");
        assert_eq!(
            fs::read_to_string(folder.join("tournament.json")).unwrap(),
            settings
        );
    }
    assert_eq!((ids(&folder), rated(&folder)), (played, standings));
    // 5 games are 6 in whole blocks of two, so the tournament is the same; with 8 it goes on.
    again("5").success();
    again("8").success();
    assert_eq!(ids(&folder).len(), 8);
    // If somebody lowers the number in the file, `rate` and `report` refuse instead of rating only some of
    // the games.
    let lowered = settings.replace("\"games\": 6", "\"games\": 2");
    assert_ne!(lowered, settings);
    fs::write(folder.join("tournament.json"), lowered).unwrap();
    for command in ["rate", "report"] {
        let told = message(&contest(command, &[text(&folder)]).assert().code(2));
        assert!(
            told.contains("has 8 games of a line-up"),
            "{command}: {told}"
        );
    }
}

#[test]
fn a_program_that_changed_is_not_let_in_as_the_same() {
    let place = Place::new();
    let bot = place.player("bot");
    let folder = place.path("t");
    let out = ["--games", "2", "--time", "100", "--out", text(&folder)];
    tournament(&[&[text(&bot), "builtin:random"], &out[..]].concat()).success();
    fs::write(bot.join("weights"), "new").unwrap();
    let refused = tournament(&["--games", "4", "--out", text(&folder)]).code(2);
    assert!(
        message(&refused).contains("bot has changed"),
        "{}",
        message(&refused)
    );
}

/// A change in a program's folder while it plays does not affect the copy that plays.
#[test]
fn a_program_plays_on_as_it_was_when_it_began() {
    let place = Place::new();
    let (count, home) = (place.path("count"), place.path("bot"));
    // From its fifth call on the program damages its original.
    let script = format!(
        "#!/bin/sh\necho >> '{count}'\n\
         [ $(wc -l < '{count}') -lt 5 ] || echo 'exit 9' > '{home}/helper'\n. ./helper\n\
         exec '{ENGINE}' --nodes 30 --threads 1 --support none --seed 1\n",
        count = text(&count),
        home = text(&home),
        ENGINE = *ENGINE,
    );
    let bot = place.script("bot", &script);
    fs::write(bot.join("helper"), ":\n").unwrap();
    let folder = place.path("t");
    let options = [
        "--games",
        "2",
        "--time",
        "100",
        "--jobs",
        "1",
        "--isolate",
        "none",
        "--out",
        text(&folder),
    ];
    tournament(&[&[text(&bot), "builtin:random"], &options[..]].concat()).success();
    assert_eq!(
        fs::read_to_string(bot.join("helper")).unwrap(),
        "exit 9\n",
        "the original was spoilt"
    );
    assert!(rated(&folder)["faults"].as_object().unwrap().is_empty());
}

/// Each program is charged with its own misbehaviour, and the tournament goes on.
#[test]
fn misbehaviour_is_counted_and_the_tournament_goes_on() {
    let place = Place::new();
    let programs = [
        ("illegal", "#!/bin/sh\ncat >/dev/null\necho 1 0 36 hat\n"),
        (
            "chatty",
            "#!/bin/sh\ncat >/dev/null\necho hello\necho world\n",
        ),
        ("crashing", "#!/bin/sh\nexit 3\n"),
        ("huge", "#!/bin/sh\nyes | head -c 20000000\n"),
        (
            "staying",
            "#!/bin/sh\ncat >/dev/null\nsleep 1000 &\necho 1 0 1\n",
        ),
    ];
    let folder = place.path("t");
    let bots: Vec<PathBuf> = programs.map(|(name, text)| place.script(name, text)).into();
    let mut args: Vec<&str> = bots.iter().map(|p| text(p)).collect();
    args.extend([
        "builtin:random",
        "--games",
        "2",
        "--time",
        "100",
        "--out",
        text(&folder),
    ]);
    let played = tournament(&args).success();
    let told = message(&played);
    let is_root = rustix::process::geteuid().is_root();
    let warnings = told.matches("you are root: ").count();
    assert_eq!(warnings, usize::from(is_root), "{told}");
    let rated = rated(&folder);
    assert_eq!(rated["games"], 2 * 15);
    let kinds = [
        ("illegal", "illegal"),
        ("chatty", "malformed"),
        ("crashing", "crash"),
        ("huge", "malformed"),
        ("staying", "lingering"),
    ];
    for (label, kind) in kinds {
        let faults = &rated["faults"][label];
        assert!(faults[kind].as_u64().unwrap() > 0, "{label}: {faults}");
        assert_eq!(faults.as_object().unwrap().len(), 1, "{label}: {faults}");
    }
    assert!(rated["faults"].get("random").is_none());
    // The input of the failed call can be printed, and the game says how the call failed.
    let got = contest("input", &[text(&folder), "1", "--fault", "1"])
        .assert()
        .success();
    let got = String::from_utf8(got.get_output().stdout.clone()).unwrap();
    assert!(got.starts_with("2\ncell\n"), "{got}");
    let told = contest("replay", &[text(&folder), "1"]).assert().success();
    let told = String::from_utf8(told.get_output().stdout.clone()).unwrap();
    assert!(told.contains("; out of the game"), "{told}");
    let rows = rated["overall"]["rows"].as_array().unwrap();
    assert_eq!(rows[0]["label"], "random");
    let games = folder.join("games.jsonl");
    let shown = contest("replay", &[text(&games), "2p1.2-1-1"])
        .assert()
        .success();
    let shown = String::from_utf8(shown.get_output().stdout.clone()).unwrap();
    assert!(shown.contains("\n     1  player 1 illegal: "), "{shown}");
}

/// If random actions replace faulty ones, a program that never answers still plays whole games.
#[test]
fn a_random_action_can_stand_in_for_a_fault() {
    let place = Place::new();
    let mute = place.script("mute", "#!/bin/sh\nexit 1\n");
    let folder = place.path("t");
    let args = [
        "builtin:greedy",
        "--games",
        "2",
        "--faults",
        "random",
        "--max-turns",
        "30",
    ];
    tournament(
        &[
            &[text(&mute)],
            &args[..],
            &["--time", "100", "--out", text(&folder)],
        ]
        .concat(),
    )
    .success();
    let games = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    for line in games.lines() {
        let record: contest::cartagena::record::Record = serde_json::from_str(line).unwrap();
        record.replay(|_, _, _, _| ()).unwrap();
        assert!(record.faults.iter().all(|fault| !fault.forfeit));
        assert!(record.result.turns >= 20);
    }
}

#[test]
fn a_comparison_stops_as_soon_as_it_is_decided() {
    let place = Place::new();
    let folder = place.path("t");
    let args = [
        "builtin:hoarder",
        "builtin:random",
        "--games",
        "2000",
        "--sprt",
        "0,50",
        "--seed",
        "1",
    ];
    let decided =
        tournament(&[&args[..], &["--jobs", "1", "--out", text(&folder)]].concat()).success();
    let said = message(&decided);
    assert!(said.contains("H1"), "{said}");
    let games = ids(&folder).len();
    assert!((4..400).contains(&games), "{games}");
    let three = [
        "builtin:greedy",
        "--sprt",
        "0,50",
        "--seed",
        "1",
        "--out",
        text(&folder),
    ];
    let refused = tournament(&three).code(2);
    assert!(message(&refused).contains("compares two programs"));
}

#[test]
fn nobody_else_can_play_the_same_tournament() {
    let place = Place::new();
    let folder = place.path("t");
    fs::create_dir(&folder).unwrap();
    let file = fs::File::create(folder.join("games.jsonl")).unwrap();
    file.lock().unwrap();
    let args = ["builtin:greedy", "builtin:random", "--out", text(&folder)];
    let refused = tournament(&args).code(2);
    assert!(
        message(&refused).contains("another process is playing"),
        "{}",
        message(&refused)
    );
    drop(file);
    tournament(&[&args[..], &["--games", "2"]].concat()).success();
}

/// If a game cannot be written, the tournament ends with an error, and no part of the game stays in the file.
#[test]
fn a_full_disk_is_an_error_and_leaves_whole_lines() {
    let place = Place::new();
    let folder = place.path("t");
    // A limit on the size of files stands in for a full disk.
    let limited = |blocks: u32| {
        let call = format!(
            "ulimit -f {blocks}; exec '{CONTEST}' cartagena tournament builtin:greedy builtin:random --games 50 \
             --jobs 1 --out '{}'",
            text(&folder)
        );
        Command::new("sh").args(["-c", &call]).assert()
    };
    // Not even the settings can be written, and nothing of them is left.
    let failed = limited(0).code(2);
    assert!(
        message(&failed).contains("tournament.json: "),
        "{}",
        message(&failed)
    );
    let left = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    assert_eq!(left.collect::<Vec<_>>(), ["games.jsonl"]);
    let failed = limited(100).code(1);
    assert!(
        message(&failed).contains("games.jsonl: "),
        "{}",
        message(&failed)
    );
    let left = fs::read(folder.join("games.jsonl")).unwrap();
    assert!(left.ends_with(b"\n"));
    let before = ids(&folder);
    assert!((1..50).contains(&before.len()), "{}", before.len());
    tournament(&["--out", text(&folder)]).success();
    let played = ids(&folder);
    assert_eq!(played.len(), 50);
    assert_eq!(played[..before.len()], before);
}

#[test]
fn a_dry_run_plays_nothing() {
    let place = Place::new();
    let folder = place.path("t");
    let args = [
        "builtin:greedy",
        "builtin:random",
        "--games",
        "50",
        "--dry-run",
    ];
    let told = tournament(&[&args[..], &["--out", text(&folder)]].concat()).success();
    assert!(
        message(&told).contains("50 games to play"),
        "{}",
        message(&told)
    );
    assert!(!folder.exists());
    // A dry run does not fix the settings of what is played later.
    let other = ["builtin:greedy", "builtin:random", "--seed", "5"];
    tournament(&[&other[..], &["--games", "2", "--out", text(&folder)]].concat()).success();
}

/// A tournament that is refused is not begun, and leaves no folder.
#[test]
fn a_refused_command_leaves_nothing() {
    let place = Place::new();
    let folder = place.path("t");
    for (programs, options, expected) in [
        (
            2,
            &["--anchor", "nobody"][..],
            "--anchor nobody: the programs are",
        ),
        (
            3,
            &["--sprt", "0,10", "--seed", "1"],
            "--sprt compares two programs",
        ),
        (2, &["--sprt", "0,10", "--alpha", "0.7"], "0.7"),
    ] {
        let args = [&HEURISTICS[..programs], options, &["--games", "2"]].concat();
        let refused = tournament(&[&args[..], &["--out", text(&folder)]].concat()).code(2);
        let told = message(&refused);
        assert!(told.contains(expected), "{told}");
        assert!(!folder.exists(), "{options:?}");
    }
}

/// A line that is in the file twice counts once, for ratings and for reports.
#[test]
fn a_repeated_game_counts_once() {
    let place = Place::new();
    let folder = place.path("t");
    let args = [&HEURISTICS[..2], &["--games", "4", "--out", text(&folder)]].concat();
    tournament(&args).success();
    let before = rated(&folder);
    let file = folder.join("games.jsonl");
    let games = fs::read_to_string(&file).unwrap();
    let first = games.lines().next().unwrap();
    fs::write(&file, format!("{games}{first}\n")).unwrap();
    assert_eq!(rated(&folder), before);
    for command in ["rate", "report"] {
        let told = message(&contest(command, &[text(&folder)]).assert().success());
        let count = told
            .matches("1 of the lines repeat a game, which counts once")
            .count();
        assert_eq!(count, 1, "{command}: {told}");
    }
}

/// A program's notes in `support` do not make it a new version. It writes only into copies.
#[test]
fn a_program_that_writes_into_its_support_is_gone_on_with() {
    let place = Place::new();
    let call = format!(
        "exec '{ENGINE}' --nodes 30 --threads 1 --support none --seed 1",
        ENGINE = *ENGINE
    );
    let bot = place.script(
        "bot",
        &format!("#!/bin/sh\necho called >>support/log\n{call}\n"),
    );
    fs::create_dir(bot.join("support")).unwrap();
    let folder = place.path("t");
    let out = ["--time", "100", "--out", text(&folder)];
    tournament(&[&[text(&bot), "builtin:random", "--games", "2"], &out[..]].concat()).success();
    assert!(!bot.join("support/log").exists());
    tournament(&[&["--games", "4"], &out[..]].concat()).success();
    assert_eq!(ids(&folder).len(), 4);
}

/// A program may build itself before its clock runs. Its fingerprint is that of the finished build. What it builds is
/// executable afterwards, though a confined program cannot make it so.
#[test]
fn a_program_builds_itself_before_it_plays() {
    let place = Place::new();
    let call = format!(
        "exec '{ENGINE}' --nodes 30 --threads 1 --support none --seed 1",
        ENGINE = *ENGINE
    );
    // The build works in the original's folder only, not in a copy. Its first step makes the program of the second.
    let bot = place.script(
        "made",
        "#!/bin/sh
         build() { [ -e make ] || cp make.txt make; chmod +x make; ./make; }
         case $PWD in */made) [ -e built ] || build;; esac
         exec ./built\n",
    );
    let second = "#!/bin/sh\ncp call.txt built\nchmod +x built\n";
    fs::write(bot.join("make.txt"), second).unwrap();
    fs::write(bot.join("call.txt"), format!("#!/bin/sh\n{call}\n")).unwrap();
    let folder = place.path("t");
    let out = ["--time", "100", "--out", text(&folder)];
    let told = tournament(&[&[text(&bot), "builtin:random", "--games", "2"], &out[..]].concat());
    let told = message(&told.success());
    assert!(told.contains("made does not answer yet"), "{told}");
    let told = message(&tournament(&[&["--games", "4"], &out[..]].concat()).success());
    assert!(!told.contains("made does not answer yet"), "{told}");
    assert_eq!(rated(&folder)["faults"], serde_json::json!({}));
}

/// The line at the end of a stopped tournament is a command, with all options that its folder does not keep.
#[test]
fn a_stopped_tournament_says_how_to_go_on() {
    let place = Place::new();
    let folder = place.path("a cup");
    let kept = "--seed 1 --isolate none --sprt=-1,1 --alpha 0.001 --beta 0.05 --retries 2 --anchor a=5 --then";
    let mut child = Command::new(CONTEST)
        .args([
            "cartagena",
            "tournament",
            "a=builtin:greedy",
            "b=builtin:greedy",
        ])
        .args(["--games", "1000000", "--out", text(&folder)])
        .args(kept.split(' '))
        .arg("echo it's over")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until("a game is recorded", || {
        fs::metadata(folder.join("games.jsonl")).is_ok_and(|file| file.len() > 0)
    });
    assert!(child.try_wait().unwrap().is_none(), "it ended");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let said = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    let (folder, kept) = (text(&folder), kept.replace("--seed 1 ", ""));
    let kept = kept.replace("sprt=", "sprt ").replace("a=5", "'a=5'");
    let next = format!("contest cartagena tournament --out '{folder}' {kept} \"echo it's over\"\n");
    assert!(said.ends_with(&format!("to go on: {next}")), "{said}");
}

/// A command at the end gets the folder in its environment, whatever the folder is called.
#[test]
fn a_command_follows_the_end() {
    let place = Place::new();
    let folder = place.path("it's a $cup; \"x\"");
    let then = "cp \"$CONTEST_FOLDER/games.jsonl\" \"$CONTEST_FOLDER/$CONTEST_ENDING\"";
    let out = ["--out", text(&folder), "--then"];
    let args = [&HEURISTICS[..2], &["--games", "4"], &out, &[then]].concat();
    tournament(&args).success();
    let games = fs::read(folder.join("games.jsonl")).unwrap();
    assert_eq!(fs::read(folder.join("complete")).unwrap(), games);
    // Once more without a game to play: the tournament has ended, and the command may not have been run.
    fs::remove_file(folder.join("complete")).unwrap();
    tournament(&[&out[..], &[then]].concat()).success();
    assert_eq!(fs::read(folder.join("complete")).unwrap(), games);
    let failed = tournament(&[&out[..], &["exit 3"]].concat()).code(1);
    let told = message(&failed);
    assert!(
        told.contains("the command of --then ended with exit status: 3: exit 3"),
        "{told}"
    );
    let test = [
        "--games", "2000", "--sprt", "0,50", "--seed", "1", "--jobs", "1",
    ];
    let folder = place.path("sprt");
    let out = ["--out", text(&folder), "--then", then];
    tournament(&[&["builtin:hoarder", "builtin:random"], &test[..], &out].concat()).success();
    assert!(folder.join("decided").exists());
}
