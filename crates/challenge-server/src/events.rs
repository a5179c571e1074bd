//! Events of a contest. The acceptor, the lobby and the server report them to one callback; the log of
//! `contest challenge serve` prints them.

use super::bracket::Bracket;
use super::contest::Contest;
use super::teams::Pair;
use std::net::IpAddr;

/// An event of a contest, for its log.
#[derive(Debug)]
pub enum ContestEvent<'a> {
    Joined {
        team: u64,
    },
    Left {
        team: u64,
    },
    /// A client was refused because it belongs to no team.
    Unknown {
        host: IpAddr,
    },
    /// A client was refused because it did not send the right token. `team` is the team whose port or address it
    /// has, if any.
    NoToken {
        host: IpAddr,
        team: Option<u64>,
    },
    /// A client was disconnected because it connected again too soon.
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
    /// A round between two teams is decided.
    Round {
        teams: Pair,
        winner: u64,
        is_final: bool,
        /// Games that each has won in it.
        games: [u32; 2],
    },
    /// From now on all teams play, connected or not.
    LastHour,
    /// The final waits, because fewer than two teams are connected.
    TooFew,
    /// The last of these stages of the final begins.
    Final {
        stages: &'a [Bracket],
    },
    /// A team of the final is no longer in the teams' file: its match goes to the other team.
    Forfeit {
        team: u64,
        winner: u64,
    },
    Champion {
        team: u64,
        contest: &'a Contest,
    },
    /// It is time to print the standings.
    Standings {
        contest: &'a Contest,
    },
    /// No games will be played any more.
    Over,
}
