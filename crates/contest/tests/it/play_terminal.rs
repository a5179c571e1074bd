//! Tests of tables in a terminal: typed actions and commands, the screens that answer them, and games that
//! are kept.

use super::programs::{Command, contest, says, scratch};
use super::tables::Server;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn terminal(folder: &Path, words: &str) -> Command {
    let mut command = contest("play --terminal --tables");
    command.arg(folder).words(words);
    command
}

/// The output for this input.
fn told(folder: &Path, words: &str, typed: &str) -> String {
    terminal(folder, words).write_stdin(typed).printed()
}

/// The lines after the first one in the only file of the folder.
fn kept(folder: &Path) -> Vec<Value> {
    let files: Vec<_> = fs::read_dir(folder).unwrap().collect();
    assert_eq!(files.len(), 1);
    let text = fs::read_to_string(files[0].as_ref().unwrap().path()).unwrap();
    let lines = text.lines().skip(1);
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The screens: the texts between the prompts.
fn screens(told: &str) -> Vec<&str> {
    told.split("> ").collect()
}

#[test]
fn a_whole_game_is_played_by_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let told = told(
        folder.path(),
        "challenge --level 1 --seed 5",
        &"1\n".repeat(400),
    );
    says(&told, "Challenge: You, Guest\n");
    says(&told, "Guest: plays ");
    says(&told, "wins the game");
    says(&told, "The game is over: undo, log or quit.");
    assert!(told.ends_with("The seed was 5.\n"), "{told}");
    assert!(!told.contains('\u{1b}'), "no terminal, no colours");
    // A game that is over cannot be resumed.
    let said = terminal(folder.path(), "--resume").told(2);
    says(&said, "no game is under way");
}

#[test]
fn every_game_can_be_played() {
    for (game, heading) in [
        ("cartagena", "Cartagena: You, "),
        ("challenge", "Challenge: You, "),
        // Players of one level are numbered.
        ("hearts", "Hearts: You, Newcomer 1, Newcomer 2"),
        ("eights", "Tricky Eights: You, "),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let typed = "rules\nhint\n1\nlog\n";
        let told = told(folder.path(), &format!("{game} --level 1 --seed 2"), typed);
        says(&told, heading);
        says(&told, " after each, the best first:");
        assert!(
            told.contains("\nYou: "),
            "the log has one's own actions: {told}"
        );
        // The last line is a command that names the folder.
        let mut shown = told.lines().rev().skip(1);
        assert!(shown.all(|line| line.chars().count() <= 80), "{told}");
        assert!(!kept(folder.path()).is_empty());
    }
}

/// Six names are longer than a line.
#[test]
fn headings_fit_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    let told = told(folder.path(), "hearts --level 4 --seats 6 --seed 2", "");
    says(&told, "Hearts: You, Bookkeeper 1, ");
    says(&told, "Bookkeeper 4,\nBookkeeper 5\n");
    // The last line is a command that names the folder.
    let mut shown = told.lines().rev().skip(1);
    assert!(shown.all(|line| line.chars().count() <= 80), "{told}");
}

/// A game of Cartagena in which nobody can act any more ends without a winner, and the screen says so.
#[test]
fn a_drawn_game_is_called_undecided() {
    let folder = tempfile::tempdir().unwrap();
    let secret = "0".repeat(32);
    // The only card takes a pirate to a space with none behind it, so that nobody can go back either.
    let table = json!({ "table": {
        "game": "cartagena", "seed": 1, "freely": true, "onlookers": "1".repeat(32),
        "seats": [{ "person": { "name": "You", "secret": secret } }, { "player": 0 }],
        "start": {
            "board": "dbhskgsbkhdgghdskbbskdhgkgbhdsshgdbk",
            "places": [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]],
            "hands": ["d", ""], "to_move": 1, "taken": 0,
        },
    } });
    fs::write(folder.path().join("dead.jsonl"), format!("{table}\n")).unwrap();
    let told = told(folder.path(), "--resume dead", "1\n1\n");
    says(
        &told,
        "The game ends without a winner: nobody can move any more, or it has",
    );
    says(&told, "The game is over: undo, log or quit.");
    assert!(
        told.lines().all(|line| line.chars().count() <= 80),
        "{told}"
    );
}

/// A game that was left can be resumed, in the terminal and in a browser.
#[test]
fn a_game_that_was_left_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let first = told(folder.path(), "challenge --level 1 --seed 9", "1\n1\n1\n");
    let (screen, ending) = first.rsplit_once("> ").unwrap();
    let id = ending.trim().rsplit_once("--resume ").unwrap().1.to_owned();
    says(ending, "The game is kept: contest play");
    let actions = kept(folder.path());
    assert!(actions.len() >= 4, "{actions:?}");
    for resume in ["--resume", &format!("--resume {id}")] {
        let again = told(folder.path(), resume, "quit\n");
        let choices = |screen: &str| -> Option<String> {
            let is_choices = |line: &&str| line.starts_with(" 1 ");
            screen.lines().rev().find(is_choices).map(str::to_owned)
        };
        assert_eq!(choices(screens(&again)[0]), choices(screen), "{again}");
        says(&again, &id);
        assert_eq!(kept(folder.path()), actions);
    }
    let server = Server::start(folder.path());
    let (_, tables) = server.get(&format!("{}/tables", server.host));
    assert_eq!(tables[0]["id"], id);
    assert_eq!(tables[0]["actions"], actions.len());
    // The server has the game open now, so the terminal cannot.
    let said = terminal(folder.path(), &format!("--resume {id}")).told(2);
    says(&said, &id);
}

/// Programs take the next seats, built-in players those that are left. The last line says how to go on.
#[test]
fn programs_take_seats() {
    for (game, program, names) in [
        ("cartagena", "bot=builtin:greedy", "You, bot, Cabin boy\n"),
        ("challenge", "challenge:bot=builtin:plain", "You, bot\n"),
        ("hearts", "hearts:bot=builtin:duck", "You, bot, Newcomer\n"),
        ("eights", "eights:bot=builtin:high", "You, bot, "),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let seats = if game == "cartagena" { "--seats 3" } else { "" };
        let words = format!("{game} --level 1 --seed 4 --program {program} {seats}");
        let first = told(folder.path(), &words, "1\n1\n1\nlog\n");
        says(&first, format!(": {names}"));
        says(&first, "\nbot: ");
        let kept = first.lines().last().unwrap();
        let (_, options) = kept.split_once("contest play --terminal ").unwrap();
        let unquoted = |option| str::trim_matches(option, '\'');
        let options: Vec<&str> = options.split(' ').map(unquoted).collect();
        assert_eq!(options[2..5], ["--program", program, "--resume"], "{kept}");
        let said = terminal(folder.path(), "--resume").told(2);
        says(&said, "the program bot plays in ");
        let again = told(folder.path(), &options[2..].join(" "), "");
        says(&again, format!(": {names}"));
    }
}

/// A program that fails is named, and asked again when the person wants it. The game can be taken back, and is kept.
#[test]
fn a_program_that_fails_is_named() {
    let (folder, bot) = scratch("bot");
    super::programs::install("#!/bin/sh\nexit 7\n", &bot.join("runme"));
    let tables = folder.path().join("tables");
    let words = format!("--seed 4 --program bot={}", bot.display());
    let told = told(&tables, &words, "1\n1\n1\n1\n\nundo\n");
    let screens = screens(&told);
    assert!(screens[2].contains("Your turn: "), "{told}");
    for failed in &screens[3..6] {
        says(failed, "Return asks again; or undo");
    }
    let reasons = told
        .matches("bot: crash: ended with exit status: 7")
        .count();
    assert_eq!(reasons, 2, "once at first, and once more by Return: {told}");
    assert!(screens[4].contains("There is nothing to decide."), "{told}");
    assert!(screens[6].contains("Your turn: "), "{told}");
}

#[test]
fn what_is_wrong_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let typed = "hello\n99\nplay 77\naccept\n\nundo\n0\n";
    let told = told(folder.path(), "challenge --level 1 --seed 4", typed);
    for expected in [
        "expected play_card RANK with a rank from 1 to 13",
        "99: expected a number from 1 to 5",
        "not \"play 77\"",
        "there is no challenge to answer",
        "nothing can be taken back",
        "0: expected a number from 1 to 5",
    ] {
        assert!(told.contains(expected), "{expected}: {told}");
    }
    assert_eq!(kept(folder.path()), Vec::<Value>::new());
}

#[test]
fn an_action_is_taken_back_by_notation_and_all() {
    let folder = tempfile::tempdir().unwrap();
    let typed = "offer_challenge\nundo\n?\nhelp\nq\n";
    let told = told(folder.path(), "challenge --level 1 --seed 6", typed);
    let screens = screens(&told);
    let numbered = |screen: &str| -> Vec<String> {
        let lines = screen.lines().filter(|line| line.starts_with(" 1 "));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(numbered(screens[0]), numbered(screens[2]), "{told}");
    assert!(screens[2].contains("Taken back."), "{told}");
    assert!(screens[3].contains("%  this hand: won"), "{told}");
    assert!(screens[4].contains("hint       shows"), "{told}");
    let lines = kept(folder.path());
    // The hint is noted, since such a game is not rated.
    let last = &lines[lines.len() - 2..];
    assert_eq!(last, [json!({ "back": 0 }), json!({ "hint": 0 })]);
}

#[test]
fn colours_are_those_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for (colour, expected) in [("always", true), ("never", false), ("auto", false)] {
        let told = told(folder.path(), &format!("challenge --colour {colour}"), "");
        assert_eq!(told.contains("\u{1b}["), expected, "{colour}: {told}");
    }
}

/// Whoever opens a game or a position sits down on the seat that acts next, and the actions before are taken.
#[test]
fn a_game_is_opened_from_a_file() {
    let (folder, tables) = scratch("tables");
    let here = env!("CARGO_MANIFEST_DIR");
    let example = format!("{here}/../../tests/data/cartagena/interface-example.txt");
    let told = told(&tables, &format!("--open {example}"), "1\nlog\n");
    says(&told, "Cartagena: Corsair 1, You, Corsair 2\n");
    says(&told, "\nYou: ");
    assert_eq!(kept(&tables)[0], json!({ "act": "2 0 7 hat" }));
    let record = folder.path().join("over.jsonl");
    let mut play = contest("cartagena play builtin:random builtin:rearmost --seed 5 --record");
    play.arg(&record).printed();
    let over = terminal(&tables, &format!("--open {}", record.display())).told(2);
    says(&over, "over.jsonl: the game is over");
    // A record of several games has one on each line.
    let twice = fs::read_to_string(&record).unwrap().repeat(2);
    fs::write(&record, twice).unwrap();
    let several = terminal(&tables, &format!("--open {}", record.display())).told(2);
    says(&several, "; the first line alone can be opened");
    let other = terminal(&tables, &format!("hearts --open {}", record.display())).told(2);
    says(&other, "this is a game or a position of Cartagena");
    let replayed = contest("challenge replay").arg(&record).told(2);
    says(&replayed, "contest \"cartagena\"");
    let hands = folder.path().join("hands.json");
    fs::write(&hands, r#"{"hands": ["2 3", "4 5", "6 7"]}"#).unwrap();
    let three = terminal(&tables, &format!("challenge --open {}", hands.display())).told(2);
    says(&three, "expected 2 players, not 3");
    let wrong = terminal(&tables, &format!("hearts --open {example}")).told(2);
    says(
        &wrong,
        "interface-example.txt: this is a game or a position of Cartagena",
    );
    let missing = terminal(&tables, "--open none.jsonl").told(2);
    says(&missing, "cannot read none.jsonl: No such file");
    let device = terminal(&tables, "--open /dev/zero").told(2);
    says(&device, "expected a file, found a device");
}

/// Where the latest game is in use, no other one is taken in its place.
#[test]
fn a_game_in_use_is_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    told(folder.path(), "challenge --seed 5", "1\n");
    let server = Server::start_with(folder.path(), &[]);
    let said = terminal(folder.path(), "--resume").told(2);
    says(&said, "contest: another process uses ");
    says(&said, "; --resume ID names another game");
    server.stop();
}

#[test]
fn what_cannot_be_played_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (words, expected) in [
        (
            "chess",
            "there is no game \"chess\": expected cartagena, challenge",
        ),
        (
            "challenge --level 9",
            "there is no level 9: expected 1 Guest",
        ),
        ("challenge --seats 3", "is played by 2, not by 3"),
        (
            "hearts --program bot=builtin:duck",
            "expected a program of hearts and not of cartagena: write hearts:bot=builtin:duck",
        ),
        (
            "--program bot=builtin:greedy --rule open-hands",
            "programs play by the contest's rules alone",
        ),
        ("--program builtin:cheat", "sees all hands"),
        ("--seats 0", "0 is not in 1..=255"),
        ("--seats 200", "is played by 2 to 6, not by 200"),
        (
            "--seats 2 --program a=builtin:greedy --program b=builtin:random",
            "you and a, b need 3 seats, not 2",
        ),
        ("--resume none", "none.jsonl"),
        ("--resume", "no game is under way"),
    ] {
        let said = terminal(folder.path(), words).told(2);
        assert!(said.contains(expected), "{words}: {said}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    for option in ["--level 3", "--rule passing", "--resume 1"] {
        let said = contest(&format!("play --no-open {option}")).told(2);
        let (name, _) = option.split_once(' ').unwrap();
        says(&said, format!("{name}: only with --terminal"));
    }
}
