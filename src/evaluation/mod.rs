//! How good a position is for each player, without looking ahead.

mod afterstate;
mod evaluators;
pub mod features;
pub mod handmade;
mod kernel;
mod network;
mod network_file;
mod probe;
#[cfg(test)]
mod testing;

pub use afterstate::Afterstate;
pub use evaluators::{Evaluators, load, load_embedded};
pub use kernel::NetworkEvaluator;
pub use network::{Network, Outputs, Shape, chances as network_chances};
pub use network_file::{NetworkError, NetworkFile, TrainingRecord};
pub use probe::NetworkProbe;

use super::rules::{Action, Game, MAX_PLAYERS};

/// The chance of each player to win, by seat; entries beyond the players are 0.
pub type Chances = [f32; MAX_PLAYERS];

/// Estimates the chances to win.
pub trait Evaluator: Sync + Send {
    /// Each player's chance to win, as the player who just acted may estimate it. They sum to 1.
    /// Nobody has won yet.
    fn chances(&self, game: &Game, after: &Afterstate) -> Chances;

    /// The chance of the player who just acted.
    fn own_chance(&self, game: &Game, after: &Afterstate) -> f32 {
        self.chances(game, after)[after.seat]
    }

    /// Changes whenever the estimates do: caches made with another evaluator do not apply.
    fn fingerprint(&self) -> u64;

    /// The same estimates for one thread that values many positions that resemble each other, such
    /// as those after one player's actions: work that they share may be done once.
    fn probe(&self) -> Box<dyn Probe + '_> {
        Box::new(Plain(self))
    }
}

/// An [`Evaluator`] for one thread. It gives the evaluator's estimates, bit for bit, in whatever
/// order positions are valued.
pub trait Probe {
    fn chances(&mut self, game: &Game, after: &Afterstate) -> Chances;

    fn own_chance(&mut self, game: &Game, after: &Afterstate) -> f32;

    /// The chance of the seat to act after each of its actions, before what they draw is seen; an
    /// action that wins is worth 1. `before` has no draw pending.
    fn rate(&mut self, game: &Game, before: &Afterstate, actions: &[Action], values: &mut [f32]) {
        for (&action, value) in actions.iter().zip(values) {
            let after = before.then(action);
            *value = if after.won() {
                1.0
            } else {
                self.own_chance(game, &after)
            };
        }
    }
}

/// A probe that keeps nothing.
struct Plain<'a, E: ?Sized>(&'a E);

impl<E: Evaluator + ?Sized> Probe for Plain<'_, E> {
    fn chances(&mut self, game: &Game, after: &Afterstate) -> Chances {
        self.0.chances(game, after)
    }

    fn own_chance(&mut self, game: &Game, after: &Afterstate) -> f32 {
        self.0.own_chance(game, after)
    }
}
