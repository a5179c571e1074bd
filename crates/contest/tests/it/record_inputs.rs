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
        assert_eq!(
            call(&["replay", "-", "2"], Some(&file)),
            expected,
            "{contest}"
        );
        let marked = [b"\xef\xbb\xbf", &fs::read(&file).unwrap()[..]].concat();
        fs::write(&file, marked).unwrap();
        assert_eq!(
            call(&["replay", "record.jsonl", "2"], None),
            expected,
            "{contest}"
        );
        assert_eq!(
            call(&["replay", "-", "2"], Some(&file)),
            expected,
            "{contest}"
        );
        // A file of that name is meant rather than standard input.
        fs::rename(&file, folder.path().join("-")).unwrap();
        assert_eq!(call(&["replay", "-", "2"], None), expected, "{contest}");
    }
}
