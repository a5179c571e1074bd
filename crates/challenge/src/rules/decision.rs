//! The decisions of players, and the state of a hand's challenge.

use super::card::{Card, Cards};
use super::{Seat, other};

/// A decision of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    Play(Card),
    /// Offer a challenge instead of playing a card.
    Offer,
    /// Accept the other's challenge: the winner of this hand wins the game.
    Accept,
    /// Refuse it: the hand is over, and the challenger has the point.
    Reject,
}

/// The state of a hand's challenge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Challenge {
    /// No player has offered one.
    #[default]
    None,
    /// This player has offered one, and the other has to answer.
    Offered(Seat),
    /// This player has offered one, and the other has accepted.
    Accepted(Seat),
    /// This player has offered one, and the other has refused.
    Rejected(Seat),
}

impl Challenge {
    /// The player to act: the one who has to answer an offer; else the follower if a card is on the table, else the
    /// leader.
    pub fn to_act(self, leader: Seat, on_table: bool) -> Seat {
        match self {
            Challenge::Offered(by) => other(by),
            _ if on_table => other(leader),
            _ => leader,
        }
    }
}

/// The decisions of a player who holds these cards: cards ascending, each rank once, then an offer
/// if it may be made; or the two answers.
pub(crate) fn legal_decisions(
    cards: Cards,
    must_answer: bool,
    can_challenge: bool,
) -> impl Iterator<Item = Decision> + Clone {
    // An offer must be answered before anything else.
    let cards = if must_answer { Cards::EMPTY } else { cards };
    let offer = (can_challenge && !must_answer).then_some(Decision::Offer);
    let answers = [Decision::Accept, Decision::Reject];
    cards
        .ranks()
        .map(Decision::Play)
        .chain(offer)
        .chain(answers.into_iter().filter(move |_| must_answer))
}
