//! Checks on the sources that hold the boundaries which the crates alone cannot enforce.
//! `docs/architecture.md` lists all boundaries as numbered invariants.

use super::sources::{code, files, is_test};

/// The games, with the folder of each player's sources.
const GAMES: [(&str, &str); 4] = [
    ("cartagena", "src"),
    ("challenge", "crates/challenge/src"),
    ("eights", "crates/eights/src"),
    ("hearts", "crates/hearts/src"),
];

/// The code of the files in a folder, without comments and tests, by their paths.
fn codes(folder: &str) -> impl Iterator<Item = (String, String)> {
    let sources = files(folder, ".rs").into_iter();
    sources
        .filter(|(path, _)| !is_test(path))
        .map(|(path, text)| (path, code(&text)))
}

/// Checks that none of these words occurs in the code of the files in a folder that are meant, and counts these files. A
/// word is a name or a path such as `std::fs`.
fn has_none(folder: &str, words: &[&str], is_meant: impl Fn(&str) -> bool) -> usize {
    let mut count = 0;
    for (path, code) in codes(folder).filter(|(path, _)| is_meant(path)) {
        count += 1;
        let parts: Vec<&str> = code
            .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
            .flat_map(|path| {
                let names = path.split("::");
                names.chain([path])
            })
            .collect();
        for word in words {
            assert!(!parts.contains(word), "{word} in {path}");
        }
    }
    count
}

/// Invariant 1: rules draw no random numbers, read no clock and do no input or output.
#[test]
fn rules_are_pure() {
    let impure = [
        "rng",
        "rand",
        "Random",
        "Rng",
        "std::io",
        "std::fs",
        "std::net",
        "std::time",
        "std::env",
        "std::thread",
        "Instant",
        "SystemTime",
    ];
    for (_, folder) in GAMES {
        let is_rules = |path: &str| {
            let inside = &path[folder.len() + 1..];
            inside.starts_with("rules/") || inside == "rules.rs"
        };
        assert!(
            has_none(folder, &impure, is_rules) > 0,
            "{folder} has no rules"
        );
    }
}

/// Invariant 3: no game names another, and what several games share names none.
#[test]
fn games_do_not_name_each_other() {
    for (game, folder) in GAMES {
        let others = GAMES.map(|other| other.0);
        let others: Vec<&str> = others.into_iter().filter(|&other| other != game).collect();
        has_none(folder, &others, |_| true);
    }
    for shared in ["crates/arena/src", "crates/engine/src", "crates/tricks/src"] {
        has_none(shared, &GAMES.map(|game| game.0), |_| true);
    }
}

/// Invariant 7: no player decides by the platform's mathematics library, as its results differ from machine
/// to machine. `engine::numerics` has functions whose results are the same to the last bit everywhere. Square
/// roots are exact everywhere, so they are allowed.
#[test]
fn players_use_no_function_of_the_platforms_mathematics() {
    let functions = [
        "ln", "ln_1p", "log2", "log10", "exp", "exp2", "exp_m1", "powf", "sin", "cos", "tan",
        "tanh", "atan", "hypot", "cbrt", "mul_add",
    ];
    let shared = ["crates/engine/src", "crates/tricks/src"];
    let players = GAMES.iter().map(|game| game.1).chain(shared);
    for (path, code) in players.flat_map(codes) {
        for function in functions {
            let call = format!(".{function}(");
            assert!(!code.contains(&call), "{call}) in {path}");
        }
    }
}
