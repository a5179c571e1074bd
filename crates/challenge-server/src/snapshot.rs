//! Snapshots of a contest for onlookers, without any hidden card. The lobby makes them on request; the web page and
//! the status line show them.

use super::bracket::{Bracket, Match};
use super::contest::Standing;
use super::journal::VoidGame;
use super::overhead::Delays;
use super::teams::Pair;
use serde::Serialize;
use tokio::sync::{mpsc, oneshot};

/// The phases of a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Only connected teams play.
    Open,
    /// All teams play, connected or not.
    LastHour,
    /// No new games; those under way are finished.
    Closing,
    /// The final is played.
    Final,
    /// There is a champion, or no team was connected for a final.
    Over,
}

/// A contest at a moment.
#[derive(Clone, Debug, Serialize)]
pub struct Snapshot {
    pub phase: Phase,
    /// Seconds until the phase ends, where that is fixed.
    pub ends_in: Option<f64>,
    /// Games that are over.
    pub games: u64,
    /// All teams, the best rated first. The final does not change the ratings.
    pub teams: Vec<TeamState>,
    /// The games under way, in the order they began.
    pub live: Vec<LiveGame>,
    /// Games that a stopped server did not finish, the latest last; the oldest are left out.
    pub void: Vec<VoidGame>,
    /// The stages of the final that have begun, in order.
    pub stages: Vec<StageState>,
    /// The winner of the final.
    pub champion: Option<u64>,
    /// The result of the final, once it is over: its teams, the champion first.
    pub placing: Vec<u64>,
    /// The time that the server adds to the games.
    pub overhead: Delays,
    /// All pairs of teams that have met before the final. The list may be long, so it has a request of
    /// its own.
    #[serde(skip)]
    pub head_to_head: Vec<Meetings>,
}

/// A stage of the final.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StageState {
    /// Its teams, the best first; one alone is the champion.
    pub seeds: Vec<u64>,
    /// The team that goes on without a match.
    pub bye: Option<u64>,
    pub matches: Vec<Match>,
}

impl From<&Bracket> for StageState {
    fn from(stage: &Bracket) -> StageState {
        StageState {
            seeds: stage.seeds().to_vec(),
            bye: stage.bye(),
            matches: stage.matches().to_vec(),
        }
    }
}

/// Two teams and their games against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Meetings {
    pub teams: [u64; 2],
    /// Games that each has won; none is ever drawn.
    pub wins: [u64; 2],
}

impl From<(Pair, [u64; 2])> for Meetings {
    fn from((teams, wins): (Pair, [u64; 2])) -> Meetings {
        Meetings { teams, wins }
    }
}

/// A team and its record in the standings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TeamState {
    pub id: u64,
    /// Whether it is connected.
    pub online: bool,
    pub rating: f64,
    /// Two standard deviations of the rating.
    pub margin: f64,
    pub won: u64,
    pub lost: u64,
    pub rounds_won: u64,
    pub rounds_lost: u64,
}

impl TeamState {
    pub(super) fn new(id: u64, online: bool, standing: &Standing) -> TeamState {
        TeamState {
            id,
            online,
            rating: standing.rating.value,
            // In Glicko's model the true rating is at most two deviations away in about 95 of 100 cases.
            margin: 2.0 * standing.rating.deviation,
            won: standing.won,
            lost: standing.lost,
            rounds_won: standing.rounds_won,
            rounds_lost: standing.rounds_lost,
        }
    }
}

/// A game under way. It shows no cards: they are public only when the game is over.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LiveGame {
    pub id: u64,
    /// The teams; the first one led.
    pub teams: [u64; 2],
    /// Games won in the round.
    pub round: [u32; 2],
    pub points: [u8; 2],
    /// Tricks in the hand.
    pub tricks: [u8; 2],
    /// The number of the hand, from 1.
    pub hand: u32,
    /// Whether a challenge was accepted, so that the hand decides the game.
    pub in_challenge: bool,
    /// Whether it is a game of the final.
    pub is_final: bool,
}

/// Requests snapshots of a running server.
pub type SnapshotSource = mpsc::Sender<oneshot::Sender<Snapshot>>;

/// The server's end: the requests for snapshots.
pub type SnapshotRequests = mpsc::Receiver<oneshot::Sender<Snapshot>>;

/// Both ends of a channel for requests of snapshots. Onlookers wait for the server. The server never waits for
/// them: it only answers requests that have arrived.
pub fn snapshots() -> (SnapshotSource, SnapshotRequests) {
    // Room for one request: further onlookers wait on their own side.
    mpsc::channel(1)
}

/// A snapshot; none when the server has ended.
pub async fn snapshot(source: &SnapshotSource) -> Option<Snapshot> {
    let (answer, snapshot) = oneshot::channel();
    // Both steps fail only if the server has dropped its end.
    source.send(answer).await.ok()?;
    snapshot.await.ok()
}
