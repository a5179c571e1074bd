//! Tests of `contest cartagena show` and `contest cartagena legal`, which explain a program's input.

use super::programs::{Command, contest, contest_in, says};
use cartagena::belief::{ReplayOptions, replay};
use cartagena::notation::{Answer, parse, parse_action, resolve};
use cartagena::rules::ActionList;
use serde_json::Value;
use std::fs;
use std::process::Stdio;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/cartagena");

fn golden(name: &str) -> String {
    format!("{DATA}/{name}.txt")
}

/// A command that reads this text from standard input.
fn cartagena(words: &str, input: &str) -> Command {
    let mut cartagena = contest(&format!("cartagena {words}"));
    cartagena.write_stdin(input);
    cartagena
}

/// The output of a command on a file, after checking that standard input gives the same.
fn check(command: &str, name: &str) -> String {
    let path = golden(name);
    let from_file = cartagena(command, "").arg(&path).said(0);
    let from_input = cartagena(command, &fs::read_to_string(&path).unwrap()).said(0);
    assert_eq!(from_file, from_input);
    let [printed, told] = from_file;
    assert_eq!(told, "");
    printed
}

#[test]
fn show_draws_the_example() {
    insta::assert_snapshot!(check("show", "interface-example"));
}

#[test]
fn show_tells_old_cards_from_new() {
    insta::assert_snapshot!(check("show", "reshuffled-5-players"));
}

#[test]
fn legal_lists_the_example() {
    insta::assert_snapshot!(check("legal", "interface-example"));
}

#[test]
fn legal_lists_a_turn_that_may_be_ended() {
    insta::assert_snapshot!(check("legal", "third-action-4-players"));
}

#[test]
fn legal_as_json() {
    insta::assert_snapshot!(check("legal --json", "interface-example"));
}

/// The list contains exactly the legal actions, in the fixed order.
#[test]
fn the_list_is_that_of_the_rules() {
    let mut games = 0;
    for entry in fs::read_dir(DATA).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let Ok(record) = parse(text.as_bytes()) else {
            continue;
        };
        let found = replay(&record, &ReplayOptions::default());
        let view = &found.view;
        let mut legal = ActionList::new();
        found
            .game
            .actions(&view.track, view.seat, view.hand, &mut legal);
        let printed = cartagena("legal --json -", &text).printed();
        let report: Value = serde_json::from_str(&printed).unwrap();
        let listed = report["actions"].as_array().unwrap();
        assert_eq!(listed.len(), legal.len());
        for (i, (entry, &action)) in listed.iter().zip(&legal).enumerate() {
            assert_eq!(entry["number"], i + 1);
            let line = entry["action"].as_str().unwrap();
            let Ok(Answer::Move(told)) = parse_action(line.as_bytes()) else {
                panic!("{line}");
            };
            assert_eq!(told.player, record.to_move);
            assert_eq!(resolve(&found.game, told), Ok(action));
            let draws = action.card().map_or(view.draws(told.to), |_| 0);
            assert_eq!(entry["draws"], draws);
        }
        assert_eq!(report["pass"], view.taken > 0 || legal.is_empty());
        games += 1;
    }
    assert!(games >= 8);
}

#[test]
fn games_without_a_choice() {
    let nothing = "2\ncell\nhat\ngun\nboat\n1\n";
    let printed = cartagena("legal", nothing).printed();
    assert_eq!(printed, "no action is legal: the turn ends\n");
    let printed = cartagena("legal --json", nothing).printed();
    let report: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(report["pass"], true);
    assert_eq!(report["winner"], Value::Null);

    // Player 1 plays six guns, each of which leads straight from the cell to the boat. Player 2's passes
    // leave no line.
    let won = format!("2\ncell\nhat\nboat\n{}2\n", "1 0 2 gun\n".repeat(6));
    let printed = cartagena("legal --deal 6", &won).printed();
    assert_eq!(printed, "the game is over: player 1 has won\n");
    let printed = cartagena("legal --json --deal 6", &won).printed();
    let report: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(
        (&report["winner"], &report["pass"]),
        (&1.into(), &false.into())
    );
    assert_eq!(report["actions_left"], 0);
    let printed = cartagena("show --deal 6", &won).printed();
    says(&printed, "the game is over: player 1 has won");
}

#[test]
fn odd_games_are_shown_with_a_word_about_it() {
    let example = fs::read_to_string(golden("interface-example")).unwrap();
    let inconsistent = example.replacen("1 0 3 keys", "1 0 7 hat", 1);
    for command in ["show", "legal"] {
        let [printed, told] = cartagena(command, &inconsistent).said(0);
        let start = "contest: inconsistency: line 41, move 2: ";
        assert!(told.starts_with(start), "{told}");
        assert_ne!(printed, "");
    }
}

#[test]
fn what_is_no_game_is_exit_status_2() {
    let example = fs::read_to_string(golden("interface-example")).unwrap();
    let broken = example.replacen("dagger", "sword", 1);
    for command in ["show", "legal"] {
        for (more, input, message) in [
            (
                "",
                "",
                "standard input: line 1, column 1: expected the number of players",
            ),
            (
                "",
                &*broken,
                "standard input: line 8, column 1: expected a symbol",
            ),
            ("/nowhere/game.txt", "", "cannot read /nowhere/game.txt: "),
            (DATA, "", "cannot read "),
            ("--deal x", &example, "invalid value 'x' for '--deal <N>'"),
        ] {
            let [printed, told] = cartagena(&format!("{command} {more}"), input).said(2);
            assert!(told.contains(message), "{command} {more}: {told}");
            assert_eq!(printed, "");
        }
    }
}

/// A message that cannot be written is lost, and nothing else is.
#[test]
fn no_game_is_lost_for_a_message() {
    let (reader, closed) = std::io::pipe().unwrap();
    drop(reader);
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    for errors in [Stdio::from(closed), Stdio::from(full)] {
        let folder = tempfile::tempdir().unwrap();
        let words = "cartagena tournament builtin:greedy builtin:random --games 2 --out cup";
        let output = contest_in(folder.path(), words).stderr(errors).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let games = fs::read_to_string(folder.path().join("cup/games.jsonl")).unwrap();
        assert_eq!(games.lines().count(), 2);
    }
}

/// If the output is piped into `head`, which stops reading, the command ends without a panic.
#[test]
fn a_reader_that_leaves_is_no_error() {
    let path = golden("interface-example");
    for words in [
        &*format!("cartagena show {path}"),
        &format!("cartagena legal --json {path}"),
        "cartagena match builtin:greedy builtin:rearmost --games 2",
        "--help",
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let told = contest(words).stdout(full).told(1);
        says(&told, "cannot write to standard output: ");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let told = contest(words).stdout(writer).told(0);
        assert!(!told.contains("panicked"), "{words}: {told}");
    }
}
