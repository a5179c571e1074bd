//! The solvers against plain search without tables, windows or merging.
// Helpers outside the test functions may unwrap too.
#![allow(clippy::unwrap_used)]

use engine::rng::{Random, stream};
use tricks::endgame::distinct;
use tricks::endgame::{MaxN, Paranoid};
use tricks::monte_carlo::any;
use tricks::{Cards, Ending, MAX_PLAYERS};

/// A round played at random until every hand has `cards` left and `extra` cards are on the table.
fn ending<R: Ending>(mut round: R, cards: usize, extra: usize, random: &mut Random) -> R {
    while round.hand(0).len() > cards || !round.table().is_empty() {
        let card = any(round.legal(), random);
        round.act(card);
    }
    for _ in 0..extra {
        let card = any(round.legal(), random);
        round.act(card);
    }
    round
}

fn eights(seed: u64, cards: usize) -> eights::rules::Round {
    let mut random = stream(seed, 1);
    let round = eights::rules::Round::deal(seed as usize % 4, &mut random);
    let mut round = round;
    while round.taking() {
        let card = any(tricks::Round::legal(&round), &mut random);
        tricks::Round::act(&mut round, card);
    }
    ending(round, cards, seed as usize % 4, &mut random)
}

fn hearts(seed: u64, cards: usize) -> hearts::rules::Round {
    let mut random = stream(seed, 2);
    let players = 3 + seed as usize % 4;
    let options = hearts::rules::Options::default();
    let round = hearts::rules::Round::deal(players, options, &mut random);
    let mut round = ending(round, cards, seed as usize % players, &mut random);
    if seed.is_multiple_of(3) {
        // As if one seat had everything so far: the moon is still there to be shot.
        round.give_all(seed as usize % players);
    }
    round
}

fn plain_paranoid<R: Ending>(round: &R, seat: usize) -> f32 {
    let Some(actor) = round.to_act() else {
        return round.value(seat);
    };
    let values = round.legal().into_iter().map(|card| {
        let mut next = round.clone();
        next.act(card);
        plain_paranoid(&next, seat)
    });
    let pick = if actor == seat { f32::max } else { f32::min };
    values.reduce(pick).unwrap()
}

fn plain_max_n<R: Ending>(round: &R) -> [f32; MAX_PLAYERS] {
    let Some(actor) = round.to_act() else {
        return std::array::from_fn(|seat| {
            if seat < round.players() {
                round.value(seat)
            } else {
                0.0
            }
        });
    };
    let values = round.legal().into_iter().map(|card| {
        let mut next = round.clone();
        next.act(card);
        plain_max_n(&next)
    });
    values
        .reduce(|best, next| {
            if next[actor] > best[actor] + 1e-4 {
                next
            } else {
                best
            }
        })
        .unwrap()
}

fn check<R: Ending>(round: &R) {
    for seat in 0..round.players() {
        let mut solver = Paranoid::new(seat);
        let (value, plain) = (solver.solve(round), plain_paranoid(round, seat));
        assert!(
            (value - plain).abs() < 1e-3,
            "seat {seat}: {value}, not {plain}"
        );
        let again = solver.solve(round);
        assert!((again - plain).abs() < 1e-3, "the table remembers {again}");
    }
    let (values, plain) = (MaxN::new().solve(round), plain_max_n(round));
    for seat in 0..round.players() {
        assert!(
            (values[seat] - plain[seat]).abs() < 1e-3,
            "{values:?}, not {plain:?}"
        );
    }
}

#[test]
fn eights_endings_are_solved_exactly() {
    (0..60).for_each(|seed| check(&eights(seed, 3)));
}

#[test]
fn hearts_endings_are_solved_exactly() {
    (0..60).for_each(|seed| check(&hearts(seed, if seed % 4 > 1 { 2 } else { 3 })));
}

/// Neighbours of the same worth are one card; an eight is a card of its own, and what another hand
/// holds in between keeps cards apart.
#[test]
fn neighbours_are_merged() {
    let hand = |cards: &str| -> Cards {
        let cards = cards
            .split(' ')
            .map(|card| eights::protocol::parse_card(card).unwrap());
        cards.collect()
    };
    let own = hand("c2 c3 c7 c8 c9 ct h2 h4");
    let hands = [own, hand("c5 h3"), Cards::EMPTY, Cards::EMPTY];
    let round = eights::rules::Round::new(0, hands, Cards::EMPTY);
    assert_eq!(distinct(&round), hand("c2 c7 c8 c9 h2 h4"));
}
