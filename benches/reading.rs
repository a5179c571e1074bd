//! Reading a game: the contest's text parsed, replayed, and worlds sampled from what is known.

use cartagena::belief::{ReplayOptions, replay};
use cartagena::notation::{parse, print};
use criterion::{Criterion, criterion_group, criterion_main};
use engine::rng;
use std::hint::black_box;

const EXAMPLE: &str = include_str!("../tests/data/cartagena/interface-example.txt");
const RESHUFFLED: &str = include_str!("../tests/data/cartagena/reshuffled-5-players.txt");

fn reading(criterion: &mut Criterion) {
    for (name, text) in [("example", EXAMPLE), ("reshuffled", RESHUFFLED)] {
        let mut group = criterion.benchmark_group(name);
        let record = parse(text.as_bytes()).expect("a game");
        let known = replay(&record, &ReplayOptions::default());
        let mut rng = rng::stream(1, 0);
        group.bench_function("parse", |b| b.iter(|| parse(black_box(text.as_bytes()))));
        group.bench_function("print", |b| b.iter(|| print(black_box(&record))));
        group.bench_function("replay", |b| {
            b.iter(|| replay(black_box(&record), &ReplayOptions::default()));
        });
        group.bench_function("sample", |b| {
            b.iter(|| known.belief.sample(&known.view, &mut rng));
        });
        group.finish();
    }
}

criterion_group!(benches, reading);
criterion_main!(benches);
