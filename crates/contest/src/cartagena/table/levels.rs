//! The levels of strength that people can play against at a table.
//!
//! All levels are the same player. A lower one searches fewer positions and gets random errors in its values of
//! actions. docs/measurements/cartagena-strength.md compares the levels.

use cartagena::evaluation::Evaluators;
use cartagena::player::Player;
use cartagena::player::searcher::{Noise, Searcher};
use cartagena::search::Settings;
use engine::budget::Limits;
use engine::rng;
use std::sync::Arc;
use std::time::Duration;

/// The number of levels.
pub(crate) const LEVELS: usize = STRENGTHS.len();

/// For each level the positions that a decision searches, and the scale of the random errors (see [`Noise`]) in
/// chances to win.
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

/// The measured share of games of two that each level wins against the level below.
pub(super) const STEPS: [f64; LEVELS - 1] = [0.790, 0.770, 0.810, 0.805, 0.795, 0.800, 0.735];

/// The longest time for a decision. It matters only on slow machines, since the positions are limited too.
const TIME: Duration = Duration::from_secs(5);

/// A player of a level (from 0) for one decision. `seed` fixes its choice, unless it runs out of time.
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
