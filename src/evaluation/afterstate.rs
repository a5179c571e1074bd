//! The input of an evaluation: the position after an action, with its draw still to come. Search and training
//! pass it to an [`Evaluator`](super::Evaluator) or a [`Probe`](super::Probe).

use crate::rules::{Action, Cards, MAX_PLAYERS, State, Track};
use crate::view::View;

/// The position just after an action and before the cards that it draws are seen (an afterstate; Sutton and Barto,
/// "Reinforcement learning", second edition, section 6.8).
///
/// A retreat then takes one evaluation in place of one for each set of cards, 6 or 21. An afterstate holds nothing
/// that the player who acted does not see.
#[derive(Clone, Copy, Debug)]
pub struct Afterstate {
    /// Where the pirates are.
    pub track: Track,
    /// The player who acted.
    pub seat: usize,
    /// The hand of that player, without the cards still to be drawn.
    pub hand: Cards,
    /// The number of cards in each hand, without those still to be drawn.
    pub hand_sizes: [u8; MAX_PLAYERS],
    /// Cards played since the last reshuffle.
    pub discards: Cards,
    /// The number of cards in the draw pile, those still to be drawn included.
    pub pile: u8,
    /// The number of cards about to be drawn.
    pub draws: u8,
    /// The actions left in the turn; at 0 the next player is to move.
    pub actions_left: u8,
}

impl Afterstate {
    /// The position of the player to move before its next action, as if after one that drew nothing. Other hands of
    /// the open state are reduced to their sizes.
    #[inline]
    pub fn before(state: &State) -> Afterstate {
        let seat = state.to_move as usize;
        Afterstate {
            track: state.track,
            seat,
            hand: state.hands[seat],
            hand_sizes: state.hands.map(Cards::total),
            discards: state.discards,
            pile: state.pile,
            draws: 0,
            actions_left: state.actions_left(),
        }
    }

    /// The same from the view of the player to move.
    #[inline]
    pub fn before_view(view: &View) -> Afterstate {
        Afterstate {
            track: view.track,
            seat: view.seat,
            hand: view.hand,
            hand_sizes: view.hand_sizes,
            discards: view.discards,
            pile: view.pile,
            draws: 0,
            actions_left: view.actions_left(),
        }
    }

    /// The position after a legal action of the same player. No draw must be pending.
    #[inline]
    #[must_use]
    pub fn then(mut self, action: Action) -> Afterstate {
        match action {
            Action::Advance { from, to, symbol } => {
                self.hand = self.hand.without(symbol);
                self.hand_sizes[self.seat] -= 1;
                self.discards = self.discards.with(symbol);
                self.track.step(self.seat, from, to);
            }
            Action::Retreat { from, to } => {
                // Counted before the step: the pirate that arrives does not count.
                self.draws = self.track.draws(to, self.pile, self.discards);
                self.track.step(self.seat, from, to);
            }
            // A pass ends the turn whatever was left of it.
            Action::Pass => {
                self.actions_left = 0;
                return self;
            }
        }
        self.actions_left -= 1;
        self
    }

    /// Whether the action has won the game.
    #[inline]
    pub fn won(&self) -> bool {
        self.track.is_home(self.seat)
    }
}
