//! Matches of the trick-taking games: duplicate deals, points a round.
//!
//! A *sitting* is what programs play without being started anew: some deals in one rotation of the
//! seats. A program never gets a deal twice in its life.

pub(crate) mod commands;
pub(crate) mod external;
mod ladder;
mod participant;
mod play;
pub mod record;
pub mod report;
pub(crate) mod seat;
pub mod table;

pub(crate) use participant::network_of;
pub use participant::{Limit, Mind, Participant, agent, mind, participant};
pub use play::{Match, Moons, Outcome, SITTING, Tally, play, rotations};
pub use seat::{Answer, Builtin, Seat, Started};

use arena::process::CommandLine;
use engine::rng::Random;
use lab::tricks::players::Yardstick;
use std::io;
use std::time::Duration;
use tricks::{Cards, Hands, PolicySet, Round};

/// Bytes that are kept of the end of a program's standard error.
pub(crate) const ERRORS_KEPT: usize = 4 << 10;

/// The seat that has shot the moon, if one has, by what the round came to for each seat.
pub type Moon = fn(&[u8]) -> Option<usize>;

/// A trick-taking game, as a match needs it.
pub trait Contest: Sync + 'static {
    /// The rules.
    type Round: Round + Send;
    /// The built-in policies.
    type Policy: PolicySet<Round = Self::Round>;

    /// The contest in records.
    const NAME: &'static str;
    /// The contest for people.
    const TITLE: &'static str;
    /// The time for a card, unless a setting says otherwise.
    const TIME: Duration;
    /// Numbers of players.
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

    /// Starts a program and gives it a seat, or says what its fault was. Each of its answers may take
    /// `time`.
    ///
    /// # Errors
    /// If the operating system cannot start it.
    fn seat(&self, line: &CommandLine, time: Duration) -> io::Result<Started<Self::Round>>;

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

#[cfg(test)]
mod tests;
