//! Matches of the trick-taking games: duplicate deals, points a round.
//!
//! A *sitting* is what programs play without being started anew: some deals in one rotation of the
//! seats. A program never gets a deal twice in its life.

pub(crate) mod commands;
pub(crate) mod external;
mod participant;
mod play;
pub mod record;
pub mod report;
pub(crate) mod seat;

pub use participant::{Participant, agent, participant};
pub use play::{Match, Outcome, SITTING, Tally, play};
pub use seat::{Answer, Inside, Seat, Seated};

use arena::process::CommandLine;
use engine::rng::Random;
use std::io;
use std::time::Duration;
use tricks::belief::Repertoire;
use tricks::{Cards, Hands, MAX_PLAYERS, Policy, View};

/// Bytes that are kept of the end of a program's standard error.
pub(crate) const ERRORS_KEPT: usize = 4 << 10;

/// A game of the family, as a match needs it.
pub trait Contest: Sync {
    /// What a seat sees.
    type View: View<Round: Send>;
    /// The built-in policies.
    type Policy: Policy<<Self::View as View>::Round> + Repertoire + Send + Sync;

    /// The contest in records.
    const NAME: &'static str;
    /// The contest for people.
    const TITLE: &'static str;
    /// The time for a card, unless told otherwise.
    const TIME: Duration;
    /// Numbers of players.
    const COUNTS: std::ops::RangeInclusive<usize>;
    /// What the seats are called.
    const SEATS: &'static [&'static str];
    /// Whether points are to be avoided.
    const LOW_IS_GOOD: bool;

    /// A fresh deal. The seats' luck is the deal's alone: who acts first follows from it, or from its
    /// number.
    fn deal(&self, players: usize, number: u64, random: &mut Random)
    -> <Self::View as View>::Round;

    /// What a seat sees of a round that has just been dealt.
    fn view(&self, round: &<Self::View as View>::Round, seat: usize) -> Self::View;

    /// A round as it was dealt: who acts first, the hands, the pool.
    fn restore(
        &self,
        players: usize,
        first: usize,
        hands: &Hands,
        pool: Cards,
    ) -> <Self::View as View>::Round;

    /// The cards that are yet to be taken.
    fn pool(&self, round: &<Self::View as View>::Round) -> Cards;

    /// What the round comes to for each seat.
    fn scores(&self, round: &<Self::View as View>::Round) -> [u8; MAX_PLAYERS];

    /// The policy with a name.
    ///
    /// # Errors
    /// If there is none: what was expected.
    fn policy(&self, name: &str) -> Result<Self::Policy, String>;

    /// What the search plays out by.
    fn playout(&self) -> Self::Policy;

    /// Names of all built-in players.
    fn names(&self) -> &'static str;

    /// Starts a program and seats it; a fault if it does not do its part. Each of its answers may take
    /// `time`.
    ///
    /// # Errors
    /// If the operating system cannot start it.
    fn seat(&self, line: &CommandLine, time: Duration) -> io::Result<Seated<Self::View>>;
}

#[cfg(test)]
mod tests;
