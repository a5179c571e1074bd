//! Five tricks, and the challenge on them.

use super::card::{Card, Cards};
use super::public_state::{PublicState, trick_winner};
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

impl Challenge {
    /// Who is to act: who has to answer an offer; else who follows if the leader's card is on the
    /// table, else the leader.
    pub fn to_act(self, leader: Seat, on_table: bool) -> Seat {
        match self {
            Challenge::Offered(by) => other(by),
            _ if on_table => other(leader),
            _ => leader,
        }
    }
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

/// A hand as it is played: what is public, and the cards both players hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hand {
    cards: [Cards; 2],
    public: PublicState,
}

/// The decisions of a player who holds these cards: cards ascending, each rank once, then an offer
/// if it may be made; or the two answers.
pub(crate) fn legal_decisions(
    cards: Cards,
    must_answer: bool,
    can_challenge: bool,
) -> impl Iterator<Item = Decision> + Clone {
    let cards = if must_answer { Cards::EMPTY } else { cards };
    let offer = (can_challenge && !must_answer).then_some(Decision::Offer);
    let answers = [Decision::Accept, Decision::Reject];
    cards
        .ranks()
        .map(Decision::Play)
        .chain(offer)
        .chain(answers.into_iter().filter(move |_| must_answer))
}

impl Hand {
    /// A new hand: both players' cards, equally many, and who leads the first trick.
    pub fn new(cards: [Cards; 2], opener: Seat) -> Hand {
        debug_assert_eq!(cards[0].len(), cards[1].len());
        Hand {
            cards,
            public: PublicState::new(opener),
        }
    }

    /// Cards a player has not played; a card on the table is not among them.
    pub fn cards(&self, seat: Seat) -> Cards {
        self.cards[seat]
    }

    /// What both players see.
    pub fn public(&self) -> &PublicState {
        &self.public
    }

    /// Whether the hand is over.
    pub fn is_over(&self) -> bool {
        let all_played = self.cards.iter().all(|cards| cards.is_empty());
        self.public.is_rejected() || (all_played && self.public.table.is_none())
    }

    /// Who is to act, unless the hand is over.
    pub fn to_act(&self) -> Option<Seat> {
        (!self.is_over()).then(|| self.public.to_act())
    }

    /// Who won the hand, if it is over and not tied.
    pub fn winner(&self) -> Option<Seat> {
        self.public.leader().filter(|_| self.is_over())
    }

    /// Everything the player to act may decide: cards ascending, each rank once, then an offer; or
    /// the two answers.
    pub fn legal(&self) -> impl Iterator<Item = Decision> + Clone {
        let cards = self.to_act().map_or(Cards::EMPTY, |seat| self.cards[seat]);
        let can_challenge = self.public.can_challenge() && !self.is_over();
        legal_decisions(cards, self.public.must_answer(), can_challenge)
    }

    /// Carries out what the player to act has decided. An illegal decision changes nothing.
    ///
    /// # Errors
    /// If the decision is not legal.
    pub fn decide(&mut self, decision: Decision) -> Result<Outcome, Illegal> {
        let seat = self.to_act().ok_or(Illegal::Over)?;
        match (decision, self.public.challenge) {
            (Decision::Accept | Decision::Reject, Challenge::Offered(_)) => {}
            (_, Challenge::Offered(_)) => return Err(Illegal::AnswerExpected),
            (Decision::Accept | Decision::Reject, _) => return Err(Illegal::NothingOffered),
            (Decision::Offer, Challenge::None) => {}
            (Decision::Offer, _) => return Err(Illegal::SecondOffer),
            (Decision::Play(card), _) => {
                if !self.cards[seat].remove(card) {
                    return Err(Illegal::NotInHand(card));
                }
            }
        }
        let outcome = match (decision, self.public.table) {
            (Decision::Reject, _) => Outcome::Rejected,
            (Decision::Play(card), Some(led)) => Outcome::Trick {
                by: trick_winner(self.public.lead, led, card),
                card: Some(card),
            },
            _ => Outcome::Continues,
        };
        self.public = self.public.after(decision);
        Ok(outcome)
    }

    /// Applies the penalty to the player to act for a wrong or missing answer.
    ///
    /// An offer counts as rejected. Otherwise a card on the table goes back to its owner; then the
    /// offender loses its highest card, the other its lowest, and the other takes the trick.
    ///
    /// # Errors
    /// If the hand is over.
    pub fn fault(&mut self) -> Result<Outcome, Illegal> {
        let seat = self.to_act().ok_or(Illegal::Over)?;
        if self.public.must_answer() {
            return self.decide(Decision::Reject);
        }
        if let Some(card) = self.public.table.take() {
            self.cards[self.public.lead].insert(card);
        }
        let offender = &mut self.cards[seat];
        offender.highest().map(|card| offender.remove(card));
        let innocent = &mut self.cards[other(seat)];
        innocent.lowest().map(|card| innocent.remove(card));
        let by = Some(other(seat));
        self.public.end_trick(by);
        Ok(Outcome::Trick { by, card: None })
    }
}

#[cfg(test)]
mod tests;
