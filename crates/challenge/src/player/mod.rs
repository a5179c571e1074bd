//! The `Player` trait and the built-in players.
//!
//! # Looking a decision ahead
//!
//! A [`Position`] is all that the player to act may know. From the opponent's decisions [`searcher`] infers, by Bayes'
//! rule, which hands it may hold. It draws worlds from them, and plays each legal decision out in the same worlds by the
//! blueprint. The tables (`contest::challenge::table`) use this search for their levels and hints.
//!
//! # An opponent's habits
//!
//! [`habits`] learns while playing how the opponent offers, answers and plays cards: three preferences,
//! conditional logit models with 10 to 25 weights each. They begin as the blueprint's decisions, and
//! Newton's method fits them after every game. If a hand was not seen to the end, possible hands are
//! drawn by what was learnt so far. [`response`] keeps the distribution of
//! the other's hands for any such model ([`response::Opponent`]). `playouts` plays each decision out against some of
//! these hands, the opponent by its habits and the player by its tables.
//! [`exploiter`] wraps a base, a [`Proposer`], and replaces its proposal where another decision
//! promises a large enough gain. A balance of the games won and lost with such replacements bounds the
//! price. Tests check predictions of games that were not learnt from.
//!
//! # How far from equilibrium
//!
//! The gain of an opponent who knows the strategy is a lower bound on a player's distance from
//! equilibrium. `seats::challenge::players::LocalBestResponse` is a local best response (Lisý and Bowling
//! 2017). It keeps the exact distribution of the other's hands through a `Model`, which knows the
//! strategy, and takes the decision that is best if both play cheaply from there on and nobody offers;
//! only the answer to its own offer is looked up. `lbr:NAME` is a player like any other, so `lab
//! challenge exploit` is a match. `lab challenge exploit --exact` computes the distance itself; see
//! `lab::challenge::best_response`.
//!
//! # Always an answer
//!
//! The client answers within its clock whatever its player does. The player runs on a separate thread
//! ([`thread`]). If its share of the time is over, if it panicked, or if its decision is illegal, the
//! client sends `View::safe`.

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
mod playouts;
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

    /// The iterations that solved the endgame of its last decision; 0 if the decision was made in another way.
    fn iterations(&self) -> u32 {
        0
    }

    /// Receives an event of the game, also those that its own decisions cause. `seat` is the player's number in the
    /// game. After a lost connection some events may be missing.
    fn event(&mut self, seat: Seat, event: Event) {
        let _ = (seat, event);
    }
}

/// A player whose decision may be replaced by another one before it is sent.
pub trait Proposer: Player {
    /// Takes in a view, before its decision is asked for.
    fn observe(&mut self, view: &View) {
        self.tracker().observe(view);
    }

    /// The decision it would make in the view that it has observed last.
    fn propose(&mut self, view: &View) -> Decision;

    /// Its knowledge of the hand. The caller must record the final decision there.
    fn tracker(&mut self) -> &mut Tracker;
}
