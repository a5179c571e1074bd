//! What a match, a record and a measurement need of a trick-taking game.

use super::players::Yardstick;
use engine::rng::Random;
use std::path::Path;
use std::time::Duration;
use tricks::network::{Network, NetworkError, NetworkFile};
use tricks::{Cards, Hands, PolicySet, Round};

/// The seat that has shot the moon, if one has, by what the round came to for each seat.
pub type Moon = fn(&[u8]) -> Option<usize>;

/// A trick-taking game, as a match needs it.
pub trait Contest: Sync + 'static {
    type Round: Round + Send;
    type Policy: PolicySet<Round = Self::Round>;

    /// The contest in records.
    const NAME: &'static str;
    /// The contest for people.
    const TITLE: &'static str;
    /// The time for a card, unless a setting says otherwise.
    const TIME: Duration;
    const COUNTS: std::ops::RangeInclusive<usize>;
    /// The names of the seats.
    const SEATS: &'static [&'static str];
    /// Whether points are to be avoided.
    const LOW_IS_GOOD: bool;

    /// Who has shot the moon; none in a game without moons.
    const MOON: Option<Moon> = None;

    /// The rules that matches play by, for people, where servers differ in them.
    fn default_rules(&self) -> Option<String> {
        None
    }

    /// A fresh deal. The seats' luck is the deal's alone: who acts first follows from it, or from its
    /// number.
    fn deal(&self, players: usize, number: u64, rng: &mut Random) -> Self::Round;

    /// A round as it was dealt: who acts first, the hands, the pool.
    fn restore(&self, players: usize, first: usize, hands: &Hands, pool: Cards) -> Self::Round;

    /// The names of the built-in players that are no yardsticks, as a message lists them.
    fn agents(&self) -> String {
        let policies = Self::Policy::NAMED.iter().map(|(name, _)| *name);
        let names: Vec<&str> = ["search"].into_iter().chain(policies).collect();
        names.join(", ")
    }

    /// The names of all built-in players, as a message lists them.
    fn names(&self) -> String {
        let rules: Vec<&str> = Yardstick::NAMED.iter().map(|(name, _)| *name).collect();
        format!("{}, {}, uct or cheat", self.agents(), rules.join(", "))
    }
}

/// Reads a network of players who think, for the rest of the program's life.
///
/// # Errors
/// If there is none.
pub fn network_of<C: Contest>(path: &Path) -> Result<&'static Network, NetworkError> {
    Ok(Box::leak(Box::new(
        NetworkFile::read(path, C::NAME)?.network,
    )))
}
