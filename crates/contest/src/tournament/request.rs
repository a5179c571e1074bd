//! A request for a tournament, as the command line makes it. `Settings` are made from it, or adapted to it.

use super::format::Pairing;
use super::shard::Shard;
use arena::participant::ParticipantRecord;
use arena::penalty::Penalty;

/// A request for a tournament. A field without a value keeps the tournament's setting, or gets the default in a new
/// one. The fields have the meaning of those in [`Settings`](super::Settings).
#[derive(Clone, Debug, Default)]
pub struct Request<A> {
    /// The programs that take part. Programs of the tournament need not be named again.
    pub programs: Vec<ParticipantRecord>,
    /// The numbers of players of its games.
    pub players: Option<Vec<u8>>,
    pub format: Option<Pairing>,
    /// Rounds of a Swiss tournament.
    pub rounds: Option<u32>,
    pub games: Option<u64>,
    /// Values of the contest's rules that were asked for: [`TournamentGame::Asked`](super::TournamentGame::Asked).
    pub rules: A,
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

#[cfg(test)]
impl<A: Default> Request<A> {
    /// A request for a tournament of this many built-in players, which all play at random.
    pub(super) fn of_random(programs: usize) -> Request<A> {
        let programs = (0..programs).map(|i| format!("p{i}=builtin:random").parse().unwrap());
        Request {
            programs: programs.collect(),
            ..Request::default()
        }
    }
}
