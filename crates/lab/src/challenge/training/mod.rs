//! Computes the blueprint's tables.

mod compact;
mod sweep;
mod trainer;

pub use sweep::{Sweep, centres};
pub use trainer::{Run, Trainer};

use challenge::equilibrium::blueprint::{Blueprint, Bytes, HandGames, KIND, Strategy};
use engine::store::{StoreError, write_table};
use std::path::Path;

/// Writes the values and hand games into a `support` folder.
///
/// # Errors
/// If the file cannot be written.
pub fn write_games(support: &Path, games: &HandGames) -> Result<(), StoreError> {
    write_table(&HandGames::path(support), KIND, games)
}

/// Writes the strategy of a hand game into a `support` folder.
///
/// # Errors
/// If the file cannot be written.
pub fn write_strategy(
    support: &Path,
    number: usize,
    strategy: &Strategy,
) -> Result<(), StoreError> {
    strategy.write(&Blueprint::path(support, number))
}
