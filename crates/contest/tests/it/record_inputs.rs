//! Tests of the inputs that commands read records from: standard input, and files that begin with a byte order mark.
//! Compressed ones are tested in `arena::input`.

use super::programs::{CONTEST, Command, scratch};
use std::fs::{self, File};
use std::path::Path;

#[test]
fn records_come_from_standard_input_too() {
    let matches = [
        (
            "cartagena",
            ["builtin:greedy", "builtin:random", "", ""],
            "--games",
        ),
        ("eights", ["high", "random", "random", "random"], "--rounds"),
        ("hearts", ["duck", "random", "random", ""], "--rounds"),
    ];
    for (contest, players, count) in matches {
        let (folder, file) = scratch("record.jsonl");
        let call = |words: &[&str], input: Option<&Path>| {
            let mut call = Command::new(CONTEST);
            call.arg(contest).args(words).current_dir(folder.path());
            if let Some(input) = input {
                call.stdin(File::open(input).unwrap());
            }
            call.printed()
        };
        let players = players.iter().filter(|player| !player.is_empty());
        let mut words = vec!["match"];
        words.extend(players);
        words.extend([count, "2", "--record", "record.jsonl"]);
        call(&words, None);
        let expected = call(&["replay", "record.jsonl", "2"], None);
        assert!(!expected.is_empty());
        let replays = |file: &str, input: Option<&Path>| {
            let told = call(&["replay", file, "2"], input);
            assert_eq!(told, expected, "{contest}, {file}");
        };
        replays("-", Some(&file));
        let marked = [b"\xef\xbb\xbf", &fs::read(&file).unwrap()[..]].concat();
        fs::write(&file, marked).unwrap();
        replays("record.jsonl", None);
        replays("-", Some(&file));
        // A file of that name needs its folder.
        fs::rename(&file, folder.path().join("-")).unwrap();
        replays("./-", None);
    }
}

/// Settings and positions may begin with a byte order mark as records may.
#[test]
fn other_files_may_begin_with_a_mark() {
    let folder = tempfile::tempdir().unwrap();
    let call = |words: &str| {
        let mut call = Command::new(CONTEST);
        call.words(words).current_dir(folder.path()).printed()
    };
    let mark = |name: &str| {
        let file = folder.path().join(name);
        let marked = [b"\xef\xbb\xbf", &fs::read(&file).unwrap()[..]].concat();
        fs::write(file, marked).unwrap();
    };
    let two = "builtin:greedy builtin:random --games 2 --seed 1";
    let board = "{\"board\":\"dbhskgsbkhdgghdskbbskdhgkgbhdsshgdbk\"}\n";
    fs::write(folder.path().join("positions.jsonl"), board).unwrap();
    mark("positions.jsonl");
    call(&format!(
        "cartagena match {two} --positions positions.jsonl"
    ));
    call(&format!("cartagena tournament {two} --out t"));
    mark("t/tournament.json");
    call("cartagena tournament --games 4 --out t");
}
