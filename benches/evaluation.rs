//! Evaluations a second: features alone, a network from nothing, and over all the actions of a
//! decision, as a search asks.

use cartagena::boards;
use cartagena::evaluation::features::FeatureSet;
use cartagena::evaluation::{
    Afterstate, Evaluator, Network, NetworkEvaluator, NetworkFile, NetworkProbe, Probe, Shape,
};
use cartagena::rules::{Action, ActionList, Game, State};
use cartagena::world::World;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::rng;
use std::hint::black_box;
use std::path::Path;

/// The positions of a few games that the network plays without look-ahead.
fn positions(network: &NetworkEvaluator, players: usize) -> (Game, Vec<(State, ActionList)>) {
    let board = boards::standard(&mut rng::stream(1, 0));
    let game = Game::new(board, players);
    let mut probe = NetworkProbe::new(network);
    let mut positions = Vec::new();
    for seed in 0..10 {
        let mut world = World::deal(&game, 6, rng::stream(seed, 1));
        for _ in 0..60 * players {
            let mut list = ActionList::new();
            game.legal_actions(world.state(), &mut list);
            let state = *world.state();
            let chance = |&action: &Action| {
                let after = Afterstate::before(&state).then(action);
                if after.won() {
                    return 1.0;
                }
                probe.own_chance(&game, &after)
            };
            let values: Vec<f32> = list.iter().map(chance).collect();
            let best = (0..list.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]));
            let Some(best) = best else { break };
            let action = list[best];
            positions.push((state, list));
            world.act(&game, action);
        }
    }
    (game, positions)
}

fn evaluations(criterion: &mut Criterion) {
    for players in [2, 4] {
        let path = Path::new("../support").join(NetworkFile::name(players));
        let network = NetworkFile::read(&path, players).map_or_else(
            |_| {
                let shape = Shape {
                    players,
                    hidden: 64,
                };
                Network::random(shape, &mut rng::stream(1, 2))
            },
            |file| file.network,
        );
        let network = NetworkEvaluator::new(&network);
        let (game, positions) = positions(&network, players);
        let afters: Vec<Afterstate> = positions
            .iter()
            .flat_map(|(state, list)| {
                list.iter()
                    .map(|&action| Afterstate::before(state).then(action))
            })
            .filter(|after| !after.won())
            .collect();
        let mut group = criterion.benchmark_group(format!("evaluation/{players} players"));
        group.throughput(Throughput::Elements(afters.len() as u64));
        group.bench_function("features", |bencher| {
            bencher.iter(|| {
                for after in &afters {
                    black_box(FeatureSet::of(&game, black_box(after)));
                }
            });
        });
        group.bench_function("from nothing", |bencher| {
            bencher.iter(|| {
                for after in &afters {
                    black_box(network.own_chance(&game, after));
                }
            });
        });
        group.bench_function("one after the other", |bencher| {
            let mut probe = NetworkProbe::new(&network);
            bencher.iter(|| {
                for after in &afters {
                    black_box(probe.own_chance(&game, after));
                }
            });
        });
        group.bench_function("decisions", |bencher| {
            let mut probe = NetworkProbe::new(&network);
            let mut values = [0.0; 42];
            bencher.iter(|| {
                for (state, list) in &positions {
                    let before = Afterstate::before(state);
                    probe.rate(&game, &before, list, &mut values[..list.len()]);
                    black_box(&values);
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, evaluations);
criterion_main!(benches);
