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

use super::rules::{ACTIONS_A_TURN, Action, Game, MAX_PLAYERS};

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

    /// Each player's chance to win before the seat of `before`, which has these legal actions, takes one of them.
    ///
    /// Networks learn positions *after* an action, with 0 to 2 actions left of the turn. A position with 1 or 2 left is
    /// such a position, one that drew nothing, and is valued as it is. With 3 left it is none, and its estimate would
    /// be wrong: at the start of turns between two players a network said 0.425 where the seat to move wins 0.508. So the
    /// chances are those after the action that is best for the seat: V(start) = V(after argmax over a of own V(after a)).
    fn chances_before(&self, game: &Game, before: &Afterstate, actions: &[Action]) -> Chances {
        if before.actions_left < ACTIONS_A_TURN {
            return self.chances(game, before);
        }
        let mut probe = self.probe();
        let mut best: Option<Chances> = None;
        for &action in actions {
            let after = before.then(action);
            if after.won() {
                let mut chances = [0.0; MAX_PLAYERS];
                chances[before.seat] = 1.0;
                return chances;
            }
            let chances = probe.chances(game, &after);
            if best.is_none_or(|best| chances[before.seat] > best[before.seat]) {
                best = Some(chances);
            }
        }
        best.unwrap_or_else(|| self.chances(game, &before.then(Action::Pass)))
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
