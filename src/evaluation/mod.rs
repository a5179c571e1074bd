//! How good a position is for each player, without looking ahead.

mod after;
mod evaluators;
pub mod features;
pub mod handmade;
mod kernel;
mod network;
mod network_file;
mod probe;
#[cfg(test)]
mod testing;

pub use after::Afterstate;
pub use evaluators::{Evaluators, load};
pub use kernel::NetworkEvaluator;
pub use network::{Network, Outputs, Shape, chances as network_chances};
pub use network_file::{NetworkError, NetworkFile, TrainingRecord};
pub use probe::NetworkProbe;

use super::rules::{Action, Cards, Game, MAX_PLAYERS, State, Track};
use super::view::View;

/// The chance of each player to win, by seat; entries beyond the players are 0.
pub type Chances = [f32; MAX_PLAYERS];

/// A position just after an action, as the player who acted sees it.
///
/// The action's draw may still be pending: `hand` and `hand_sizes` then do not hold those cards
/// yet, so that a retreat can be valued once instead of once for every card it may bring.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// Board and numbers of players and pirates.
    pub game: &'a Game,
    /// Where the pirates are after the action.
    pub track: &'a Track,
    /// The player who acted, who sees `hand`.
    pub seat: usize,
    /// That player's hand, without the cards still to be drawn.
    pub hand: Cards,
    /// The number of cards in each hand, without the cards still to be drawn.
    pub hand_sizes: [u8; MAX_PLAYERS],
    /// Cards played since the last reshuffle.
    pub discards: Cards,
    /// Cards in the draw pile, those still to be drawn included.
    pub pile: u8,
    /// Cards the player is about to draw.
    pub draws: u8,
    /// Actions the player has left in this turn; with 0 the next player is to move.
    pub actions_left: u8,
}

impl<'a> Situation<'a> {
    /// The situation of `seat` in a view of its own, with the given actions left.
    pub fn of_view(game: &'a Game, view: &'a View, actions_left: u8) -> Situation<'a> {
        Situation {
            game,
            track: &view.track,
            seat: view.seat,
            hand: view.hand,
            hand_sizes: view.hand_sizes,
            discards: view.discards,
            pile: view.pile,
            draws: 0,
            actions_left,
        }
    }

    /// The situation of `seat` in an open state, with the given actions left.
    pub fn of_state(
        game: &'a Game,
        state: &'a State,
        seat: usize,
        actions_left: u8,
    ) -> Situation<'a> {
        Situation {
            game,
            track: &state.track,
            seat,
            hand: state.hands[seat],
            hand_sizes: state.hands.map(Cards::total),
            discards: state.discards,
            pile: state.pile,
            draws: 0,
            actions_left,
        }
    }
}

/// Estimates the chances to win.
pub trait Evaluator: Sync + Send {
    /// Each player's chance to win, as the player who just acted may estimate it. They sum to 1.
    /// Nobody has won yet.
    fn chances(&self, situation: &Situation) -> Chances;

    /// The chance of the player who just acted.
    fn own_chance(&self, situation: &Situation) -> f32 {
        self.chances(situation)[situation.seat]
    }

    /// Changes whenever the estimates do: what was learnt with another evaluator is worth nothing.
    fn fingerprint(&self) -> u64;

    /// The same estimates for one thread that asks many times about positions that resemble each
    /// other, such as what one player can do next: work that they share may be done once.
    fn probe(&self) -> Box<dyn Probe + '_> {
        Box::new(Plain(self))
    }
}

/// An [`Evaluator`] in the hands of one thread. It gives the evaluator's estimates, bit for bit,
/// whatever it was asked before.
pub trait Probe {
    /// As [`Evaluator::chances`].
    fn chances(&mut self, situation: &Situation) -> Chances;

    /// As [`Evaluator::own_chance`].
    fn own_chance(&mut self, situation: &Situation) -> f32;

    /// The chance of the seat to act after each of its actions, before what they draw is seen; an
    /// action that wins is worth 1. `before` has no draw pending.
    fn rate(&mut self, game: &Game, before: &Afterstate, actions: &[Action], values: &mut [f32]) {
        for (&action, value) in actions.iter().zip(values) {
            let after = before.then(action);
            *value = if after.won() {
                1.0
            } else {
                self.own_chance(&after.situation(game))
            };
        }
    }
}

/// A probe that keeps nothing.
struct Plain<'a, E: ?Sized>(&'a E);

impl<E: Evaluator + ?Sized> Probe for Plain<'_, E> {
    fn chances(&mut self, situation: &Situation) -> Chances {
        self.0.chances(situation)
    }

    fn own_chance(&mut self, situation: &Situation) -> f32 {
        self.0.own_chance(situation)
    }
}
