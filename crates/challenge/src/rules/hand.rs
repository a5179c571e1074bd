//! Five tricks, and the challenge on them.

use super::card::{Card, Cards};
use super::{Seat, other};
use thiserror::Error;

/// Cards a player is dealt, and tricks of a hand.
pub const HAND_SIZE: usize = 5;

/// What a player may decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// Play this card.
    Play(Card),
    /// Offer a challenge instead of playing a card.
    Offer,
    /// Accept the other's challenge: this hand decides the game.
    Accept,
    /// Refuse it: the hand is over, and the challenger has the point.
    Reject,
}

/// The challenge of a hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Challenge {
    /// Nobody has offered one.
    #[default]
    None,
    /// This player has offered one, and the other has to answer.
    Offered(Seat),
    /// This player has offered one, and the other has accepted.
    Accepted(Seat),
    /// This player has offered one, and the other has refused.
    Rejected(Seat),
}

/// Why a decision is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Illegal {
    /// The card is not in the hand.
    #[error("card {0} is not in the hand")]
    NotInHand(Card),
    /// There was a challenge in this hand already.
    #[error("a challenge was already offered in this hand")]
    SecondOffer,
    /// A challenge waits for an answer.
    #[error("expected an answer to the challenge, accepted or rejected")]
    AnswerExpected,
    /// There is no challenge to answer.
    #[error("expected a card or an offer: there is no challenge to answer")]
    NothingOffered,
    /// The hand is over.
    #[error("the hand is over")]
    Over,
}

/// What a decision or a fault came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The hand goes on, and nothing is decided.
    Continues,
    /// A trick is over; `by` took it, if anyone. The hand may be over as well.
    Trick {
        /// Who took it.
        by: Option<Seat>,
        /// The last card played; none if the trick was lost by a fault.
        card: Option<Card>,
    },
    /// A challenge was rejected: the hand is over.
    Rejected,
}

/// A hand as it is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hand {
    cards: [Cards; 2],
    table: Option<Card>,
    opener: Seat,
    lead: Seat,
    tricks: [u8; 2],
    total: u8,
    challenge: Challenge,
}

impl Hand {
    /// A new hand: both players' cards, equally many, and who leads the first trick.
    pub fn new(cards: [Cards; 2], opener: Seat) -> Hand {
        debug_assert_eq!(cards[0].len(), cards[1].len());
        Hand {
            cards,
            table: None,
            opener,
            lead: opener,
            tricks: [0, 0],
            total: 0,
            challenge: Challenge::None,
        }
    }

    /// Cards a player has not played; a card on the table is not among them.
    pub fn cards(&self, seat: Seat) -> Cards {
        self.cards[seat]
    }

    /// The leader's card, while the other has not followed.
    pub fn table(&self) -> Option<Card> {
        self.table
    }

    /// Who led the first trick.
    pub fn opener(&self) -> Seat {
        self.opener
    }

    /// Who leads the current trick.
    pub fn lead(&self) -> Seat {
        self.lead
    }

    /// Tricks each player has taken.
    pub fn tricks(&self) -> [u8; 2] {
        self.tricks
    }

    /// Tricks played, tied ones included.
    pub fn total_tricks(&self) -> u8 {
        self.total
    }

    /// The challenge.
    pub fn challenge(&self) -> Challenge {
        self.challenge
    }

    /// Whether the hand is over.
    pub fn is_over(&self) -> bool {
        matches!(self.challenge, Challenge::Rejected(_))
            || self.cards.iter().all(|cards| cards.is_empty()) && self.table.is_none()
    }

    /// Who is to act, unless the hand is over.
    pub fn to_act(&self) -> Option<Seat> {
        if self.is_over() {
            return None;
        }
        Some(match (self.challenge, self.table) {
            (Challenge::Offered(by), _) => other(by),
            (_, Some(_)) => other(self.lead),
            (_, None) => self.lead,
        })
    }

    /// Whether the player to act has to answer a challenge.
    pub fn must_answer(&self) -> bool {
        matches!(self.challenge, Challenge::Offered(_))
    }

    /// Whether the player to act may offer a challenge.
    pub fn can_challenge(&self) -> bool {
        self.challenge == Challenge::None && !self.is_over()
    }

    /// Whether an accepted challenge rides on this hand.
    pub fn in_challenge(&self) -> bool {
        matches!(self.challenge, Challenge::Accepted(_))
    }

    /// Who won the hand, if it is over and not tied.
    pub fn winner(&self) -> Option<Seat> {
        if let Challenge::Rejected(by) = self.challenge {
            return Some(by);
        }
        match self.tricks[0].cmp(&self.tricks[1]) {
            _ if !self.is_over() => None,
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Everything the player to act may decide: cards ascending, each rank once, then an offer; or
    /// the two answers.
    pub fn legal(&self) -> impl Iterator<Item = Decision> + Clone {
        let answer = self.must_answer();
        let cards = match self.to_act() {
            Some(seat) if !answer => self.cards[seat],
            _ => Cards::EMPTY,
        };
        let offer = self.can_challenge().then_some(Decision::Offer);
        let answers = [Decision::Accept, Decision::Reject];
        cards
            .ranks()
            .map(Decision::Play)
            .chain(offer)
            .chain(answers.into_iter().filter(move |_| answer))
    }

    /// Carries out what the player to act has decided. An illegal decision changes nothing.
    pub fn decide(&mut self, decision: Decision) -> Result<Outcome, Illegal> {
        let seat = self.to_act().ok_or(Illegal::Over)?;
        match (decision, self.challenge) {
            (Decision::Accept, Challenge::Offered(by)) => {
                self.challenge = Challenge::Accepted(by);
                Ok(Outcome::Continues)
            }
            (Decision::Reject, Challenge::Offered(by)) => {
                self.challenge = Challenge::Rejected(by);
                Ok(Outcome::Rejected)
            }
            (_, Challenge::Offered(_)) => Err(Illegal::AnswerExpected),
            (Decision::Offer, Challenge::None) => {
                self.challenge = Challenge::Offered(seat);
                Ok(Outcome::Continues)
            }
            (Decision::Offer, _) => Err(Illegal::SecondOffer),
            (Decision::Accept | Decision::Reject, _) => Err(Illegal::NothingOffered),
            (Decision::Play(card), _) => self.play(seat, card),
        }
    }

    fn play(&mut self, seat: Seat, card: Card) -> Result<Outcome, Illegal> {
        if !self.cards[seat].remove(card) {
            return Err(Illegal::NotInHand(card));
        }
        let Some(led) = self.table.take() else {
            self.table = Some(card);
            return Ok(Outcome::Continues);
        };
        let by = match card.cmp(&led) {
            std::cmp::Ordering::Greater => Some(seat),
            std::cmp::Ordering::Less => Some(other(seat)),
            std::cmp::Ordering::Equal => None,
        };
        self.end_trick(by);
        Ok(Outcome::Trick {
            by,
            card: Some(card),
        })
    }

    fn end_trick(&mut self, by: Option<Seat>) {
        self.total += 1;
        if let Some(by) = by {
            self.tricks[by] += 1;
            self.lead = by;
        }
    }

    /// Punishes the player to act for a wrong or missing answer.
    ///
    /// An offer counts as rejected. Otherwise a card on the table goes back to its owner; then the
    /// offender loses its highest card, the other its lowest, and the other takes the trick.
    pub fn fault(&mut self) -> Result<Outcome, Illegal> {
        let seat = self.to_act().ok_or(Illegal::Over)?;
        if self.must_answer() {
            return self.decide(Decision::Reject);
        }
        if let Some(card) = self.table.take() {
            self.cards[self.lead].insert(card);
        }
        for lost in self.at_stake(seat).into_iter().enumerate() {
            if let (owner, Some(card)) = lost {
                self.cards[owner].remove(card);
            }
        }
        let by = Some(other(seat));
        self.end_trick(by);
        Ok(Outcome::Trick { by, card: None })
    }

    /// The cards both players would lose by a fault of one of them now.
    fn at_stake(&self, offender: Seat) -> [Option<Card>; 2] {
        let mut lost = self.cards.map(Cards::lowest);
        lost[offender] = self.cards[offender].highest();
        lost
    }
}

#[cfg(test)]
mod tests;
