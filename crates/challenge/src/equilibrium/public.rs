//! What both players see of a hand.

use crate::rules::{Card, Cards, Challenge, Decision, HAND_SIZE, Hand, Seat, other};
use std::cmp::Ordering;

/// The public part of a [`Hand`]. Players are numbered as in the game; the mover of a decision is
/// always clear from what is public.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Public {
    /// Who led the first trick.
    pub opener: Seat,
    /// Who leads the current trick.
    pub lead: Seat,
    /// The leader's card, while the other has not followed.
    pub table: Option<Card>,
    /// Tricks each player has taken.
    pub tricks: [u8; 2],
    /// Tricks played, tied ones included.
    pub total: u8,
    /// The challenge.
    pub challenge: Challenge,
    /// What each player has played in finished tricks.
    pub played: [Cards; 2],
}

impl Public {
    /// A hand that has just been dealt.
    pub fn new(opener: Seat) -> Public {
        Public {
            opener,
            lead: opener,
            table: None,
            tricks: [0, 0],
            total: 0,
            challenge: Challenge::None,
            played: [Cards::EMPTY; 2],
        }
    }

    /// The public part of a hand, given what was played in its finished tricks.
    pub fn of(hand: &Hand, played: [Cards; 2]) -> Public {
        Public {
            opener: hand.opener(),
            lead: hand.lead(),
            table: hand.table(),
            tricks: hand.tricks(),
            total: hand.total_tricks(),
            challenge: hand.challenge(),
            played,
        }
    }

    /// Tricks that are still to be finished, the current one included.
    pub fn left(&self) -> usize {
        HAND_SIZE - usize::from(self.total)
    }

    /// Cards a player still holds; a card on the table is not among them.
    pub fn held(&self, seat: Seat) -> usize {
        self.left() - usize::from(self.table.is_some() && seat == self.lead)
    }

    /// Whether nothing is left to decide.
    pub fn is_over(&self) -> bool {
        matches!(self.challenge, Challenge::Rejected(_)) || self.left() == 0
    }

    /// Who is to act. Only while the hand is not over.
    pub fn to_act(&self) -> Seat {
        match (self.challenge, self.table) {
            (Challenge::Offered(by), _) => other(by),
            (_, Some(_)) => other(self.lead),
            (_, None) => self.lead,
        }
    }

    /// Whether a challenge waits for an answer.
    pub fn must_answer(&self) -> bool {
        matches!(self.challenge, Challenge::Offered(_))
    }

    /// Whether the player to act may offer a challenge.
    pub fn can_challenge(&self) -> bool {
        self.challenge == Challenge::None
    }

    /// Tricks a player is ahead.
    pub fn ahead(&self, seat: Seat) -> i8 {
        self.tricks[seat] as i8 - self.tricks[other(seat)] as i8
    }

    /// Who takes more tricks whatever is played from here on, if that is certain.
    ///
    /// From there the hand's result is certain too: a challenge offered by the winner is rejected by
    /// whoever has any sense, which is worth the same point.
    pub fn settled(&self) -> Option<Seat> {
        (0..2).find(|&seat| self.ahead(seat) > self.left() as i8)
    }

    /// What follows from a decision of the player to act. It is not checked against anybody's cards.
    #[must_use]
    pub fn after(mut self, decision: Decision) -> Public {
        let seat = self.to_act();
        match decision {
            Decision::Offer => self.challenge = Challenge::Offered(seat),
            Decision::Accept => self.challenge = Challenge::Accepted(other(seat)),
            Decision::Reject => self.challenge = Challenge::Rejected(other(seat)),
            Decision::Play(card) => match self.table.take() {
                None => self.table = Some(card),
                Some(led) => self.end_trick(led, card),
            },
        }
        self
    }

    fn end_trick(&mut self, led: Card, followed: Card) {
        let (leader, follower) = (self.lead, other(self.lead));
        self.played[leader].insert(led);
        self.played[follower].insert(followed);
        self.total += 1;
        let by = match followed.cmp(&led) {
            Ordering::Greater => follower,
            Ordering::Less => leader,
            Ordering::Equal => return,
        };
        self.tricks[by] += 1;
        self.lead = by;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equilibrium::deals::fresh;
    use engine::rng::{below, stream};

    /// Random hands, played by the rules and in public at once.
    #[test]
    fn agrees_with_the_rules() {
        let mut random = stream(5, 0);
        for round in 0..500 {
            let mut hand = Hand::new(fresh(&mut random), round % 2);
            let mut public = Public::new(round % 2);
            while let Some(seat) = hand.to_act() {
                assert_eq!(public, Public::of(&hand, public.played));
                assert_eq!(public.to_act(), seat);
                assert_eq!(public.held(seat), hand.cards(seat).len());
                assert_eq!(public.must_answer(), hand.must_answer());
                let legal: Vec<Decision> = hand.legal().collect();
                let decision = legal[below(&mut random, legal.len())];
                hand.decide(decision).unwrap();
                public = public.after(decision);
            }
            assert!(public.is_over());
            let rejected = matches!(public.challenge, Challenge::Rejected(_));
            if let (false, Some(winner)) = (rejected, public.settled()) {
                assert_eq!(hand.winner(), Some(winner));
            }
        }
    }
}
