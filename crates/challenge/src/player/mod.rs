//! Players: whoever can say what to do next.

mod baseline;
mod blueprint;
mod builtin;
mod counter;
mod doge;
mod equilibrium;
mod model;
mod need;
pub mod plain;
mod response;
pub mod thread;
mod tracker;

pub use baseline::{Baseline, Bully, RandomCards, Rule};
pub use blueprint::Blueprint;
pub use builtin::{Builtin, Known, UnknownPlayer};
pub use counter::Counter;
pub use doge::Doge;
pub use equilibrium::{Effort, Equilibrium};
pub use model::{Model, Situation};
pub use need::NeedTricks;
pub use plain::Plain;
pub use response::Response;
pub use tracker::Tracker;

use super::rules::{Decision, Event, Seat};
use super::view::View;

/// A player that runs inside this program. It may play one game after the other, and finds out
/// that a new one has begun by [`View::game_id`].
pub trait Player: Send {
    /// Chooses a legal decision.
    fn decide(&mut self, view: &View) -> Decision;

    /// Learns what happened, its own doings included; `seat` is its own number in the game. A
    /// client that lost its connection may have missed some.
    fn told(&mut self, seat: Seat, event: Event) {
        let _ = (seat, event);
    }
}
