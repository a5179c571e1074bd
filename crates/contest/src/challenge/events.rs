//! Events of a contest, for onlookers.

use super::bracket::Bracket;
use super::contest::Contest;
use super::teams::Pair;
use std::net::IpAddr;

/// An event of a contest, for a log.
#[derive(Debug)]
pub enum ContestEvent<'a> {
    Joined {
        team: u64,
    },
    Left {
        team: u64,
    },
    Unknown {
        host: IpAddr,
    },
    /// A connection without the right token, to a team's port or from its address if that is known.
    NoToken {
        host: IpAddr,
        team: Option<u64>,
    },
    TooEarly {
        host: IpAddr,
        team: Option<u64>,
    },
    Game {
        id: u64,
        teams: [u64; 2],
        winner: u64,
        is_final: bool,
        /// Games won in the round, this one included.
        round: [u32; 2],
    },
    /// A game that a stopped server did not finish.
    Void {
        id: u64,
        teams: [u64; 2],
    },
    Round {
        teams: Pair,
        winner: u64,
        is_final: bool,
        /// Games that each has won in it.
        games: [u32; 2],
    },
    LastHour,
    /// A stage of the final begins, the last of these.
    Final {
        stages: &'a [Bracket],
    },
    Champion {
        team: u64,
        contest: &'a Contest,
    },
    Standings {
        contest: &'a Contest,
    },
    /// No games will be played any more.
    Over,
}
