//! How a contest is held.

use super::clocked_game::Conduct;
use std::time::Duration;

/// How a contest is held.
#[derive(Clone, Debug)]
pub struct ContestSettings {
    /// How games are conducted.
    pub conduct: Conduct,
    /// Time between attempts to connect; the contest's is 5 s.
    pub wait: Duration,
    /// Seed of all deals.
    pub seed: u64,
    /// How long only connected teams play; without it to the end of the server.
    pub open_play: Option<Duration>,
    /// How long after that all teams play, connected or not, before the final.
    pub last_hour: Duration,
    /// Time before each stage of the final, and between two games of one of its matches.
    pub final_pause: Duration,
    /// Time between two reports of the standings.
    pub report: Duration,
    /// How long a restarted server waits for teams to reconnect before absent teams lose games; 0 for
    /// a contest that begins.
    pub regroup: Duration,
    /// Whether a player that is to act and not connected gets the penalty at once, rather than when
    /// its clock has run out.
    pub absent_at_once: bool,
    /// Whether the next game of a round goes on with the deck of the one before.
    pub keep_decks: bool,
}
