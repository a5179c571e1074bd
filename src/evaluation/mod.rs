//! The value of a position to each player, its chance to win, without looking ahead.
//!
//! An [`Evaluator`] is a trained network ([`NetworkEvaluator`]) or the hand-made evaluation ([`handmade`]). It
//! values an [`Afterstate`], the position just after an action. A search asks through a [`Probe`], which belongs to one
//! thread and reuses the work that neighbouring positions share.
//!
//! There is a trained network for each number of players. [`load`] takes the file of the
//! `support` folder if there is one, else the network inside the program. Networks learn how good
//! positions are from the outcomes of games; the one for two players also learns how actions differ,
//! from rollouts of them on common cards (`lab::cartagena::training`). The hand-made evaluation is a
//! yardstick.
//!
//! A search asks for all actions of a decision at once ([`Probe::rate`]). The network's hidden sums after an action
//! are those of the position before, updated for the few features that the action changes. The features of the other
//! players' pirates are computed once for the decision, and again only for pirates with a changed space in their reach.

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
pub use network_file::{NetworkFile, TrainingRecord};
pub use probe::NetworkProbe;

use super::rules::{ACTIONS_A_TURN, Action, Game, MAX_PLAYERS};

/// The chance of each player to win, by seat; entries beyond the players are 0.
pub type Chances = [f32; MAX_PLAYERS];

/// Estimates the players' chances to win.
pub trait Evaluator: Sync + Send {
    /// Each player's chance to win, estimated from what the player who just acted can see. They sum to 1.
    /// Nobody must have won yet.
    fn chances(&self, game: &Game, after: &Afterstate) -> Chances;

    /// The chance of the player who just acted.
    fn own_chance(&self, game: &Game, after: &Afterstate) -> f32 {
        self.chances(game, after)[after.seat]
    }

    /// Each player's chance to win before the seat of `before`, which has these legal actions, takes one of them.
    ///
    /// Networks learn positions *after* an action, with 0 to 2 actions left of the turn. A position with 1 or 2 left
    /// is such a position, after an action that drew nothing, and is valued as it is. A position with 3 left is not,
    /// and its estimate would be wrong: at the start of turns between two players a network said 0.425 where the seat
    /// to move wins 0.508. So the chances are those after the action that is best for the seat: V(start) = V(after
    /// argmax over a of own V(after a)).
    fn chances_before(&self, game: &Game, before: &Afterstate, actions: &[Action]) -> Chances {
        if before.actions_left < ACTIONS_A_TURN {
            return self.chances(game, before);
        }
        // A greedy look at one action: the seat is taken to choose the action that is best for itself.
        let mut probe = self.probe();
        let mut best: Option<Chances> = None;
        for &action in actions {
            let after = before.then(action);
            // Evaluators are not asked about games that are over: a win is certain, and nothing is better.
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
        // A seat without a legal action has to pass.
        best.unwrap_or_else(|| self.chances(game, &before.then(Action::Pass)))
    }

    /// A hash that differs between evaluators with different estimates. Caches made with another evaluator do
    /// not apply.
    fn fingerprint(&self) -> u64;

    /// A probe for one thread that values many similar positions, such as those after one player's actions. It gives
    /// the same estimates and may do once the work that the positions share.
    fn probe(&self) -> Box<dyn Probe + '_> {
        Box::new(Plain(self))
    }
}

/// An [`Evaluator`] for one thread. It gives the same bits as the evaluator, in whatever order positions are valued.
pub trait Probe {
    /// Each player's chance to win, as [`Evaluator::chances`].
    fn chances(&mut self, game: &Game, after: &Afterstate) -> Chances;

    /// The chance of the player who just acted, as [`Evaluator::own_chance`].
    fn own_chance(&mut self, game: &Game, after: &Afterstate) -> f32;

    /// Sets `values` to the acting seat's chance to win after each of its actions, before the cards that they draw are
    /// seen. An action that wins has the value 1. `before` has no draw pending.
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

/// A probe that asks its evaluator and reuses nothing.
struct Plain<'a, E: ?Sized>(&'a E);

impl<E: Evaluator + ?Sized> Probe for Plain<'_, E> {
    fn chances(&mut self, game: &Game, after: &Afterstate) -> Chances {
        self.0.chances(game, after)
    }

    fn own_chance(&mut self, game: &Game, after: &Afterstate) -> f32 {
        self.0.own_chance(game, after)
    }
}
