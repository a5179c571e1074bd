//! The `Player` trait and the built-in players.

pub mod baseline;
pub mod blueprint;
mod builtin;
pub mod counter;
mod doge;
mod equilibrium;
pub mod exploiter;
pub mod habits;
mod need;
pub mod plain;
pub mod response;
pub mod searcher;
pub mod thread;
mod tracker;

pub use baseline::{Baseline, Bully, RandomCards, Rule};
pub use blueprint::BlueprintPlayer;
pub use builtin::{Builtin, UnknownPlayer};
pub use counter::Counter;
pub use doge::Doge;
pub use equilibrium::{EquilibriumPlayer, EquilibriumSettings};
pub use exploiter::{Caution, Exploiter, Memory};
pub use need::NeedTricks;
pub use plain::Plain;
pub use searcher::{Position, SearchSettings, Searcher, Tried, chances};
pub use tracker::Tracker;

use super::rules::{Decision, Event, Seat};
use super::view::View;

/// A player that runs inside this program. It may play several games in turn; [`View::game_id`] shows when a new
/// one has begun.
pub trait Player: Send {
    /// Chooses a legal decision.
    fn decide(&mut self, view: &View) -> Decision;

    /// Receives what happened, the effects of its own decisions included; `seat` is its number in the game. After a
    /// lost connection some events may be missing.
    fn event(&mut self, seat: Seat, event: Event) {
        let _ = (seat, event);
    }
}

/// A player whose decision may be replaced by another one before it is sent.
pub trait Proposer: Player {
    /// The decision it would make. Its tracker has observed the view.
    fn propose(&mut self, view: &View) -> Decision;

    /// Its knowledge of the hand. The caller must record the final decision there.
    fn tracker(&mut self) -> &mut Tracker;
}
