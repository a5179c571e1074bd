//! The strengths that people can play against.
//!
//! All levels are the same player with less information: fewer positions, and noise in its values of actions.
//! docs/measurements/cartagena-strength.md compares them.

use cartagena::evaluation::Evaluators;
use cartagena::player::Player;
use cartagena::player::searcher::{Noise, Searcher};
use cartagena::search::Settings;
use engine::budget::Limits;
use engine::rng;
use std::sync::Arc;
use std::time::Duration;

/// The number of levels.
pub(super) const LEVELS: usize = STRENGTHS.len();

/// Positions searched and noise, by level.
const STRENGTHS: [(u64, f64); 8] = [
    (50, 0.12),
    (50, 0.085),
    (50, 0.06),
    (50, 0.043),
    (50, 0.03),
    (50, 0.018),
    (1_000, 0.0),
    (60_000, 0.0),
];

/// The longest that a decision may take, whatever the machine.
const TIME: Duration = Duration::from_secs(5);

/// A player of a level (from 0) for one decision.
pub(super) fn player(level: usize, evaluators: Arc<Evaluators>, seed: u64) -> impl Player {
    let (nodes, noise) = STRENGTHS[level];
    let limits = Limits {
        time: Some(TIME),
        nodes: Some(nodes),
    };
    let settings = Settings {
        seed,
        ..Settings::default()
    };
    Searcher::new(evaluators, limits, settings)
        .without_cache()
        .with_noise(Noise::new(noise, rng::stream(seed, 1)))
}
