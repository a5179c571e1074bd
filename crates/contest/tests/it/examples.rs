//! Checks the examples at the end of each command's help: every command has some, they can be parsed, and
//! those that need nothing else are run.

use super::programs::{CONTEST, Command, program};
use clap::Command as CommandLine;
use std::fs;
use std::path::Path;

/// The command line of each program, with its examples.
fn programs() -> [(CommandLine, &'static str); 6] {
    [
        (contest::command(), contest::EXAMPLES),
        (lab::command(), lab::EXAMPLES),
        (cartagena::program::command(), ""),
        (challenge::program::command(), ""),
        (eights::program::command(), ""),
        (hearts::program::command(), ""),
    ]
}

/// All commands that have no commands below them, with their full names.
fn leaves(command: &CommandLine, path: &str, found: &mut Vec<(String, CommandLine)>) {
    let visible = |one: &&CommandLine| !one.is_hide_set() && one.get_name() != "help";
    let below: Vec<&CommandLine> = command.get_subcommands().filter(visible).collect();
    if below.is_empty() {
        found.push((path.to_owned(), command.clone()));
    }
    for one in below {
        leaves(one, &format!("{path} {}", one.get_name()), found);
    }
}

#[test]
fn every_help_ends_with_examples_and_says_a_default_once() {
    for (command, _) in programs() {
        let mut all = Vec::new();
        leaves(&command, command.get_name(), &mut all);
        for (path, leaf) in all {
            let help = leaf.get_after_help().map(ToString::to_string);
            let help = help.unwrap_or_default();
            assert!(
                help.contains(&format!("Examples:\n  {path}")),
                "{path}: {help}"
            );
            for argument in leaf.get_arguments() {
                let told = argument.get_help().map(ToString::to_string);
                let is_told = told.is_some_and(|told| told.contains("[default"));
                let is_shown = !argument.get_default_values().is_empty()
                    && !argument.is_hide_default_value_set();
                assert!(!(is_told && is_shown), "{path}: {}", argument.get_id());
            }
        }
    }
}

/// Whoever asks a script for help gets its comment, and nothing is done.
#[test]
fn every_script_has_a_help() {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts");
    for entry in fs::read_dir(scripts).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let Some(shell) = text.strip_prefix("#!") else {
            continue;
        };
        if shell.starts_with("/usr/bin/env python3") && Command::new("python3").output().is_err() {
            eprintln!("not tested: {}: no python3", path.display());
            continue;
        }
        let told = Command::new(&path).arg("--help").output().unwrap();
        assert!(told.status.success(), "{}", path.display());
        // The second line of a script begins to say what it is for.
        let second = text.lines().nth(1).unwrap();
        let begin = second.trim_start_matches(['#', '"', ' ']);
        let told = String::from_utf8(told.stdout).unwrap();
        assert!(told.starts_with(begin), "{}: {told}", path.display());
    }
}

/// Splits a line into words; text between quotes is one word.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

#[test]
fn every_example_can_be_read() {
    for (command, examples) in programs() {
        for line in examples.lines() {
            let read = command.clone().try_get_matches_from(words(line));
            assert!(read.is_ok(), "{line}: {}", read.unwrap_err());
        }
    }
}

/// Commands that are not run: they go on until they are stopped, ask a person, need somebody's own programs
/// or servers, or take long; the inference of Hearts is run.
const NOT_RUN: [&str; 13] = [
    "contest play",
    "contest cartagena check",
    "contest cartagena play human",
    "contest challenge serve",
    "contest challenge load",
    "contest challenge slow",
    "contest challenge replay",
    "contest eights dispatch",
    "contest eights serve",
    "contest hearts serve",
    "lab cartagena self-play",
    "lab challenge solve",
    "lab eights inference",
];

/// The examples are run in their order, as some need the files that earlier ones write.
#[test]
fn the_examples_work() {
    let place = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let game = root.join("tests/data/cartagena/interface-example.txt");
    fs::copy(game, place.path().join("game.txt")).unwrap();
    for line in contest::EXAMPLES.lines().chain(lab::EXAMPLES.lines()) {
        if NOT_RUN.iter().any(|other| line.starts_with(other)) {
            continue;
        }
        let words = words(line);
        let mut command = match &*words[0] {
            "contest" => Command::new(CONTEST),
            other => Command::new(program(other)),
        };
        let output = command.current_dir(place.path()).args(&words[1..]).output();
        let output = output.unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {told}");
    }
}
