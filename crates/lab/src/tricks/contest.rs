//! The interface of a trick-taking game to matches, records and measurements: [`Contest`], implemented in `eights`
//! and `hearts`.

use super::players::Yardstick;
use engine::rng::Random;
use std::path::Path;
use std::time::Duration;
use tricks::network::{Network, NetworkError, NetworkFile};
use tricks::{Cards, Hands, PolicySet, Round};

/// Finds the seat that has shot the moon, if any, from the points of the round by seat.
pub type Moon = fn(&[u8]) -> Option<usize>;

/// A trick-taking game, as a match needs it.
pub trait Contest: Sync + 'static {
    type Round: Round + Send;
    type Policy: PolicySet<Round = Self::Round>;

    /// The name of the contest in records.
    const NAME: &'static str;
    /// The name of the contest for people.
    const TITLE: &'static str;
    /// The time for a card, unless a setting says otherwise.
    const TIME: Duration;
    /// The numbers of players that a game can have.
    const COUNTS: std::ops::RangeInclusive<usize>;
    /// The names of the seats.
    const SEATS: &'static [&'static str];
    /// Whether points are penalties.
    const LOW_IS_GOOD: bool;

    /// Finds who has shot the moon; none in a game without moons.
    const MOON: Option<Moon> = None;

    /// The rules of matches, for people, if servers differ in them.
    fn default_rules(&self) -> Option<String> {
        None
    }

    /// A fresh deal. The seat that acts first follows from the deal or its number, so that a repeated deal repeats
    /// all luck of the seats.
    fn deal(&self, players: usize, number: u64, rng: &mut Random) -> Self::Round;

    /// Restores a round as it was dealt, from the seat that acts first, the hands and the pool.
    fn restore(&self, players: usize, first: usize, hands: &Hands, pool: Cards) -> Self::Round;

    /// The round in which these cards have been passed before its first lead, to players `by` seats further; `round` has the
    /// hands after that. None if the contest has no passing, or the cards cannot have been passed.
    fn after_passing(
        &self,
        round: Self::Round,
        by: usize,
        passed: &[Cards],
    ) -> Option<Self::Round> {
        let _ = (round, by, passed);
        None
    }

    /// Whether cards are passed in some rounds. No protocol of a contest has messages for it.
    fn passes(&self) -> bool {
        false
    }

    /// The names of the built-in players without the yardsticks, as a message lists them.
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

/// Reads a network of thinking players. It is kept for the rest of the program's life.
///
/// # Errors
/// If there is none.
pub fn network_of<C: Contest>(path: &Path) -> Result<&'static Network, NetworkError> {
    Ok(Box::leak(Box::new(
        NetworkFile::read(path, C::NAME)?.network,
    )))
}
