//! The strengths that people can play against.
//!
//! All levels are the same player, which takes a share of its decisions at random.
//! docs/measurements/challenge.md compares them.

use challenge::player::SearchSettings;

/// The number of levels.
pub(super) const LEVELS: usize = STRENGTHS.len();

/// Worlds and the share of mistakes, by level. With 0 worlds the blueprint decides.
const STRENGTHS: [(u32, f64); 5] = [(0, 1.0), (0, 0.775), (0, 0.48), (0, 0.17), (400, 0.0)];

/// The measured share of games that each level wins against the level below.
pub(super) const STEPS: [f64; LEVELS - 1] = [0.752, 0.775, 0.731, 0.725];

/// The search settings of a level (from 0).
pub(super) fn settings(level: usize) -> SearchSettings {
    let (worlds, mistakes) = STRENGTHS[level];
    SearchSettings { worlds, mistakes }
}
