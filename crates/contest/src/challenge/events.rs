//! What happens in a contest, for onlookers.

use super::contest::Contest;
use super::teams::Pair;
use std::net::IpAddr;

/// What happens in a contest, for a log.
#[derive(Debug)]
#[allow(missing_docs)]
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
    TooEarly {
        host: IpAddr,
        team: Option<u64>,
    },
    Game {
        id: u64,
        teams: [u64; 2],
        winner: u64,
    },
    Round {
        teams: Pair,
        winner: u64,
        is_final: bool,
    },
    LastHour,
    Final {
        seeds: &'a [u64],
    },
    Champion {
        team: u64,
    },
    Standings {
        contest: &'a Contest,
    },
    /// No games will be played any more.
    Over,
}
