//! The part of a hand that both players see, and how a decision changes it.

use super::card::{Card, Cards, HAND_SIZE};
use super::decision::{Challenge, Decision};
use super::{Seat, other};
use std::cmp::Ordering;

/// The player who takes a trick: the one with the higher card; none if the cards are equal.
pub fn trick_winner(leader: Seat, led: Card, followed: Card) -> Option<Seat> {
    match followed.cmp(&led) {
        Ordering::Greater => Some(other(leader)),
        Ordering::Less => Some(leader),
        Ordering::Equal => None,
    }
}

/// The public part of a [`Hand`](super::Hand). Players are numbered as in the game. The player to act always
/// follows from the public state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PublicState {
    /// The player who led the first trick.
    pub opener: Seat,
    /// The player who leads the current trick.
    pub lead: Seat,
    /// The leader's card, until the other has followed.
    pub table: Option<Card>,
    /// How many tricks each player has taken.
    pub tricks: [u8; 2],
    /// How many tricks were played, tied ones included.
    pub total_tricks: u8,
    pub challenge: Challenge,
    /// The cards that each player has played in finished tricks. Cards lost by a fault are not among them.
    pub played: [Cards; 2],
}

impl PublicState {
    /// A hand that has just been dealt.
    pub fn new(opener: Seat) -> PublicState {
        PublicState {
            opener,
            lead: opener,
            table: None,
            tricks: [0, 0],
            total_tricks: 0,
            challenge: Challenge::None,
            played: [Cards::EMPTY; 2],
        }
    }

    /// How many tricks are still to be finished, the current one included.
    pub fn tricks_left(&self) -> usize {
        HAND_SIZE - usize::from(self.total_tricks)
    }

    /// How many cards a player holds. A card on the table is not among them.
    pub fn cards_held(&self, seat: Seat) -> usize {
        self.tricks_left() - usize::from(self.table.is_some() && seat == self.lead)
    }

    /// The cards that a player has shown, with the one on the table: a rejection may end the hand while it lies there.
    pub fn shown(&self, seat: Seat) -> Cards {
        let table = self.table.filter(|_| self.lead == seat);
        table.into_iter().fold(self.played[seat], Cards::with)
    }

    /// Whether the hand is over.
    pub fn is_over(&self) -> bool {
        self.is_rejected() || self.tricks_left() == 0
    }

    /// Whether a rejected challenge has ended the hand.
    pub fn is_rejected(&self) -> bool {
        matches!(self.challenge, Challenge::Rejected(_))
    }

    /// The player to act. Only while the hand is not over.
    pub fn to_act(&self) -> Seat {
        self.challenge.to_act(self.lead, self.table.is_some())
    }

    /// Whether the player to act has to answer a challenge.
    pub fn must_answer(&self) -> bool {
        matches!(self.challenge, Challenge::Offered(_))
    }

    /// Whether the player to act may offer a challenge. Only while the hand is not over.
    pub fn can_challenge(&self) -> bool {
        self.challenge == Challenge::None
    }

    /// Whether a challenge was accepted, so that this hand decides the game.
    pub fn in_challenge(&self) -> bool {
        matches!(self.challenge, Challenge::Accepted(_))
    }

    /// How many tricks a player is ahead.
    pub fn ahead(&self, seat: Seat) -> i8 {
        self.tricks[seat] as i8 - self.tricks[other(seat)] as i8
    }

    /// The player who would win the hand if it ended now: the challenger after a rejection, else the one with more
    /// tricks.
    pub fn leader(&self) -> Option<Seat> {
        if let Challenge::Rejected(by) = self.challenge {
            return Some(by);
        }
        (0..2).find(|&seat| self.ahead(seat) > 0)
    }

    /// The player who is certain to take more tricks, whatever is played from here on. None if neither is.
    ///
    /// The result of the hand is certain then, too: if the winner offers a challenge, a rational opponent rejects it,
    /// which costs the same point.
    pub fn settled(&self) -> Option<Seat> {
        // With as many tricks left as it is ahead, the other can still tie.
        (0..2).find(|&seat| self.ahead(seat) > self.tricks_left() as i8)
    }

    /// Whether the result of the hand is certain. While an offer waits, the answer still decides between a point and
    /// the game.
    pub fn is_decided(&self) -> bool {
        self.is_over() || (!self.must_answer() && self.settled().is_some())
    }

    /// The state after a decision of the player to act. Nobody's cards are checked.
    #[must_use]
    pub fn after(mut self, decision: Decision) -> PublicState {
        let seat = self.to_act();
        match decision {
            // An answer is recorded under the player who offered.
            Decision::Offer => self.challenge = Challenge::Offered(seat),
            Decision::Accept => self.challenge = Challenge::Accepted(other(seat)),
            Decision::Reject => self.challenge = Challenge::Rejected(other(seat)),
            Decision::Play(card) => match self.table.take() {
                None => self.table = Some(card),
                Some(led) => {
                    // Both cards count as played only now, when the trick is over.
                    self.played[self.lead].insert(led);
                    self.played[seat].insert(card);
                    self.end_trick(trick_winner(self.lead, led, card));
                }
            },
        }
        self
    }

    /// Ends the trick; its winner, if any, leads the next one.
    pub(super) fn end_trick(&mut self, by: Option<Seat>) {
        self.total_tricks += 1;
        if let Some(by) = by {
            self.tricks[by] += 1;
            self.lead = by;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::random_hands;
    use engine::rng::stream;

    /// In random hands the public state counts as many cards as the players hold.
    #[test]
    fn counts_agree_with_the_cards() {
        random_hands(500, &mut stream(5, 0), |hand, log| {
            let public = hand.public();
            let start = PublicState::new(public.opener);
            assert_eq!(
                log.iter().fold(start, |at, &decision| at.after(decision)),
                *public
            );
            assert_eq!(public.is_over(), hand.to_act().is_none());
            if let Some(seat) = hand.to_act() {
                assert_eq!(public.cards_held(seat), hand.cards(seat).len());
                let legal: Vec<Decision> = hand.legal().collect();
                assert_eq!(public.can_challenge(), legal.contains(&Decision::Offer));
                assert_eq!(public.must_answer(), legal.contains(&Decision::Accept));
            } else if !public.is_rejected() {
                assert_eq!(hand.winner(), public.settled());
            }
        });
    }
}
