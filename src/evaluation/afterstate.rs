//! What an evaluation sees: the position after an action, its draw pending.

use crate::rules::{Action, Cards, MAX_PLAYERS, State, Track};
use crate::view::View;

/// The position just after an action, before the cards it draws are seen, so that a retreat is
/// valued once instead of once for every card it may bring. It holds nothing that the player who
/// acted does not see.
#[derive(Clone, Copy, Debug)]
pub struct Afterstate {
    /// Where the pirates are.
    pub track: Track,
    /// The player who acted.
    pub seat: usize,
    /// That player's hand, without the cards still to be drawn.
    pub hand: Cards,
    /// The number of cards in each hand, without those still to be drawn.
    pub hand_sizes: [u8; MAX_PLAYERS],
    /// Cards played since the last reshuffle.
    pub discards: Cards,
    /// Cards in the draw pile, those still to be drawn included.
    pub pile: u8,
    /// Cards about to be drawn.
    pub draws: u8,
    /// Actions left in the turn; with 0 the next player is to move.
    pub actions_left: u8,
}

impl Afterstate {
    /// What the player to move of an open state sees before its next action, as if after one that
    /// drew nothing.
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

    /// What the seat of a view, which must be to move, sees before its next action.
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

    /// After a legal action of the same player, who has drawn nothing in between.
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
                self.draws = self.track.draws(to, self.pile, self.discards);
                self.track.step(self.seat, from, to);
            }
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
