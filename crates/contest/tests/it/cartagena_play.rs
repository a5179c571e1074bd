//! Tests of `contest cartagena play`: one game in a terminal, watched or, as with `contest play --terminal`, taken part in.

use super::programs::{Command, contest, says, scratch};
use arena::records::Reader;
use contest::cartagena::record::Record;
use std::fs;

fn play(words: &str) -> Command {
    contest(&format!("cartagena play {words}"))
}

#[test]
fn a_game_is_drawn_and_recorded() {
    let (_folder, file) = scratch("games.jsonl");
    let mut game = play("builtin:hoarder builtin:greedy builtin:greedy --players 3 --seed 7");
    let drawn = game.arg("--record").arg(&file).printed();
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
    says(&drawn, format!("player {winner} won"));
}

/// A person takes the seat that `human` names, and sees no card of the opponent.
#[test]
fn a_person_takes_part() {
    for (programs, names) in [
        ("human builtin:greedy", "You, greedy"),
        ("builtin:greedy human", "greedy, You"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut game = play(&format!("{programs} --seed 3"));
        game.env("XDG_STATE_HOME", folder.path());
        let told = game.write_stdin("hint\n99\n1\nlog\n").printed();
        says(&told, format!("Cartagena: {names}\n"));
        says(&told, "your chance to win the game after each");
        says(&told, "expected a number from 1 to ");
        let kept = told.lines().last().unwrap();
        let begin = "The game is kept: contest play --terminal --program builtin:greedy --time 15 ";
        assert!(kept.starts_with(begin), "{kept}");
        let mut hands = told
            .lines()
            .filter(|line| line.contains("greedy: 0 of 6 on the boat; "));
        let first = hands.next().unwrap();
        let hides = |line: &str| line.ends_with(" cards") || line.ends_with(" 1 card");
        assert!(hides(first) && hands.all(hides), "{told}");
    }
}

/// If no program is named, the person plays at a new table against the built-in player Corsair, or several of
/// it.
#[test]
fn a_person_alone_plays_against_the_player() {
    let folder = tempfile::tempdir().unwrap();
    for (words, names) in [
        ("--seed 3", "You, Corsair"),
        ("human --players 3 --seed 3", "You, Corsair 1, Corsair 2"),
    ] {
        let mut game = play(words);
        game.env("XDG_STATE_HOME", folder.path());
        let told = game.write_stdin("help\n").printed();
        says(&told, format!("Cartagena: {names}\n"));
        says(&told, "undo       takes your last action back");
        says(&told, "The game is kept: contest play");
    }
    let kept = fs::read_dir(folder.path().join("contest/tables")).unwrap();
    assert_eq!(kept.count(), 2);
}

#[test]
fn seats_and_programs_must_match() {
    for (words, expected) in [
        ("builtin:greedy", "2 to 6 players, not 1"),
        (
            "human --deal 6",
            "a game with you takes only --players, --seed, --seed-file, --time",
        ),
        ("human builtin:greedy human", "one human plays"),
        (
            "human builtin:greedy builtin:greedy --players 2",
            "you and greedy, greedy need 3 seats, not 2",
        ),
        ("human builtin:cheat", "sees all hands"),
        ("human builtin:nobody", "no built-in player"),
        ("human /no/such/bot", "/no/such/bot"),
    ] {
        says(&play(words).told(2), expected);
    }
}
