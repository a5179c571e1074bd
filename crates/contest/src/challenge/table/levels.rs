//! The strengths that people can play against.
//!
//! All are the same player, which leaves a part of its decisions to chance. How they compare is in
//! docs/measurements.md.

use crate::play::Level;
use challenge::player::SearchSettings;

/// What they are called.
pub(super) const LEVELS: [Level; 5] = [
    level("Guest", "plays any card, and shrinks from every challenge"),
    level("Novice", "knows a good card, now and then"),
    level("Regular", "plays sensibly about half of the time"),
    level("Card sharp", "makes few mistakes"),
    level("Duellist", "counts what you may hold, as well as it can"),
];

const fn level(name: &'static str, summary: &'static str) -> Level {
    Level { name, summary }
}

/// Worlds and mistakes, by level. Without worlds the blueprint decides.
const STRENGTHS: [(u32, f64); LEVELS.len()] =
    [(0, 1.0), (0, 0.775), (0, 0.48), (0, 0.17), (400, 0.0)];

/// What a player of a level (from 0) searches with.
pub(super) fn settings(level: usize) -> SearchSettings {
    let (worlds, mistakes) = STRENGTHS[level];
    SearchSettings { worlds, mistakes }
}
