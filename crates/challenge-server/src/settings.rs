//! The settings of a contest. `contest challenge serve` makes them from its arguments.

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
    /// How long only connected teams play; none: until the server ends.
    pub open_play: Option<Duration>,
    /// How long all teams play after that, connected or not, before the final.
    pub last_hour: Duration,
    /// Time before each stage of the final, and between two games of one of its matches.
    pub final_pause: Duration,
    /// Time between two reports of the standings.
    pub report: Duration,
    /// How long a restarted server waits for teams to reconnect before absent teams lose games; 0 for a
    /// new contest.
    pub regroup: Duration,
    /// Whether a player that is to act but not connected is penalized at once, rather than when its clock
    /// has run out.
    pub absent_at_once: bool,
    /// Whether the next game of a round continues the previous game's deck.
    pub keep_decks: bool,
}
