//! Solving the last seven cards of each hand in rounds with all hands open.
#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use engine::rng::{Random, below, stream};
use std::hint::black_box;
use tricks::Ending;
use tricks::endgame::{MaxN, Paranoid};

const CARDS: usize = 7;
const WORLDS: u64 = 20;

/// A round played at random until every hand has seven cards.
fn ending<R: Ending>(mut round: R, taking: impl Fn(&R) -> bool, random: &mut Random) -> R {
    while taking(&round) || round.hand(0).len() > CARDS || !round.table().is_empty() {
        let legal = round.legal();
        let card = legal.into_iter().nth(below(random, legal.len()));
        round.act(card.expect("something is legal"));
    }
    round
}

fn solve<R: Ending>(criterion: &mut Criterion, game: &str, rounds: &[R]) {
    let mut group = criterion.benchmark_group(format!("{game}, {WORLDS} worlds"));
    group.sample_size(10);
    group.bench_function("paranoid", |bencher| {
        bencher.iter(|| {
            let values = rounds.iter().map(|round| Paranoid::new(0).solve(round));
            black_box(values.sum::<f32>())
        });
    });
    group.bench_function("max^n", |bencher| {
        bencher.iter(|| {
            let values = rounds.iter().map(|round| MaxN::new().solve(round)[0]);
            black_box(values.sum::<f32>())
        });
    });
    group.finish();
}

fn endings(criterion: &mut Criterion) {
    let mut random = stream(1, 0);
    let rounds: Vec<_> = (0..WORLDS)
        .map(|number| {
            let round = eights::rules::Round::deal(number as usize % 4, &mut random);
            ending(round, eights::rules::Round::taking, &mut random)
        })
        .collect();
    solve(criterion, "Eights", &rounds);
    let rounds: Vec<_> = (0..WORLDS)
        .map(|_| {
            let options = hearts::rules::Options::default();
            ending(
                hearts::rules::Round::deal(4, options, &mut random),
                |_| false,
                &mut random,
            )
        })
        .collect();
    solve(criterion, "Hearts", &rounds);
}

criterion_group!(benches, endings);
criterion_main!(benches);
