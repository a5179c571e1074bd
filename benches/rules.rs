//! Random playouts through the fast rules and through the naive ones, the same games.

mod naive;

use cartagena::boards;
use cartagena::perft;
use cartagena::rules::{Action, ActionList, Game};
use cartagena::world::World;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::rng;
use naive::Naive;
use std::hint::black_box;

/// Actions after which a playout is cut.
const LONGEST: usize = 1000;

/// Plays at random to the end and returns the number of actions.
fn fast(game: &Game, mut world: World, seed: u64) -> usize {
    let mut rng = rng::stream(seed, 2);
    let mut list = ActionList::new();
    for count in 0..LONGEST {
        game.legal_actions(world.state(), &mut list);
        let action = match list.len() {
            0 if world.state().winner().is_some() => return count,
            0 => Action::Pass,
            n => list[rng::below(&mut rng, n)],
        };
        world.act(game, action);
    }
    LONGEST
}

fn naive(mut world: Naive, seed: u64) -> usize {
    let mut rng = rng::stream(seed, 2);
    for count in 0..LONGEST {
        let list = world.legal_actions();
        let action = match list.len() {
            0 if world.is_over() => return count,
            0 => Action::Pass,
            n => list[rng::below(&mut rng, n)],
        };
        world.act(action);
    }
    LONGEST
}

fn playouts(criterion: &mut Criterion) {
    for players in [2, 4] {
        let board = boards::standard(&mut rng::stream(1, 0));
        let spaces = board.spaces().to_vec();
        let game = Game::new(board, players);
        let mut group = criterion.benchmark_group(format!("playouts/{players} players"));
        let seeds = 0..20u64;
        let starts: Vec<_> = seeds
            .clone()
            .map(|seed| World::deal(&game, 3, rng::stream(seed, 1)))
            .collect();
        let plain: Vec<_> = seeds
            .map(|seed| Naive::deal(spaces.clone(), players, 3, rng::stream(seed, 1)))
            .collect();
        let run_fast = || -> usize {
            let games = starts.iter().zip(0..);
            games
                .map(|(world, seed)| fast(&game, world.clone(), seed))
                .sum()
        };
        let run_naive = || -> usize {
            let games = plain.iter().zip(0..);
            games.map(|(world, seed)| naive(world.clone(), seed)).sum()
        };
        let actions = run_fast();
        assert_eq!(actions, run_naive(), "both play the same games");
        group.throughput(Throughput::Elements(actions as u64));
        group.bench_function("fast", |bench| bench.iter(|| black_box(run_fast())));
        group.bench_function("naive", |bench| bench.iter(|| black_box(run_naive())));
        group.finish();
    }
}

fn perft_of_example(criterion: &mut Criterion) {
    let (game, world) = perft::example();
    let mut group = criterion.benchmark_group("perft");
    group.throughput(Throughput::Elements(perft::count(&game, &world, 5)));
    group.bench_function("5", |bench| {
        bench.iter(|| perft::count(&game, black_box(&world), 5))
    });
    group.finish();
}

criterion_group!(benches, playouts, perft_of_example);
criterion_main!(benches);
