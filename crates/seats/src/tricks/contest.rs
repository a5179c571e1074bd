//! The names of a trick-taking game's built-in players, and their networks.

use super::Contest;
use super::players::Yardstick;
use engine::store::StoreError;
use std::path::Path;
use tricks::PolicySet;
use tricks::network::{Network, NetworkFile};

/// The names of the built-in players without the yardsticks, as a message lists them.
pub fn agents<C: Contest>() -> String {
    let policies = C::Policy::NAMED.iter().map(|(name, _)| *name);
    let names: Vec<&str> = ["search"].into_iter().chain(policies).collect();
    names.join(", ")
}

/// The names of all built-in players, as a message lists them.
pub fn names<C: Contest>() -> String {
    let named = Yardstick::named(C::LOW_IS_GOOD).into_iter();
    let yardsticks: Vec<&str> = named.map(|(name, _)| name).collect();
    let yardsticks = yardsticks.join(", ");
    format!("{}, {yardsticks}, uct or cheat", agents::<C>())
}

/// Reads a network of thinking players. It is kept for the rest of the program's life.
///
/// # Errors
/// If there is none.
pub fn network_of<C: Contest>(path: &Path) -> Result<&'static Network, StoreError> {
    Ok(Box::leak(Box::new(
        NetworkFile::read(path, C::NAME)?.network,
    )))
}
