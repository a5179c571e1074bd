//! The actions of a player: an advance, a retreat or a pass.

use super::board::Place;
use super::symbol::Symbol;
use std::fmt;

/// One of the up to three actions of a turn.
///
/// Legal actions are listed in a fixed order: by the pirate's place from the rear; on one place the
/// cards in the order of their symbols, then the retreat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Plays a card to move a pirate forward.
    Advance {
        from: Place,
        /// The first empty space ahead with the card's symbol, or the boat.
        to: Place,
        symbol: Symbol,
    },
    /// Moves a pirate back and draws a card for each pirate that stands where it goes.
    Retreat {
        from: Place,
        /// The nearest space behind that holds one or two pirates.
        to: Place,
    },
    /// Ends the turn without a move.
    Pass,
}

impl Action {
    /// The moving pirate's place before and after; none for a pass.
    #[inline]
    pub fn places(self) -> Option<(Place, Place)> {
        match self {
            Action::Advance { from, to, .. } | Action::Retreat { from, to } => Some((from, to)),
            Action::Pass => None,
        }
    }

    /// The card an advance plays.
    #[inline]
    pub fn card(self) -> Option<Symbol> {
        match self {
            Action::Advance { symbol, .. } => Some(symbol),
            _ => None,
        }
    }
}

/// As the contest writes it, without the player's number: `0 7 hat`, `5 2`; a pass is `pass`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Advance { from, to, symbol } => write!(f, "{from} {to} {symbol}"),
            Action::Retreat { from, to } => write!(f, "{from} {to}"),
            Action::Pass => f.write_str("pass"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_is_shown_as_the_contest_writes_it() {
        let (from, to, symbol) = (0, 7, Symbol::Hat);
        assert_eq!(Action::Advance { from, to, symbol }.to_string(), "0 7 hat");
        assert_eq!(Action::Retreat { from: 5, to: 2 }.to_string(), "5 2");
        assert_eq!(Action::Pass.to_string(), "pass");
    }
}
