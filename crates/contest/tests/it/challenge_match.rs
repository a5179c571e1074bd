//! Tests of `contest challenge match`, with built-in players and with programs that connect by themselves.

use super::programs::{CONTEST, Command, contest, program, says, scratch};
use contest::challenge::record::Entry;
use contest::challenge::record::GameLine;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The workspace's own client.
fn client() -> PathBuf {
    program("challenge")
}

/// The games of a record without the times of their decisions.
fn games_of(record: &Path) -> Vec<Value> {
    let text = fs::read_to_string(record).unwrap();
    let game = |line: &str| {
        let mut game: Value = serde_json::from_str(line).unwrap();
        assert!(game["ms"].take().is_array(), "{line}");
        game
    };
    text.lines().map(game).collect()
}

/// A match of the challenge card game.
fn matched(words: &str) -> Command {
    let mut command = contest("challenge match");
    command.words(words);
    command
}

/// Writes an executable script.
fn script(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    super::programs::install(text, &path);
    path.display().to_string()
}

fn games(path: &Path) -> Vec<GameLine> {
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The hands of a game, in the order they were dealt.
fn hands(game: &GameLine) -> Vec<&Entry> {
    let is_new = |entry: &&Entry| matches!(entry, Entry::NewHand { .. });
    game.entries.iter().filter(is_new).collect()
}

/// The JSON has the same figures as the lines for people.
#[test]
fn a_result_is_printed_as_json() {
    let words = "need random --games 40 --seed 6";
    let told = matched(words).printed();
    let json = matched(words).arg("--json").printed();
    let result: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&result["games"], &result["pairs"]),
        (&40.into(), &20.into())
    );
    let rows = result["rows"].as_array().unwrap();
    for (row, line) in rows.iter().zip(told.lines().skip(1)) {
        let label = row["label"].as_str().unwrap();
        let number = |key: &str| row[key].as_f64().unwrap();
        let share = format!(
            "{:.2} % ± {:.2}",
            100.0 * number("share"),
            100.0 * number("margin")
        );
        assert!(
            line.starts_with(label) && line.contains(&share),
            "{line} {row}"
        );
        let decisions = format!("{:.1} decisions", number("decisions"));
        assert!(
            line.contains(&decisions) && number("longest_ms") >= number("mean_ms"),
            "{line} {row}"
        );
        assert_eq!(row["faults"], serde_json::json!({}));
    }
    assert_eq!(rows.len(), 2);
}

#[test]
fn a_program_plays_on_duplicate_deals() {
    let (folder, record) = scratch("games.jsonl");
    let call = |more: &str| {
        let mut call = matched("need --games 4 --seed 1 --record games.jsonl");
        call.arg(format!("ext={}", client().display()));
        call.args(["--args", "ext:{host}:{port} --player random --seed 1"]);
        call.words(more).current_dir(folder.path());
        call
    };
    let output = call("").printed();
    assert!(
        output.starts_with("4 games, 2 pairs of the same deals, seed 1\n"),
        "{output}"
    );
    for label in ["need ", "ext "] {
        says(&output, format!("\n{label}"));
    }
    assert!(!output.contains("faults"), "{output}");
    let played = games(&record);
    assert_eq!(played.len(), 4);
    for pair in played.chunks(2) {
        let names = |game: &GameLine| game.names.clone().unwrap();
        assert_eq!(names(&pair[0]), ["need", "ext"]);
        assert_eq!(names(&pair[1]), ["ext", "need"]);
        let (first, second) = (hands(&pair[0]), hands(&pair[1]));
        let both = first.iter().zip(&second);
        assert!(both.clone().count() > 0);
        for (a, b) in both {
            let cards = |entry: &Entry| match entry {
                Entry::NewHand {
                    player0_hand,
                    player1_hand,
                    ..
                } => (player0_hand.clone(), player1_hand.clone()),
                _ => unreachable!(),
            };
            assert_eq!(cards(a), cards(b), "the same deals for both");
        }
    }
    let ids: Vec<u64> = played.iter().map(|game| game.id).collect();
    assert_eq!(ids, [1, 2, 3, 4]);
    // A program's games count as they were when the match goes on.
    let lines = fs::read_to_string(&record).unwrap();
    let half: String = lines.split_inclusive('\n').take(2).collect();
    fs::write(&record, half).unwrap();
    let told = call("--resume").told(0);
    says(&told, "played before: 2 of 4 games");
    assert_eq!(games(&record)[..2], played[..2]);
    let hands_of = |games: &[GameLine]| {
        games
            .iter()
            .map(|game| hands(game)[0].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(hands_of(&games(&record)), hands_of(&played));
}

#[test]
fn built_in_players_are_recorded_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut call = matched("a=doge builtin:doge --games 10 --record games.jsonl");
    call.current_dir(folder.path()).printed();
    let played = games(&folder.path().join("games.jsonl"));
    assert_eq!(played.len(), 10);
    assert_eq!(played[0].names, Some(["a".to_owned(), "doge".to_owned()]));
}

#[test]
fn faults_are_counted_and_cost_the_game() {
    let folder = tempfile::tempdir().unwrap();
    // A program that ignores all it reads and sends empty messages without a pause.
    let flood = "#!/bin/bash\nexec 3<>/dev/tcp/$1/$2\ncat <&3 >/dev/null &\n\
                 while printf '\\0\\0\\0\\2{}' >&3; do :; done 2>/dev/null\n";
    let program = script(folder.path(), "flood", flood);
    let output = matched("plain --games 2")
        .args([&program, "--args", "flood:{host} {port}"])
        .printed();
    let row = output
        .lines()
        .find(|line| line.starts_with("flood"))
        .unwrap();
    assert!(row.contains("  0.00 %"), "{output}");
    assert!(
        row.contains("; faults: ") && row.contains(" wrong"),
        "{output}"
    );
}

#[test]
fn a_program_that_fails_ends_the_match_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let crash = script(folder.path(), "crash", "#!/bin/sh\necho oops >&2\nexit 3\n");
    let errors = matched("plain").arg(&crash).told(1);
    says(&errors, "crash has ended: exit status: 3");
    says(&errors, "oops");
    let mute = script(folder.path(), "mute", "#!/bin/sh\nexec sleep 1000\n");
    let errors = matched("plain --connect 0").arg(&mute).told(1);
    says(&errors, "mute has not connected within 0 s");
}

#[test]
fn wrong_usage_is_told() {
    for (words, expected) in [
        ("plain /no/where", "no program at /no/where"),
        ("plain dogge", "there is no built-in player \"dogge\""),
        ("plain doge --args x:y", "x: no participant has this label"),
        ("blueprint doge --tables blueprint:/no/where", "/no/where"),
        ("plain doge --env doge:A=1", "doge is a built-in player"),
    ] {
        let told = matched(words).told(2);
        assert!(told.contains(expected), "{words}: {told}");
    }
    for words in ["serve --state none --teams none", "replay none"] {
        let told = contest(&format!("challenge {words}")).told(2);
        says(&told, "cannot read none: No such file");
    }
    let slow = "challenge slow --ports 1 --web-port 1 --seconds 1 --connections 1";
    says(&contest(slow).told(1), "no server answers at 127.0.0.1:1");
}

/// The program contains the tables of its strategy: a copy alone in a folder plays the same games as with the
/// repository's files.
#[test]
fn a_copy_alone_plays_the_blueprint() {
    let folder = tempfile::tempdir().unwrap();
    // A child process copies it, for the reason that `programs::install` gives.
    let copied = Command::new("cp").arg(CONTEST).arg(folder.path()).status();
    assert!(copied.unwrap().success());
    let support = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../support");
    let played = |program: &Path, support: &[&str]| {
        let record = folder.path().join("games.jsonl");
        let [_, told] = Command::new(program)
            .words("challenge match blueprint need --games 6 --seed 3 --record")
            .arg(&record)
            .args(support)
            .current_dir(folder.path())
            .env_remove("RUNME_HOME")
            .said(0);
        assert_eq!(told, "");
        let games = games_of(&record);
        fs::remove_file(&record).unwrap();
        games
    };
    let support = ["--support", support.to_str().unwrap()];
    let with_files = played(Path::new(CONTEST), &support);
    assert!(played(&folder.path().join("contest"), &[]) == with_files);
}

/// Each of two players can use other tables. The repository's tables give the same games as the built-in
/// ones; tables without the openings give others.
#[test]
fn two_can_play_from_tables_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let support = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../support");
    let played = |tables: &[&str]| {
        let record = folder.path().join("games.jsonl");
        let mut call = matched("a=blueprint b=blueprint --games 4 --record");
        call.arg(&record).args(tables).printed();
        let games = games_of(&record);
        fs::remove_file(&record).unwrap();
        games
    };
    let own = format!("b:{}", support.display());
    assert!(played(&["--tables", &own]) == played(&[]));
    for file in fs::read_dir(&support).unwrap() {
        let file = file.unwrap().path();
        let name = file.file_name().unwrap().to_str().unwrap();
        if name == "challenge.values" || name.ends_with(".hand") {
            fs::copy(&file, folder.path().join(name)).unwrap();
        }
    }
    let unopened = format!("b:{}", folder.path().display());
    assert!(played(&["--tables", &unopened]) != played(&[]));
}
