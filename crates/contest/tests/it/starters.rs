//! Tests of the starter programs in `examples/smallest`: each plays whole games with the referee of its
//! contest.

use super::hearts_server::{Bot, Host, pipes};
use super::programs::{CONTEST, Command, contest_in, says};
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The path of a starter program.
fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/smallest")
        .join(name)
}

/// The interpreter and the path of a script. Without the interpreter `None`, and a line says so.
fn script(interpreter: &str, name: &str) -> Option<Vec<String>> {
    is_there(interpreter).then(|| vec![interpreter.to_owned(), example(name).display().to_string()])
}

/// The same for a program in C, which is compiled into the folder.
fn compiled(folder: &Path, name: &str) -> Option<Vec<String>> {
    if !is_there("cc") {
        return None;
    }
    let program = folder.join("bot");
    let built = Command::new("cc")
        .args(["-O2", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(example(name))
        .status()
        .unwrap();
    assert!(built.success(), "{name}");
    Some(vec![program.display().to_string()])
}

fn is_there(program: &str) -> bool {
    let started = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let is_missing = matches!(&started, Err(error) if error.kind() == ErrorKind::NotFound);
    if is_missing {
        eprintln!("no {program}: not tested");
    }
    !is_missing
}

/// Four copies of a program play a game of Tricky Eights, `times` times; the seed is the game.
fn eights(program: Option<Vec<String>>, times: usize) {
    let Some(program) = program else { return };
    let folder = tempfile::tempdir().unwrap();
    // Python and some shells need more than the contest's 4 MB.
    let options = "eights dispatch --isolate none --memory none";
    let games = (0..times).map(|_| {
        let mut dispatch = contest_in(folder.path(), options);
        dispatch.arg("contest eights serve");
        dispatch.args(vec![program.join(" "); 4]).arg("5");
        let told = dispatch.told(0);
        says(&told, " has won after ");
        assert!(!told.contains("disqualified"), "{told}");
        fs::read_to_string(folder.path().join("te.log")).unwrap()
    });
    let logs: BTreeSet<String> = games.collect();
    assert_eq!(logs.len(), 1);
}

#[test]
fn the_shell_program_plays_tricky_eights() {
    eights(script("sh", "eights/bot.sh"), 1);
}

#[test]
fn the_python_program_plays_tricky_eights() {
    eights(script("python3", "eights/bot.py"), 2);
}

/// Copies of a program play Hearts, in groups of every size and by each of the server's rules.
fn hearts(program: Option<Vec<String>>) {
    let Some(program) = program else { return };
    for (players, options) in [
        (3, &["--strict"][..]),
        (4, &["--strict"]),
        (5, &["--original"]),
        (6, &[]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut host = Host::start(folder.path(), players, players, 5, options);
        let bot = |number| {
            let child = Command::new(&program[0])
                .args(&program[1..])
                .args(pipes(folder.path(), number))
                .stdin(Stdio::null())
                .spawn();
            Bot(child.unwrap())
        };
        let bots: Vec<Bot> = (0..players).map(bot).collect();
        host.begin(players);
        let said = host.end();
        bots.into_iter().for_each(|mut bot| bot.ends_well());
        says(&said, "group 1: 5 of 5 rounds\n");
    }
}

#[test]
fn the_python_program_plays_hearts() {
    hearts(script("python3", "hearts/bot.py"));
}

#[test]
fn the_c_program_plays_hearts() {
    let folder = tempfile::tempdir().unwrap();
    hearts(compiled(folder.path(), "hearts/bot.c"));
}

/// A program plays the challenge game against players that offer challenges and players that do not.
fn challenge(program: Option<&Path>) {
    let Some(program) = program else { return };
    for opponent in ["bully", "random", "need"] {
        let said = Command::new(CONTEST)
            .args(["challenge", "match", "--isolate", "none", "--games", "4"])
            .arg(format!("me={}", program.display()))
            .arg(opponent)
            .printed();
        assert!(said.starts_with("4 games, "), "{said}");
        assert!(!said.contains("fault"), "{said}");
    }
}

#[test]
fn the_python_program_plays_the_challenge_game() {
    let program = script("python3", "challenge/bot.py");
    challenge(program.map(|_| example("challenge/bot.py")).as_deref());
}

#[test]
fn the_c_program_plays_the_challenge_game() {
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(folder.path(), "challenge/bot.c");
    challenge(program.map(|program| PathBuf::from(&program[0])).as_deref());
}
