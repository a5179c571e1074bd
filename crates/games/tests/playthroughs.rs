//! Golden playthroughs of all games, in `tests/data/playthroughs`. This command makes them again:
//!
//! ```text
//! GOLDEN=write cargo test -p games --test playthroughs
//! ```

#![allow(clippy::unwrap_used)]

#[path = "../../contest/tests/it/golden.rs"]
mod golden;

use engine::rng::{below, stream, unit};
use games::{AnyHistory, Eyes, Id, game, ids, playthrough};
use serde_json::{Value, json};

/// Compares a playthrough with its golden file. Nine times in ten one of the `common` actions is chosen, so that
/// the game ends.
fn check(
    file: &str,
    (name, options): (&str, Value),
    seed: u64,
    common: impl Fn(&dyn AnyHistory, &str) -> bool,
) {
    let mut rng = stream(seed, 1);
    let text = playthrough::text(&game(name, options).unwrap(), seed, |history| {
        let all: Vec<Id> = ids(history.legal()).collect();
        let is_common = |id: &Id| common(history, &history.action_text(*id));
        let some: Vec<Id> = all.iter().copied().filter(is_common).collect();
        let from = match some.is_empty() || unit(&mut rng) < 0.1 {
            true => all,
            false => some,
        };
        from[below(&mut rng, from.len())]
    });
    golden::check(&format!("playthroughs/{file}.txt"), &text);
}

fn cartagena(players: usize, deal: usize, seed: u64) {
    let options = json!({"players": players, "deal": deal});
    cartagena_with(&format!("cartagena-{players}"), options, seed);
}

/// A player with few cards draws some, with pirates that are not on the boat yet; one with many plays them.
fn cartagena_with(file: &str, options: Value, seed: u64) {
    check(file, ("cartagena", options), seed, |history, words| {
        let view = history.view(Eyes::All);
        let mover = view["to_move"].as_u64().unwrap() as usize;
        let boat = view["board"].as_array().unwrap().len() + 1;
        match words.split(' ').collect::<Vec<_>>()[..] {
            [_, _, _, _card] => view["hand_sizes"][mover].as_u64() > Some(3),
            [_, from, _] => from != boat.to_string(),
            _ => true,
        }
    });
}

#[test]
fn cartagena_for_two() {
    cartagena(2, 3, 1);
}

#[test]
fn cartagena_for_three() {
    cartagena(3, 3, 2);
}

#[test]
fn cartagena_for_six() {
    cartagena(6, 6, 3);
}

#[test]
fn cartagena_with_open_hands() {
    let options = json!({
        "players": 3, "pirates": 4, "open_hands": true, "boat_retreat": false, "early_pass": true,
        "board": "hgkbsd", "max_turns": 20,
    });
    cartagena_with("cartagena-open", options, 7);
}

/// An accepted challenge decides the game, so few are accepted.
#[test]
fn challenge() {
    let common = |_: &dyn AnyHistory, words: &str| !["offer", "accept"].contains(&words);
    check("challenge", ("challenge", json!({})), 4, common);
}

#[test]
fn challenge_with_other_options() {
    let options =
        json!({"goal": 2, "cards": 2, "ranks": 4, "copies": 2, "lead_after_tie": "alternate"});
    check("challenge-small", ("challenge", options), 8, |_, _| true);
}

#[test]
fn eights() {
    check("eights", ("eights", json!({"dealer": 1})), 5, |_, _| true);
}

#[test]
fn hearts() {
    check("hearts", ("hearts", json!({})), 6, |_, _| true);
}

#[test]
fn hearts_with_passing() {
    let options = json!({"players": 5, "passing": "right", "clean_first_trick": true});
    check("hearts-passing", ("hearts", options), 9, |_, _| true);
}
