//! The view of one seat: everything public, and its own hand. A player decides on a view, so it cannot use a card
//! that its seat may not know.

use super::rules::{ACTIONS_A_TURN, Action, CELL, Cards, Game, MAX_PLAYERS, Place, State, Track};

/// A game as one seat sees it. It holds no card that the seat may not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// The seat that sees, from 0.
    pub seat: usize,
    pub hand: Cards,
    /// The number of cards in each player's hand.
    pub hand_sizes: [u8; MAX_PLAYERS],
    /// Where the pirates are.
    pub track: Track,
    /// Cards played since the last reshuffle.
    pub discards: Cards,
    /// Cards in the draw pile.
    pub pile: u8,
    /// The player to act, from 0.
    pub to_move: u8,
    /// Actions this player has taken in this turn, 0 to 2; 3 once [`View::take`] has taken the third.
    pub taken: u8,
}

impl View {
    /// The same view, but pirates of players who have left are in the cell if they were on the boat; none if there are no
    /// such pirates.
    ///
    /// Nobody can go back to either place, so the change alters no other player's actions. But networks have learnt from
    /// games in which nobody leaves. If a player is about to win, they value the others at next to nothing, and their
    /// order among each other is random. For example, two players with equal progress were left beside one with five
    /// pirates on the boat, and the one to move was valued at 1 %.
    pub fn without_gone(&self, game: &Game) -> Option<View> {
        let mut view = *self;
        for player in (0..game.players).filter(|&player| game.is_gone(player)) {
            while view.track.home(player) > 0 {
                view.track.relocate(player, view.track.boat(), CELL);
            }
        }
        (view != *self).then_some(view)
    }

    /// The view that `seat` has of a game.
    pub fn of(state: &State, seat: usize) -> View {
        View {
            seat,
            hand: state.hands[seat],
            hand_sizes: state.hands.map(Cards::total),
            track: state.track,
            discards: state.discards,
            pile: state.pile,
            to_move: state.to_move,
            taken: state.taken,
        }
    }

    /// The full state, if all players hold these hands.
    pub fn with_hands(&self, hands: [Cards; MAX_PLAYERS]) -> State {
        State {
            track: self.track,
            hands,
            discards: self.discards,
            pile: self.pile,
            to_move: self.to_move,
            taken: self.taken,
        }
    }

    /// The state as far as the seat sees it, with empty hands for the others.
    pub fn as_seen(&self) -> State {
        let mut hands = [Cards::NONE; MAX_PLAYERS];
        hands[self.seat] = self.hand;
        self.with_hands(hands)
    }

    /// The cards the seat does not see: other hands and the draw pile together.
    ///
    /// If a faulty record shows more cards of a symbol than the deck has, none of that symbol is unseen.
    pub fn unseen(&self) -> Cards {
        Cards::deck()
            .saturating_minus(self.hand)
            .saturating_minus(self.discards)
    }

    /// Cards drawn by a retreat to `to` (see [`Track::draws`]).
    pub fn draws(&self, to: Place) -> u8 {
        self.track.draws(to, self.pile, self.discards)
    }

    /// The seat, which must be to move, takes a legal action that draws the given cards. A search follows its own
    /// turn by this. So the turn is never handed over, not even after its third action, and a pass changes nothing.
    pub fn take(&mut self, action: Action, drawn: Cards) {
        // A pass has no places and would only hand the turn over.
        let Some((from, to)) = action.places() else {
            return;
        };
        if let Some(symbol) = action.card() {
            self.hand = self.hand.without(symbol);
            self.discards = self.discards.with(symbol);
        } else {
            // Between the last old card and the first new one the discards become the pile.
            if drawn.total() > self.pile {
                self.pile += self.discards.total();
                self.discards = Cards::NONE;
            }
            self.pile -= drawn.total();
            self.hand = self.hand.plus(drawn);
        }
        self.hand_sizes[self.seat] = self.hand.total();
        self.track.step(self.seat, from, to);
        self.taken += 1;
    }

    /// Actions the player to move may still take in this turn, 1 to 3; 0 once the turn is used up.
    pub fn actions_left(&self) -> u8 {
        ACTIONS_A_TURN - self.taken
    }
}
