//! How good a position is for each player, without looking ahead.

pub mod handmade;

use super::rules::{Action, Cards, Game, MAX_PLAYERS, Place, State, Track};
use super::view::View;
use std::path::Path;
use std::sync::Arc;

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

/// A position after an action whose draw is pending, owned.
#[derive(Clone, Copy, Debug)]
struct After {
    track: Track,
    hand: Cards,
    hand_sizes: [u8; MAX_PLAYERS],
    discards: Cards,
    draws: u8,
}

impl Situation<'_> {
    /// Cards a retreat to `to` would draw.
    pub fn draws_at(&self, to: Place) -> u8 {
        let available = u16::from(self.pile) + u16::from(self.discards.total());
        u16::from(self.track.pirates_on(to)).min(available) as u8
    }

    #[inline]
    fn after(&self, action: Action) -> After {
        let mut after = After {
            track: *self.track,
            hand: self.hand,
            hand_sizes: self.hand_sizes,
            discards: self.discards,
            draws: 0,
        };
        match action {
            Action::Advance { from, to, symbol } => {
                after.hand = after.hand.without(symbol);
                after.hand_sizes[self.seat] -= 1;
                after.discards = after.discards.with(symbol);
                after.track.step(self.seat, from, to);
            }
            Action::Retreat { from, to } => {
                after.draws = self.draws_at(to);
                after.track.step(self.seat, from, to);
            }
            Action::Pass => {}
        }
        after
    }
}

/// The judge that players of this number should use: a trained network if there is one in the
/// folder, else the hand-made evaluation, and what was wrong with the network.
pub fn load(_folder: &Path, _players: usize) -> (Arc<dyn Evaluator>, Option<String>) {
    (Arc::new(handmade::Handmade::default()), None)
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

    /// The chance of the seat to act after each of the actions, before what they draw is known.
    /// `before` has no pending draw, and in `actions_left` the action to be taken; an action that
    /// wins is worth 1.
    fn rate(&self, before: &Situation, actions: &[Action], values: &mut [f32]) {
        for (&action, value) in actions.iter().zip(values) {
            let after = before.after(action);
            *value = if after.track.is_home(before.seat) {
                1.0
            } else {
                self.own_chance(&Situation {
                    game: before.game,
                    track: &after.track,
                    seat: before.seat,
                    hand: after.hand,
                    hand_sizes: after.hand_sizes,
                    discards: after.discards,
                    pile: before.pile,
                    draws: after.draws,
                    actions_left: if action == Action::Pass {
                        0
                    } else {
                        before.actions_left - 1
                    },
                })
            };
        }
    }

    /// Changes whenever the estimates do: what was learnt with another evaluator is worth nothing.
    fn fingerprint(&self) -> u64;
}
