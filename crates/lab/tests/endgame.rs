//! The solvers against plain search without tables, windows or merging.
// Helpers outside the test functions may unwrap too.
#![allow(clippy::unwrap_used)]

use engine::rng::{Random, stream};
use hearts::rules::{FIRST_LEAD, Options, deck};
use lab::tricks::endgame::{Ending, MaxN, Paranoid, distinct};
use std::cmp::Reverse;
use tricks::{Card, Cards, Hands, MAX_PLAYERS, Round as _, random_card, shuffled};

/// A round played at random until every hand has `cards` left and `extra` cards are on the table.
fn ending<R: Ending>(mut round: R, cards: usize, extra: usize, rng: &mut Random) -> R {
    while round.taking() || round.hand(0).len() > cards || !round.trick().is_empty() {
        round.act(random_card(round.legal(), rng));
    }
    for _ in 0..extra {
        round.act(random_card(round.legal(), rng));
    }
    round
}

fn eights(seed: u64, cards: usize) -> eights::rules::Round {
    let mut rng = stream(seed, 1);
    let round = eights::deal::deal(seed as usize % 4, &mut rng);
    ending(round, cards, seed as usize % 4, &mut rng)
}

fn hearts(seed: u64, cards: usize) -> hearts::rules::Round {
    let mut rng = stream(seed, 2);
    let players = 3 + seed as usize % 4;
    let round = hearts::deal::deal(players, Options::default(), &mut rng);
    ending(round, cards, seed as usize % players, &mut rng)
}

/// A round in which one seat has taken every trick so far, so that it can still shoot the moon: it
/// was dealt the highest cards and played them first.
fn one_taker(seed: u64, cards: usize) -> hearts::rules::Round {
    let mut rng = stream(seed, 4);
    let players = 3 + seed as usize % 4;
    let taker = seed as usize % players;
    let mut deck = shuffled(deck(players) - FIRST_LEAD.into(), &mut rng);
    let size = deck.len() / players + 1;
    // Hearts last, as they may not be led before one is thrown.
    let order = |card: &Card| (Reverse(card.rank()), card.suit() == tricks::Suit::Hearts);
    let mut high = deck.clone();
    high.sort_by_key(order);
    high.truncate(size - cards);
    deck.retain(|card| !high.contains(card));
    let mut hands = Hands::default();
    hands[taker] = high.iter().copied().collect();
    hands[(taker + 1) % players].insert(FIRST_LEAD);
    for hand in &mut hands[..players] {
        while hand.len() < size {
            hand.insert(deck.pop().unwrap());
        }
    }
    let mut round =
        hearts::rules::Round::new(players, (taker + 1) % players, hands, Options::default());
    while round.hand(0).len() > cards || !round.trick().is_empty() {
        let legal = round.legal();
        let winners = high.iter().copied().filter(|&card| legal.contains(card));
        let card = match round.to_act() == Some(taker) {
            true => winners.min_by_key(order),
            false => None,
        };
        round.act(card.unwrap_or_else(|| random_card(legal, &mut rng)));
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
        assert!((again - plain).abs() < 1e-3, "the table says {again}");
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

/// Positions in which one seat has all points so far, and those in which nobody has any, are solved
/// for the moon too.
#[test]
fn moons_are_solved_exactly() {
    let mut moons = 0;
    for seed in 0..30 {
        let round = one_taker(seed, 2);
        let takers = (0..round.players()).filter(|&seat| round.points(seat) > 0);
        moons += usize::from(takers.count() == 1);
        check(&round);
    }
    assert!(moons > 15, "{moons} positions");
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
