//! The strengths that people can play against.
//!
//! All are the same player, which leaves a part of its decisions to chance. How they compare is in
//! docs/measurements/challenge.md.

use challenge::player::SearchSettings;

/// How many there are.
pub(super) const LEVELS: usize = STRENGTHS.len();

/// Worlds and mistakes, by level. Without worlds the blueprint decides.
const STRENGTHS: [(u32, f64); 5] = [(0, 1.0), (0, 0.775), (0, 0.48), (0, 0.17), (400, 0.0)];

/// What a player of a level (from 0) searches with.
pub(super) fn settings(level: usize) -> SearchSettings {
    let (worlds, mistakes) = STRENGTHS[level];
    SearchSettings { worlds, mistakes }
}
