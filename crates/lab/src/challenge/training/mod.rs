//! Trains the blueprint: strategies of hand games and the values of scores.
//!
//! [`Trainer`] is Monte Carlo CFR with external sampling, with weights that grow from block to block.
//! Regrets of offers and answers have a floor of one lost call, which rises to 0. Without it, bluffs
//! and calls that failed a few times were never tried again. Both answers to an offer are walked. Cards
//! that have lost much are tried in one deal of sixteen only. Every block has its own stream of deals,
//! so a run that was stopped goes on from its checkpoint and ends with the same strategy. `compact` numbers
//! the 32 subsets of each hand once a deal, so that a walk does little more than add up addresses.
//!
//! [`Sweep`] computes the values of all scores from 9 : 9 down to 0 : 0, and chooses the few hand games
//! that stand for all.

mod compact;
mod sweep;
mod trainer;

pub use sweep::{Sweep, centres};
pub use trainer::{Run, Trainer};

use challenge::equilibrium::blueprint::{HandGames, KIND};
use engine::store::{StoreError, write_table};
use std::path::Path;

/// Writes the values and hand games into a `support` folder.
///
/// # Errors
/// If the file cannot be written.
pub fn write_games(support: &Path, games: &HandGames) -> Result<(), StoreError> {
    write_table(&HandGames::path(support), KIND, games)
}
