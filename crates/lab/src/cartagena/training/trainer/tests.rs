//! Short runs, in one piece, on several threads, and resumed.

use super::super::checkpoint;
use super::*;
use crate::cartagena::training::{Policy, play_match};

fn small(players: usize, games: u64) -> Config {
    let mut config = Config::new(players, Budget::Games(games));
    config.hidden = 32;
    config.warm_up = games / 2;
    config.rate = 4e-3;
    config
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
        .install(work)
}

/// A short run learns, and gives the same network on one thread and on three.
#[test]
fn learns_the_same_on_any_number_of_threads() {
    let run = || {
        let mut trainer = Trainer::new(small(2, 240));
        let mut progress = Progress::default();
        while trainer.done() < 1.0 {
            trainer.round(&mut progress);
        }
        (trainer, progress)
    };
    let (one, progress) = on_threads(1, run);
    let (three, same) = on_threads(3, run);
    assert_eq!(one.network(), three.network());
    assert_eq!(progress, same);
    assert_eq!((one.games(), progress.games), (240, 240));

    // Samples from games of the heuristic that were not learnt from.
    let fresh = Trainer::new(small(2, 240));
    let raw = NetworkEvaluator::new(fresh.network());
    let mut other = fresh.clone();
    other.config.seed = 99;
    let samples: Vec<Sample> = (0..20)
        .flat_map(|number| other.config.play(&raw, number).samples)
        .collect();
    let loss = |network: &Network| {
        let mut waste = vec![0.0; network.weights().len()];
        loss_and_gradient(network, &samples, &mut waste) / samples.len() as f64
    };
    let (before, after) = (loss(fresh.network()), loss(one.network()));
    assert!(after < 0.95 * before, "{before} to {after}");

    let trained = NetworkEvaluator::new(one.network());
    let result = play_match(
        Policy::Network(&trained),
        Policy::Network(&raw),
        &small(2, 1).setups,
        30,
        1,
    );
    assert_eq!(result.games, 60);
    assert!(result.share > 0.8, "{result}");
}

/// A second stage with every option goes on from the first one's network and gives the same on
/// one thread, on three, and after a stop.
#[test]
fn a_second_stage_starts_from_a_network() {
    let mut first = Trainer::new(small(3, 24));
    while first.done() < 1.0 {
        first.round(&mut Progress::default());
    }
    let mut config = small(3, 12);
    config.warm_up = 0;
    config.seed = 5;
    config.behaviour.burst = 4;
    let second = || Trainer::from_network(config.clone(), first.network().clone());
    assert_eq!(second().network(), first.network());
    let run = || {
        let mut trainer = second();
        while trainer.done() < 1.0 {
            trainer.round(&mut Progress::default());
        }
        trainer
    };
    let one = on_threads(1, run);
    assert_eq!(one.network(), on_threads(3, run).network());
    assert_ne!(one.network(), first.network());

    let folder = tempfile::tempdir().unwrap();
    let path = checkpoint::beside(&folder.path().join("some.net"));
    let mut half = second();
    half.round(&mut Progress::default());
    checkpoint::write(&path, &half).unwrap();
    let mut resumed = checkpoint::read(&path, config.clone()).unwrap();
    resumed.round(&mut Progress::default());
    assert_eq!(resumed.network(), one.network());
}

/// A run that was stopped and resumed ends with the same network as one in one piece.
#[test]
fn resumes_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = checkpoint::beside(&folder.path().join("some.net"));
    let config = small(3, 24);
    let mut straight = Trainer::new(config.clone());
    let mut progress = Progress::default();
    straight.round(&mut progress);
    straight.round(&mut progress);
    checkpoint::write(&path, &straight).unwrap();
    let mut resumed = checkpoint::read(&path, config.clone()).unwrap();
    for trainer in [&mut straight, &mut resumed] {
        while trainer.done() < 1.0 {
            trainer.round(&mut progress);
        }
    }
    assert_eq!(straight.network(), resumed.network());
    assert_eq!(resumed.games(), 24);

    let other = Config { seed: 2, ..config };
    assert!(checkpoint::read(&path, other).is_err());
    std::fs::write(&path, b"short").unwrap();
    assert!(checkpoint::read(&path, small(3, 24)).is_err());
}

#[test]
fn the_learning_rate_falls() {
    let mut trainer = Trainer::new(small(2, 100));
    let first = trainer.rate();
    trainer.games = 50;
    let middle = trainer.rate();
    trainer.games = 100;
    let last = trainer.rate();
    assert_eq!(first, 4e-3);
    assert!(first > middle && middle > last && last > 0.0);
}
