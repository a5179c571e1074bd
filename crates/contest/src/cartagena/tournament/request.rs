//! What somebody asks a tournament to be.

use super::ParticipantRecord;
use super::format::Pairing;
use super::shard::Shard;
use crate::cartagena::deals::FixedDeal;
use crate::cartagena::game::Penalty;
use cartagena::rules::Board;

/// What somebody asks a tournament to be: what is not named stays as it is, or is the default.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Programs to be there.
    pub programs: Vec<ParticipantRecord>,
    /// Numbers of players to be played.
    pub players: Option<Vec<u8>>,
    /// Who plays whom.
    pub format: Option<Pairing>,
    /// Rounds of a Swiss tournament.
    pub rounds: Option<u32>,
    /// See [`Settings::games`](super::Settings::games).
    pub games: Option<u64>,
    /// See [`Settings::deal`](super::Settings::deal).
    pub deal: Option<u8>,
    /// See [`Settings::boat_retreat`](super::Settings::boat_retreat).
    pub boat_retreat: Option<bool>,
    /// A fixed board.
    pub board: Option<Board>,
    /// See [`Settings::positions`](super::Settings::positions); none if nobody named any.
    pub positions: Vec<FixedDeal>,
    /// See [`Settings::max_turns`](super::Settings::max_turns).
    pub max_turns: Option<u32>,
    /// See [`Settings::seed`](super::Settings::seed).
    pub seed: Option<u64>,
    /// See [`Settings::penalty`](super::Settings::penalty).
    pub penalty: Option<Penalty>,
    /// See [`Settings::seconds`](super::Settings::seconds).
    pub seconds: Option<f64>,
    /// See [`Settings::patience`](super::Settings::patience).
    pub patience: Option<f64>,
    /// See [`Settings::memory_mb`](super::Settings::memory_mb).
    pub memory_mb: Option<u64>,
    /// See [`Settings::shard`](super::Settings::shard).
    pub shard: Option<Shard>,
    /// See [`Settings::threads`](super::Settings::threads).
    pub threads: Option<u16>,
    /// See [`Settings::jobs`](super::Settings::jobs).
    pub jobs: Option<u16>,
    /// See [`Settings::pin`](super::Settings::pin).
    pub pin: Option<bool>,
}
