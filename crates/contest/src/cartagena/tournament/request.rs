//! A request for a tournament.

use super::ParticipantRecord;
use super::format::Pairing;
use super::shard::Shard;
use crate::cartagena::deals::FixedDeal;
use crate::cartagena::game::Penalty;
use cartagena::rules::Board;

/// A request for a tournament. Fields that are not named keep their value, or get the default.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Programs to be there.
    pub programs: Vec<ParticipantRecord>,
    /// Numbers of players to be played.
    pub players: Option<Vec<u8>>,
    pub format: Option<Pairing>,
    /// Rounds of a Swiss tournament.
    pub rounds: Option<u32>,
    pub games: Option<u64>,
    pub deal: Option<u8>,
    pub boat_retreat: Option<bool>,
    pub board: Option<Board>,
    /// See [`Settings::positions`](super::Settings::positions); empty if the request names none.
    pub positions: Vec<FixedDeal>,
    pub max_turns: Option<u32>,
    pub seed: Option<u64>,
    pub penalty: Option<Penalty>,
    pub seconds: Option<f64>,
    pub patience: Option<f64>,
    pub memory_mb: Option<u64>,
    pub shard: Option<Shard>,
    pub threads: Option<u16>,
    pub jobs: Option<u16>,
    pub pin: Option<bool>,
}
