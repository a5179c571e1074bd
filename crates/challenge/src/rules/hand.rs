//! A hand: five tricks, and the challenge that may be offered during them.

use super::card::{Card, Cards};
use super::decision::{Challenge, Decision, legal_decisions};
use super::public_state::{PublicState, trick_winner};
use super::{Seat, other};
use thiserror::Error;

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

/// The effect of a decision or a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The hand goes on in the same trick.
    Continues,
    /// A trick is over; `by` took it, if either player did. The hand may be over as well.
    Trick {
        by: Option<Seat>,
        /// The last card played; none if the trick was lost by a fault.
        card: Option<Card>,
    },
    /// A challenge was rejected: the hand is over.
    Rejected,
}

/// A hand as it is played: the public state, and the cards of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hand {
    cards: [Cards; 2],
    public: PublicState,
}

impl Hand {
    /// A new hand: both players' cards, the same number each, and the player who leads the first trick.
    pub fn new(cards: [Cards; 2], opener: Seat) -> Hand {
        debug_assert_eq!(cards[0].len(), cards[1].len());
        Hand {
            cards,
            public: PublicState::new(opener),
        }
    }

    /// A hand under way: the cards that both players hold, without one on the table, and the public state.
    ///
    /// Each player must hold as many cards as [`PublicState::cards_held`] says.
    pub fn under_way(cards: [Cards; 2], public: PublicState) -> Hand {
        debug_assert!((0..2).all(|seat| cards[seat].len() == public.cards_held(seat)));
        Hand { cards, public }
    }

    /// The cards that a player has not played. A card on the table is not among them.
    pub fn cards(&self, seat: Seat) -> Cards {
        self.cards[seat]
    }

    /// The part that both players see.
    pub fn public(&self) -> &PublicState {
        &self.public
    }

    /// Whether the hand is over.
    pub fn is_over(&self) -> bool {
        let all_played = self.cards.iter().all(|cards| cards.is_empty());
        self.public.is_rejected() || (all_played && self.public.table.is_none())
    }

    /// The player to act, unless the hand is over.
    pub fn to_act(&self) -> Option<Seat> {
        (!self.is_over()).then(|| self.public.to_act())
    }

    /// The winner of the hand, if it is over and not tied.
    pub fn winner(&self) -> Option<Seat> {
        self.public.leader().filter(|_| self.is_over())
    }

    /// The legal decisions of the player to act: cards ascending, each rank once, then an offer; or the two
    /// answers.
    pub fn legal(&self) -> impl Iterator<Item = Decision> + Clone {
        let cards = self.to_act().map_or(Cards::EMPTY, |seat| self.cards[seat]);
        let can_challenge = self.public.can_challenge() && !self.is_over();
        legal_decisions(cards, self.public.must_answer(), can_challenge)
    }

    /// Carries out a decision of the player to act. An illegal decision changes nothing.
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
            // Checks and removes the card in one step; the other checks change nothing.
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
        // The rules' penalty: the trick is played with other cards, so the led card goes back first.
        if let Some(card) = self.public.table.take() {
            self.cards[self.public.lead].insert(card);
        }
        let offender = &mut self.cards[seat];
        // Both lose a card, so that both keep the same number.
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
