//! Random games of every kind, held to the laws of `laws::games`.
#![allow(missing_docs)]

use engine::rng::{Random, below, stream};
use laws::games::{Duel, Observers, Pirates, Table, check, eights, hearts};

/// Plays random games for at most so many actions.
fn play<T: Table>(games: u64, longest: usize, start: impl Fn(&mut Random) -> T) {
    for number in 0..games {
        let mut rng = stream(number, 77);
        let first = start(&mut rng);
        let mut left = longest;
        let mut choices = stream(number, 78);
        let choose = |count: usize| {
            left = left.checked_sub(1)?;
            Some(below(&mut choices, count))
        };
        check(first, Observers::All, choose, &mut rng);
    }
}

#[test]
fn tricky_eights() {
    play(40, usize::MAX, eights);
}

#[test]
fn hearts_of_three_to_six() {
    play(60, usize::MAX, hearts);
}

#[test]
fn cartagena() {
    play(12, 250, Pirates::start);
}

#[test]
fn the_challenge_card_game() {
    play(60, 2000, |rng| {
        Duel::start(stream(below(rng, 1 << 30) as u64, 3))
    });
}
