//! Random games of every kind, held to the laws of [`games::laws`] for all of their seats.
#![allow(clippy::unwrap_used)]

use engine::rng::{below, stream};
use games::laws::{Observers, check};
use serde_json::{Value, json};

/// Plays random games of at most `longest` actions each.
fn play(games: u64, longest: usize, name: &str, options: impl Fn(u64) -> Value) {
    for number in 0..games {
        let game = games::game(name, options(number)).unwrap();
        let mut left = longest;
        let (mut choices, mut worlds) = (stream(number, 78), stream(number, 79));
        let choose = |count: usize| {
            left = left.checked_sub(1)?;
            Some(below(&mut choices, count))
        };
        check(&game, Some(number), Observers::All, choose, &mut worlds);
    }
}

#[test]
fn tricky_eights() {
    play(
        20,
        usize::MAX,
        "eights",
        |number| json!({"dealer": number % 4}),
    );
}

#[test]
fn hearts_of_three_to_six() {
    play(
        24,
        usize::MAX,
        "hearts",
        |number| json!({"players": 3 + number % 4, "clean_first_trick": number % 8 < 4}),
    );
}

#[test]
fn cartagena() {
    play(
        10,
        120,
        "cartagena",
        |number| json!({"players": 2 + number % 5, "deal": 3 + 3 * (number % 2)}),
    );
}

#[test]
fn the_challenge_card_game() {
    play(6, 400, "challenge", |_| json!({}));
}
