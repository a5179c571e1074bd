//! The events that a decision leads to.

use super::Seat;
use super::card::Card;
use arrayvec::ArrayVec;

/// A message to the players after a decision. The events of one decision are sent in the order of these variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The decision was legal and had no other effect. For the mover only.
    Accepted,
    /// The answer was wrong or missing, and the penalty follows. For the offender only.
    Error,
    /// A trick was taken.
    TrickWon {
        /// The player who took it.
        by: Seat,
        /// The last card played, not necessarily the winning one; none if the trick was lost by a fault.
        card: Option<Card>,
    },
    /// The cards were equal, and no player took the trick.
    TrickTied,
    /// A hand is over.
    HandDone {
        /// The winner; none in a tied hand.
        by: Option<Seat>,
    },
    /// The game is over.
    GameWon { by: Seat },
}

impl Event {
    /// Whether only the player who was to act receives it.
    pub fn is_private(self) -> bool {
        matches!(self, Event::Accepted | Event::Error)
    }
}

/// All events of one decision: at most an error, a trick, a hand and a game.
pub type Events = ArrayVec<Event, 4>;

#[cfg(test)]
mod tests {
    use super::*;

    /// Only the player who acted is sent whether its action was accepted.
    #[test]
    fn who_acts_alone_is_told_how_its_action_was_taken() {
        assert!(Event::Accepted.is_private() && Event::Error.is_private());
        for event in [
            Event::TrickTied,
            Event::TrickWon { by: 0, card: None },
            Event::HandDone { by: None },
            Event::GameWon { by: 1 },
        ] {
            assert!(!event.is_private(), "{event:?}");
        }
    }
}
