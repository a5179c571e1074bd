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

/// A player that runs inside this program. It may play one game after the other, and finds out
/// that a new one has begun by [`View::game_id`].
pub trait Player: Send {
    /// Chooses a legal decision.
    fn decide(&mut self, view: &View) -> Decision;

    /// Learns what happened, its own decisions included; `seat` is its own number in the game. A
    /// client that lost its connection may have missed some events.
    fn event(&mut self, seat: Seat, event: Event) {
        let _ = (seat, event);
    }
}

/// A player whose decision may be replaced by another before it counts.
pub trait Proposer: Player {
    /// What it would decide. Its tracker has observed the view.
    fn propose(&mut self, view: &View) -> Decision;

    /// What it knows of the hand; it is to be told what was decided.
    fn tracker(&mut self) -> &mut Tracker;
}
