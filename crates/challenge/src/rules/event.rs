//! What a decision leads to.

use super::Seat;
use super::card::Card;
use arrayvec::ArrayVec;

/// What the players are told after a decision, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The decision was legal, and nothing else came of it. For the mover only.
    Accepted,
    /// The answer was wrong or missing, and the penalty follows. For the offender only.
    Error,
    /// A trick was taken.
    TrickWon {
        /// By whom.
        by: Seat,
        /// The last card played, which need not be the winning one; none if the trick was lost by
        /// a fault.
        card: Option<Card>,
    },
    /// Equal cards: nobody took the trick.
    TrickTied,
    /// A hand is over.
    HandDone {
        /// Who won it; nobody in a tied hand.
        by: Option<Seat>,
    },
    /// The game is over.
    GameWon {
        /// The winner.
        by: Seat,
    },
}

impl Event {
    /// Whether only the player who was to act is told.
    pub fn is_private(self) -> bool {
        matches!(self, Event::Accepted | Event::Error)
    }
}

/// Everything that comes of one decision: at most an error, a trick, a hand and a game.
pub type Events = ArrayVec<Event, 4>;
