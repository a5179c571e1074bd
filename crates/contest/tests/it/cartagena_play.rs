//! Tests of `contest cartagena play`: one game in a terminal, watched or taken part in.

use super::programs::{CONTEST, Command};
use arena::records::Reader;
use contest::cartagena::record::Record;
use std::fs;

fn play(args: &[&str]) -> Command {
    let mut contest = Command::new(CONTEST);
    contest.args(["cartagena", "play"]).args(args);
    contest
}

fn output(command: &mut Command) -> (String, String) {
    let assert = command.assert().success();
    let output = assert.get_output();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_game_is_drawn_and_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let bots = ["builtin:hoarder", "builtin:greedy", "builtin:greedy"];
    let options = [
        "--players",
        "3",
        "--seed",
        "7",
        "--record",
        file.to_str().unwrap(),
    ];
    let (drawn, _) = output(&mut play(&[&bots[..], &options[..]].concat()));
    let text = fs::read(&file).unwrap();
    let records: Vec<Record> = Reader::new("records", &text[..])
        .collect::<Result<_, _>>()
        .unwrap();
    let [record] = &records[..] else {
        panic!("{} records", records.len());
    };
    record.replay(|_, _, _, _| ()).unwrap();
    assert_eq!(record.players, ["hoarder", "greedy", "greedy (3)"]);
    assert_eq!(drawn.matches("CELL").count(), record.actions.len() + 1);
    let winner = record.result.winner.unwrap();
    assert!(drawn.contains(&format!("player {winner} won")), "{drawn}");
}

/// A person chooses by number, asks for advice, learns the expected numbers after a wrong one, and sees no
/// card of the opponent.
#[test]
fn a_person_takes_part() {
    let mut game = play(&["human", "builtin:greedy", "--seed", "3", "--advice", "0.01"]);
    let (told, said) = output(game.write_stdin("?\n99\n1\n1\nq\n"));
    assert!(told.contains("player 1, action 1 of the turn; your hand: 1 bottle, 1 hat, 1 keys"));
    assert!(told.contains("wins %"), "{told}");
    assert!(told.contains("expected a number from 1 to 3"), "{told}");
    assert!(told.contains("action 3 of the turn"), "{told}");
    assert!(
        told.contains("player 2 greedy: 0 home, 222 places to go, 3 cards\n"),
        "{told}"
    );
    assert!(said.contains("the game was given up"), "{said}");
}

/// If no program is named, the person plays at a new table against the built-in player Corsair, or several of
/// it.
#[test]
fn a_person_alone_plays_against_the_player() {
    let folder = tempfile::tempdir().unwrap();
    for (args, names) in [
        (&["--seed", "3"][..], "You, Corsair"),
        (
            &["human", "--players", "3", "--seed", "3"],
            "You, Corsair 1, Corsair 2",
        ),
    ] {
        let mut game = play(args);
        game.env("XDG_STATE_HOME", folder.path());
        let (told, _) = output(game.write_stdin("help\n"));
        assert!(told.contains(&format!("Cartagena: {names}\n")), "{told}");
        assert!(
            told.contains("undo       takes your last action back"),
            "{told}"
        );
        assert!(told.contains("The game is kept: contest play"), "{told}");
    }
    let kept = fs::read_dir(folder.path().join("contest/tables")).unwrap();
    assert_eq!(kept.count(), 2);
}

#[test]
fn a_person_who_says_nothing_gives_up() {
    let (_, said) = output(play(&["human", "builtin:greedy"]).write_stdin(""));
    assert!(said.contains("the game was given up"), "{said}");
}

#[test]
fn seats_and_programs_must_match() {
    for (args, expected) in [
        (&["builtin:greedy"][..], "2 to 6 players, not 1"),
        (&["human", "--deal", "6"], "only --players and --seed"),
        (
            &["human", "builtin:greedy", "--players", "3"],
            "expected a program for each of 3 players, not 2",
        ),
        (&["human", "builtin:nobody"], "no built-in player"),
        (&["human", "/no/such/bot"], "/no/such/bot"),
    ] {
        let refused = play(args).assert().code(2);
        let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(said.contains(expected), "{said}");
    }
}
