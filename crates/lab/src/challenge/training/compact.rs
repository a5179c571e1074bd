//! A deal and the state of its hand in a compact form, for the walks of [`Trainer`](super::Trainer).
//!
//! A walk visits a thousand decisions of a deal and needs the number of the held cards at each. So
//! the 32 subsets of each player's five cards are numbered once a deal, and the state is a few bytes
//! that are copied at every step. It must follow the same rules as
//! [`PublicState`](challenge::rules::PublicState); a test walks both side by side.

use challenge::equilibrium::blueprint::abstraction::{
    Action, Context, HeldCards, accepted_by, hand_number,
};
use challenge::equilibrium::{Stakes, ascending};
use challenge::rules::{Card, Cards, Challenge, HAND_SIZE, Seat, other, trick_winner};

/// Number of subsets of a hand, each a mask of five bits.
const SUBSETS: usize = 1 << HAND_SIZE;

/// Two hands as dealt, with all their subsets numbered.
pub(super) struct CompactDeal {
    cards: [[Card; HAND_SIZE]; 2],
    ranks: [[u8; HAND_SIZE]; 2],
    numbers: [[u16; SUBSETS]; 2],
}

impl CompactDeal {
    /// Numbers all subsets of two hands of five cards.
    pub fn new(hands: [Cards; 2]) -> CompactDeal {
        let cards = hands.map(|hand| {
            let mut cards = ascending(hand);
            std::array::from_fn(|_| cards.next().expect("five cards are dealt"))
        });
        let ranks = cards.map(|hand: [Card; HAND_SIZE]| hand.map(Card::rank));
        let mut numbers = [[0; SUBSETS]; 2];
        for (numbers, ranks) in numbers.iter_mut().zip(&ranks) {
            // Bit `i` of a mask stands for the card at position `i`. With the cards 3 5 5 9 13, mask 0b00110 is the two
            // fives. Mask 0, no cards, keeps the number 0.
            for (mask, number) in numbers.iter_mut().enumerate().skip(1) {
                // Cards ascend, so the chosen ranks ascend too, as numbers of hands want it.
                let (mut subset, mut size) = ([0; HAND_SIZE], 0);
                for (place, &rank) in ranks.iter().enumerate() {
                    if mask >> place & 1 == 1 {
                        subset[size] = rank;
                        size += 1;
                    }
                }
                *number = hand_number(subset[..size].iter().copied()) as u16;
            }
        }
        CompactDeal {
            cards,
            ranks,
            numbers,
        }
    }

    /// The cards that a player holds.
    pub fn held(&self, seat: Seat, hand: &CompactHand) -> HeldCards<'_> {
        let mask = hand.masks[seat];
        HeldCards {
            ranks: &self.ranks[seat],
            mask,
            number: self.numbers[seat][usize::from(mask)].into(),
        }
    }
}

/// The state of a hand that player 0 opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct CompactHand {
    /// By player, the cards that it holds, a bit each.
    masks: [u8; 2],
    lead: Seat,
    table: Option<Card>,
    /// Tricks of player 0 less those of player 1.
    ahead: i8,
    tricks_left: u8,
    /// By player, the sum of the ranks that it has played in finished tricks. The abstraction remembers
    /// nothing else of these cards.
    played: [u8; 2],
    challenge: Challenge,
}

impl CompactHand {
    /// A hand at its beginning.
    pub fn new() -> CompactHand {
        CompactHand {
            // All five bits: the whole hand is held.
            masks: [SUBSETS as u8 - 1; 2],
            lead: 0,
            table: None,
            ahead: 0,
            tricks_left: HAND_SIZE as u8,
            played: [0; 2],
            challenge: Challenge::None,
        }
    }

    /// The opener's chance to win the game, if the hand's result is certain.
    pub fn value(&self, stakes: &Stakes) -> Option<f32> {
        // An open offer needs its answer first. After a rejection the player that offered wins the hand.
        match self.challenge {
            Challenge::Offered(_) => return None,
            Challenge::Rejected(by) => return Some(stakes.outcome(Some(by == 0), false)),
            Challenge::None | Challenge::Accepted(_) => {}
        }
        // A player that is ahead by more tricks than are left has won.
        if self.tricks_left > 0 && self.ahead.unsigned_abs() <= self.tricks_left {
            return None;
        }
        // A difference of 0 after all tricks is a tie.
        let opener_won = (self.ahead != 0).then_some(self.ahead > 0);
        let accepted = matches!(self.challenge, Challenge::Accepted(_));
        Some(stakes.outcome(opener_won, accepted))
    }

    pub fn to_act(self) -> Seat {
        self.challenge.to_act(self.lead, self.table.is_some())
    }

    /// The situation of the player to act without its cards, as the abstraction addresses it.
    pub fn context(&self) -> Context {
        let seat = self.to_act();
        Context {
            tricks_left: self.tricks_left.into(),
            challenge: accepted_by(self.challenge, seat),
            ahead: if seat == 0 { self.ahead } else { -self.ahead },
            their_ranks: self.played[other(seat)],
            table: self.table.map_or(0, Card::rank),
            must_answer: matches!(self.challenge, Challenge::Offered(_)),
            can_offer: self.challenge == Challenge::None,
        }
    }

    /// The hand after an action of the player to act.
    pub fn after(mut self, action: Action, deal: &CompactDeal) -> CompactHand {
        let seat = self.to_act();
        match action {
            Action::Offer => self.challenge = Challenge::Offered(seat),
            Action::Accept => self.challenge = Challenge::Accepted(other(seat)),
            Action::Reject => self.challenge = Challenge::Rejected(other(seat)),
            Action::Play(place) => {
                // A card played is a bit removed; the number of the rest is looked up by the mask.
                self.masks[seat] &= !(1 << place);
                self.play(seat, deal.cards[seat][usize::from(place)]);
            }
        }
        self
    }

    /// Puts a card on the table, or ends the trick with it.
    fn play(&mut self, seat: Seat, card: Card) {
        // The first card of a trick lies on the table; the second ends the trick.
        let Some(led) = self.table.take() else {
            self.table = Some(card);
            return;
        };
        // Both cards count only now: the abstraction remembers finished tricks alone.
        self.played[self.lead] += led.rank();
        self.played[seat] += card.rank();
        self.tricks_left -= 1;
        if let Some(by) = trick_winner(self.lead, led, card) {
            self.ahead += if by == 0 { 1 } else { -1 };
            self.lead = by;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use challenge::deals;
    use challenge::equilibrium::blueprint::abstraction::{information_set, locate};
    use challenge::rules::{Decision, PublicState};
    use engine::rng::{below, stream};

    const STAKES: Stakes = Stakes {
        won: 0.6,
        lost: 0.3,
        tied: 0.45,
    };

    /// Random hands, played in both forms at once, have the same state in both.
    #[test]
    fn agrees_with_the_public_state() {
        let mut rng = stream(6, 0);
        for _ in 0..2000 {
            let mut hands = deals::fresh(&mut rng);
            let deal = CompactDeal::new(hands);
            let (mut hand, mut public) = (CompactHand::new(), PublicState::new(0));
            while hand.value(&STAKES).is_none() {
                let seat = public.to_act();
                assert_eq!(hand.to_act(), seat);
                let (offset, actions) = locate(&hand.context(), deal.held(seat, &hand));
                let set = information_set(&public, hands[seat]);
                assert_eq!((offset, actions.len()), (set.offset, set.decisions.len()));
                let chosen = below(&mut rng, actions.len());
                assert_eq!(usize::from(actions[chosen].0), set.decisions[chosen].0);
                let (_, decision) = set.decisions[chosen];
                if let Decision::Play(card) = decision {
                    hands[seat].remove(card);
                }
                hand = hand.after(actions[chosen].1, &deal);
                public = public.after(decision);
            }
            assert_eq!(hand.value(&STAKES), Some(STAKES.opener(&public)));
        }
    }
}
