//! Tests of `contest cartagena tournament`, `rate` and `merge`, and of the folder that they share: resuming,
//! shards, misbehaving programs. Also has the helpers that `cartagena_formats` uses.

use super::programs::{CONTEST, Command, command, contest, install, says, until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::LazyLock;
use tempfile::TempDir;

static ENGINE: LazyLock<String> = LazyLock::new(|| command("runme", "").trim().to_owned());

/// A call of the repository's player that uses no caches and answers the same every time.
static CALL: LazyLock<String> = LazyLock::new(|| {
    format!(
        "exec '{}' --nodes 30 --threads 1 --support none --seed 1",
        *ENGINE
    )
});

pub(super) const HEURISTICS: &str = "builtin:random builtin:greedy builtin:hoarder";
pub(super) const TWO: &str = "builtin:random builtin:greedy";

/// A temporary folder for tournaments and programs. Commands run in it.
pub(super) struct Place(TempDir);

impl Place {
    pub(super) fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Makes a program from the lines of a script; returns its folder.
    pub(super) fn script(&self, name: &str, text: &str) -> PathBuf {
        let folder = self.path(name);
        install(format!("#!/bin/sh\n{text}\n"), &folder.join("runme"));
        folder
    }

    /// A command of Cartagena, whose arguments blanks separate.
    pub(super) fn contest(&self, words: &str) -> Command {
        let mut command = contest("cartagena");
        command.words(words).current_dir(self.0.path());
        command
    }

    /// A tournament whose programs may use the repository's player. A new tournament without a named seed
    /// gets seed 1.
    pub(super) fn tournament(&self, words: &str) -> Command {
        let mut command = self.contest("tournament");
        command.words(words).args(["--allow", &*ENGINE]);
        let (_, out) = words.split_once("--out ").unwrap();
        let (out, _) = out.split_once(' ').unwrap_or((out, ""));
        if !self.path(out).join("tournament.json").exists() && !words.contains("--seed") {
            command.args(["--seed", "1"]);
        }
        command
    }

    /// Plays such a tournament; returns what it prints.
    pub(super) fn played(&self, words: &str) -> String {
        self.tournament(words).printed()
    }

    pub(super) fn rated(&self, name: &str) -> Value {
        let rated = self.contest(&format!("rate {name} --json")).printed();
        serde_json::from_str(&rated).unwrap()
    }

    /// The ids of a tournament's games, which differ.
    pub(super) fn ids(&self, name: &str) -> Vec<String> {
        let games = fs::read_to_string(self.path(name).join("games.jsonl")).unwrap();
        let id = |line: &str| {
            let game: Value = serde_json::from_str(line).unwrap();
            game["id"].as_str().unwrap().to_owned()
        };
        let ids: Vec<String> = games.lines().map(id).collect();
        let different: BTreeSet<&String> = ids.iter().collect();
        assert_eq!(different.len(), ids.len(), "a game was played twice");
        ids
    }
}

/// A forged winner in a record is found by replaying the game.
#[test]
fn results_cannot_be_made_up() {
    let place = Place::new();
    place.played(&format!("{TWO} --games 4 --out t"));
    let file = place.path("t/games.jsonl");
    let games = fs::read_to_string(&file).unwrap();
    place.played(&format!("{TWO} --games 4 --seed 7 --out foreign"));
    let foreign = fs::read_to_string(place.path("foreign/games.jsonl")).unwrap();
    let other = foreign.lines().nth(2).unwrap();
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
            "a player resigned, which no match allows",
        ),
        // A game of the same id that was dealt otherwise.
        (third(&|_| other.to_owned()), "its seed is "),
        (
            third(&|line| line.replace("\"greedy\"", "\"other\"")),
            "its line-up is ",
        ),
    ] {
        fs::write(&file, forged).unwrap();
        for words in [
            "rate t",
            "merge t --out merged",
            "tournament --games 6 --out t",
        ] {
            let told = place.contest(words).told(2);
            assert!(
                told.contains("games.jsonl, line 3, game 2p1.") && told.contains(why),
                "{words} {told}"
            );
        }
        assert!(!place.path("merged").exists());
    }
}

#[test]
fn shards_played_apart_are_merged_to_the_whole() {
    let place = Place::new();
    let played = |words: &str| {
        let words = format!("{HEURISTICS} --players 2,4 --games 10 --seed 9 --out {words}");
        place.played(&words);
    };
    played("whole");
    for shard in 1..=3 {
        played(&format!("part{shard} --shard {shard}/3"));
    }
    let merge = "merge part1 part2 part3 --out merged";
    place.contest(merge).printed();
    assert_eq!(place.rated("merged"), place.rated("whole"));
    let [joined, all] = ["merged", "whole"].map(|name| {
        let mut ids = place.ids(name);
        ids.sort_unstable();
        ids
    });
    assert_eq!(joined, all);
    // Merging does not overwrite existing games.
    let again = place.contest(merge).told(2);
    says(&again, "has games already");
    place.played(&format!("{HEURISTICS} --seed 8 --games 2 --out other"));
    let refused = place.contest("merge part1 other --out mixed").told(2);
    says(&refused, "belong to different tournaments");
    assert!(!place.path("mixed").exists(), "nothing half made");
}

#[test]
fn programs_join_later_and_settings_stay() {
    let place = Place::new();
    place.played(&format!("{TWO} --games 4 --anchor greedy=100 --out t"));
    assert_eq!(place.ids("t").len(), 4);
    place.played("builtin:hoarder --out t");
    let played = place.ids("t");
    assert_eq!(played.len(), 12);
    for (words, said) in [
        ("--deal 6", "deal 3, not 6"),
        ("--seed 5", "seed 1, not 5"),
        (
            "random=builtin:greedy",
            "random is builtin:random, not builtin:greedy",
        ),
        ("builtin:nobody", "there is no built-in player"),
        ("/no/such/bot", "/no/such/bot"),
        ("--shard 1/2", "shard 1/1, not 1/2"),
    ] {
        let refused = place.tournament(&format!("{words} --out t")).told(2);
        says(&refused, said);
    }
    assert_eq!(place.ids("t"), played);
    let csv = place.contest("rate t --csv").printed();
    assert_eq!(csv.lines().count(), 4, "{csv}");
    place.contest("rate t --players 5").told(2);
    place.contest("rate nowhere").told(2);
}

/// A call for fewer games than were played is refused: it would be another tournament, and needs another
/// folder.
#[test]
fn fewer_games_than_were_played_are_refused() {
    let place = Place::new();
    let again = |games: &str| place.tournament(&format!("{TWO} --games {games} --out t"));
    again("6").printed();
    let (played, standings) = (place.ids("t"), place.rated("t"));
    let file = place.path("t/tournament.json");
    let settings = fs::read_to_string(&file).unwrap();
    for games in ["2", "4"] {
        let told = again(games).told(2);
        let expected =
            format!("has 6 games of a line-up, more than the {games} of this tournament");
        says(&told, &expected);
        says(
            &told,
            "contest cartagena tournament PROGRAM PROGRAM --games N --out NEW-FOLDER",
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), settings);
    }
    assert_eq!((place.ids("t"), place.rated("t")), (played, standings));
    // 5 games are 6 in whole blocks of two, so the tournament is the same; with 8 it goes on.
    again("5").printed();
    again("8").printed();
    assert_eq!(place.ids("t").len(), 8);
    // If somebody lowers the number in the file, `rate` and `report` refuse instead of rating only some of
    // the games.
    let lowered = settings.replace("\"games\": 6", "\"games\": 2");
    assert_ne!(lowered, settings);
    fs::write(file, lowered).unwrap();
    for command in ["rate t", "report t"] {
        let told = place.contest(command).told(2);
        assert!(
            told.contains("has 8 games of a line-up"),
            "{command}: {told}"
        );
    }
}

#[test]
fn a_program_that_changed_is_not_let_in_as_the_same() {
    let place = Place::new();
    let bot = place.script("bot", &CALL);
    place.played("./bot builtin:random --games 2 --time 100 --out t");
    fs::write(bot.join("weights"), "new").unwrap();
    let refused = place.tournament("--games 4 --out t").told(2);
    says(&refused, "bot has changed");
}

/// A change in a program's folder while it plays does not affect the copy that plays.
#[test]
fn a_program_plays_on_as_it_was_when_it_began() {
    let place = Place::new();
    let (count, home) = (place.path("count"), place.path("bot"));
    // From its fifth call on the program damages its original.
    let script = format!(
        "echo >> '{count}'\n\
         [ $(wc -l < '{count}') -lt 5 ] || echo 'exit 9' > '{home}/helper'\n. ./helper\n{call}",
        count = count.display(),
        home = home.display(),
        call = *CALL,
    );
    let bot = place.script("bot", &script);
    fs::write(bot.join("helper"), ":\n").unwrap();
    let options = "--games 2 --time 100 --jobs 1 --isolate none --out t";
    place.played(&format!("./bot builtin:random {options}"));
    let helper = fs::read_to_string(bot.join("helper")).unwrap();
    assert_eq!(helper, "exit 9\n", "the original was spoilt");
    assert_eq!(place.rated("t")["faults"], json!({}));
}

/// Each program is charged with its own misbehaviour, and the tournament goes on.
#[test]
fn misbehaviour_is_counted_and_the_tournament_goes_on() {
    let place = Place::new();
    for (name, text) in [
        ("illegal", "cat >/dev/null\necho 1 0 36 hat"),
        ("chatty", "cat >/dev/null\necho hello\necho world"),
        ("crashing", "exit 3"),
        ("huge", "yes | head -c 20000000"),
        ("staying", "cat >/dev/null\nsleep 1000 &\necho 1 0 1"),
    ] {
        place.script(name, text);
    }
    let programs = "./illegal ./chatty ./crashing ./huge ./staying builtin:random";
    let words = format!("{programs} --games 2 --time 100 --out t");
    let told = place.tournament(&words).told(0);
    let is_root = rustix::process::geteuid().is_root();
    let warnings = told.matches("you are root: ").count();
    assert_eq!(warnings, usize::from(is_root), "{told}");
    let rated = place.rated("t");
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
    let got = place.contest("input t 1 --fault 1").printed();
    assert!(got.starts_with("2\ncell\n"), "{got}");
    let told = place.contest("replay t 1").printed();
    says(&told, "; out of the game");
    let rows = rated["overall"]["rows"].as_array().unwrap();
    assert_eq!(rows[0]["label"], "random");
    let shown = place.contest("replay t/games.jsonl 2p1.2-1-1").printed();
    says(&shown, "\n     1  player 1 illegal: ");
    let words = "replay t/games.jsonl 2p1.2-1-1 --move 1";
    says(&place.contest(words).told(2), "the game has no actions: ");
}

/// If random actions replace faulty ones, a program that never answers still plays whole games.
#[test]
fn a_random_action_can_stand_in_for_a_fault() {
    let place = Place::new();
    place.script("mute", "exit 1");
    let options = "--games 2 --faults random --max-turns 30 --time 100";
    place.played(&format!("./mute builtin:greedy {options} --out t"));
    let games = fs::read_to_string(place.path("t/games.jsonl")).unwrap();
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
    let test = "--games 2000 --sprt 0,50 --seed 1 --jobs 1 --out t --then";
    let mut decided = place.contest(&format!("tournament builtin:hoarder builtin:random {test}"));
    let said = decided
        .arg("touch \"$CONTEST_FOLDER/$CONTEST_ENDING\"")
        .told(0);
    says(&said, "H1");
    assert!(place.path("t/decided").exists());
    let games = place.ids("t").len();
    assert!((4..400).contains(&games), "{games}");
    let refused = place
        .tournament("builtin:greedy --sprt 0,50 --seed 1 --out t")
        .told(2);
    assert!(refused.contains("compares two programs"));
}

#[test]
fn nobody_else_can_play_the_same_tournament() {
    let place = Place::new();
    fs::create_dir(place.path("t")).unwrap();
    let file = fs::File::create(place.path("t/games.jsonl")).unwrap();
    file.lock().unwrap();
    let refused = place.tournament(&format!("{TWO} --out t")).told(2);
    says(&refused, "another process is playing");
    drop(file);
    place.played(&format!("{TWO} --out t --games 2"));
}

/// If a game cannot be written, the tournament ends with an error, and no part of the game stays in the file.
#[test]
fn a_full_disk_is_an_error_and_leaves_whole_lines() {
    let place = Place::new();
    let folder = place.path("t");
    // A limit on the size of files stands in for a full disk.
    let limited = |blocks: u32, status: i32| {
        let call = format!("cartagena tournament {TWO} --games 50 --jobs 1 --out t");
        let call = format!("ulimit -f {blocks}; exec '{CONTEST}' {call}");
        let mut sh = Command::new("sh");
        sh.args(["-c", &call])
            .current_dir(place.path(""))
            .told(status)
    };
    // Not even the settings can be written, and nothing of them is left.
    let failed = limited(0, 2);
    says(&failed, "tournament.json: ");
    let left = fs::read_dir(&folder).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["games.jsonl"]);
    let failed = limited(100, 1);
    says(&failed, "games.jsonl: ");
    let left = fs::read(folder.join("games.jsonl")).unwrap();
    assert!(left.ends_with(b"\n"));
    let before = place.ids("t");
    assert!((1..50).contains(&before.len()), "{}", before.len());
    place.played("--out t");
    let played = place.ids("t");
    assert_eq!(played.len(), 50);
    assert_eq!(played[..before.len()], before);
}

#[test]
fn a_dry_run_plays_nothing() {
    let place = Place::new();
    let told = place
        .tournament(&format!("{TWO} --games 50 --dry-run --out t"))
        .told(0);
    says(&told, "50 games to play");
    assert!(!place.path("t").exists());
    // The error names the folder that was asked for.
    for (words, expected) in [
        ("--dry-run --out t", "there is no tournament in t: "),
        ("builtin:random --dry-run --out t", "t: "),
    ] {
        let told = place.tournament(words).told(2);
        says(&told, expected);
        assert!(
            !told.contains("/tmp") && !place.path("t").exists(),
            "{told}"
        );
    }
    // A dry run does not fix the settings of what is played later.
    place.played(&format!("{TWO} --seed 5 --games 2 --out t"));
}

/// A tournament that is refused is not begun, and leaves no folder.
#[test]
fn a_refused_command_leaves_nothing() {
    let place = Place::new();
    for (programs, options, expected) in [
        (TWO, "--anchor nobody", "--anchor nobody: the programs are"),
        (
            HEURISTICS,
            "--sprt 0,10 --seed 1",
            "--sprt compares two programs",
        ),
        (TWO, "--sprt 0,10 --alpha 0.7", "0.7"),
        (
            TWO,
            "random=builtin:greedy",
            "two programs have the label random, builtin:random and builtin:greedy: \
                                        give one another label, as in other=builtin:greedy",
        ),
        ("", "", "there is no tournament in "),
        ("", "", "name programs to begin one"),
        (
            "builtin:random",
            "",
            "needs at least two programs, and there is 1",
        ),
    ] {
        let told = place
            .tournament(&format!("{programs} {options} --games 2 --out t"))
            .told(2);
        assert!(told.contains(expected), "{programs} {options}: {told}");
        assert!(!place.path("t").exists(), "{programs} {options}");
    }
    let told = place.contest("rate t").told(2);
    says(&told, "there is no tournament in ");
    // Its results would change the program.
    let bot = place.script("bot", &CALL);
    let told = place
        .tournament("./bot builtin:random --games 2 --out bot/t")
        .told(2);
    says(
        &told,
        "--out bot/t: it is in the folder of bot, whose files must not change: expected another folder\n",
    );
    assert!(!bot.join("t").exists());
}

/// A line that is in the file twice counts once, for ratings and for reports.
#[test]
fn a_repeated_game_counts_once() {
    let place = Place::new();
    place.played(&format!("{TWO} --games 4 --out t"));
    let before = place.rated("t");
    let file = place.path("t/games.jsonl");
    let games = fs::read_to_string(&file).unwrap();
    let first = games.lines().next().unwrap();
    fs::write(&file, format!("{games}{first}\n")).unwrap();
    assert_eq!(place.rated("t"), before);
    for command in ["rate t", "report t"] {
        let told = place.contest(command).told(0);
        let once = "line 5 repeats a game, which counts once";
        assert_eq!(told.matches(once).count(), 1, "{command}: {told}");
    }
}

/// A program's notes in `support` do not make it a new version. It writes only into copies.
#[test]
fn a_program_that_writes_into_its_support_is_gone_on_with() {
    let place = Place::new();
    let bot = place.script("bot", &format!("echo called >>support/log\n{}", *CALL));
    fs::create_dir(bot.join("support")).unwrap();
    place.played("./bot builtin:random --games 2 --time 100 --out t");
    assert!(!bot.join("support/log").exists());
    place.played("--games 4 --time 100 --out t");
    assert_eq!(place.ids("t").len(), 4);
}

/// A program may build itself before its clock runs. Its fingerprint is that of the finished build. What it builds is
/// executable afterwards, though a confined program cannot make it so.
#[test]
fn a_program_builds_itself_before_it_plays() {
    let place = Place::new();
    // The build works in the original's folder only, not in a copy. Its first step makes the program of the second.
    let bot = place.script(
        "made",
        "build() { [ -e make ] || cp make.txt make; chmod +x make; ./make; }
         case $PWD in */made) [ -e built ] || build;; esac
         exec ./built",
    );
    let second = "#!/bin/sh\ncp call.txt built\nchmod +x built\n";
    fs::write(bot.join("make.txt"), second).unwrap();
    fs::write(bot.join("call.txt"), format!("#!/bin/sh\n{}\n", *CALL)).unwrap();
    for (words, builds) in [
        ("./made builtin:random --games 2", true),
        ("--games 4", false),
    ] {
        let told = place
            .tournament(&format!("{words} --time 100 --out t"))
            .told(0);
        assert_eq!(told.contains("made does not answer yet"), builds, "{told}");
    }
    assert_eq!(place.rated("t")["faults"], json!({}));
}

/// The line at the end of a stopped tournament is a command, with all options that its folder does not keep.
#[test]
fn a_stopped_tournament_says_how_to_go_on() {
    let place = Place::new();
    let folder = place.path("a cup");
    let kept = "--seed 1 --isolate none --sprt=-1,1 --alpha 0.001 --beta 0.05 --retries 2 --anchor a=5 --then";
    let mut child = place
        .contest("tournament a=builtin:greedy b=builtin:greedy --games 1000000")
        .arg("--out")
        .arg(&folder)
        .words(kept)
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
    let (folder, kept) = (folder.display(), kept.replace("--seed 1 ", ""));
    let kept = kept.replace("sprt=", "sprt ").replace("a=5", "'a=5'");
    let next = format!("contest cartagena tournament --out '{folder}' {kept} \"echo it's over\"\n");
    assert!(said.ends_with(&format!("to go on: {next}")), "{said}");
}

/// A command at the end gets the folder in its environment, whatever the folder is called.
#[test]
fn a_command_follows_the_end() {
    let place = Place::new();
    let folder = place.path("it's a $cup; \"x\"");
    let call = |words: &str, then: &str| {
        let mut tournament = place.contest("tournament --seed 1");
        tournament
            .words(words)
            .arg("--out")
            .arg(&folder)
            .args(["--then", then]);
        tournament
    };
    let then = "cp \"$CONTEST_FOLDER/games.jsonl\" \"$CONTEST_FOLDER/$CONTEST_ENDING\"";
    call(&format!("{TWO} --games 4"), then).printed();
    let games = fs::read(folder.join("games.jsonl")).unwrap();
    assert_eq!(fs::read(folder.join("complete")).unwrap(), games);
    // Once more without a game to play: the tournament has ended, and the command may not have been run.
    fs::remove_file(folder.join("complete")).unwrap();
    call("", then).printed();
    assert_eq!(fs::read(folder.join("complete")).unwrap(), games);
    let told = call("", "exit 3").told(1);
    says(
        &told,
        "the command of --then ended with exit status: 3: exit 3",
    );
}
