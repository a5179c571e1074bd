//! Solving the last seven cards of each hand in rounds with all hands open.
#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use engine::rng::{Random, stream};
use lab::tricks::endgame::{Ending, MaxN, Paranoid};
use std::hint::black_box;
use tricks::random_card;

const CARDS: usize = 7;
const WORLDS: u64 = 20;

/// A round played at random until every hand has seven cards.
fn ending<R: Ending>(mut round: R, rng: &mut Random) -> R {
    while round.taking() || round.hand(0).len() > CARDS || !round.trick().is_empty() {
        round.act(random_card(round.legal(), rng));
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
    let mut rng = stream(1, 0);
    let rounds: Vec<_> = (0..WORLDS)
        .map(|number| ending(eights::deal::deal(number as usize % 4, &mut rng), &mut rng))
        .collect();
    solve(criterion, "Eights", &rounds);
    let options = hearts::rules::Options::default();
    let rounds: Vec<_> = (0..WORLDS)
        .map(|_| ending(hearts::deal::deal(4, options, &mut rng), &mut rng))
        .collect();
    solve(criterion, "Hearts", &rounds);
}

criterion_group!(benches, endings);
criterion_main!(benches);
