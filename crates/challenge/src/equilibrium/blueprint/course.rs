//! Deals and the course of their hands, in a form that is quick to walk.
//!
//! A walk asks for the number of the cards held at every decision. There are only 32 subsets of five
//! cards, so they are numbered once a deal.

use super::super::Stakes;
use super::super::multisets::ascending;
use super::abstraction::{Act, Held, Key, number};
use crate::rules::{Card, Cards, HAND_SIZE, Seat, other};
use std::cmp::Ordering;

const SUBSETS: usize = 1 << HAND_SIZE;

/// Two hands with all their subsets numbered.
pub(super) struct Dealt {
    ranks: [[u8; HAND_SIZE]; 2],
    numbers: [[u16; SUBSETS]; 2],
}

impl Dealt {
    pub fn new(hands: [Cards; 2]) -> Dealt {
        let mut dealt = Dealt {
            ranks: [[0; HAND_SIZE]; 2],
            numbers: [[0; SUBSETS]; 2],
        };
        for (seat, cards) in hands.into_iter().enumerate() {
            let ranks = &mut dealt.ranks[seat];
            for (rank, card) in ranks.iter_mut().zip(ascending(cards).map(Card::rank)) {
                *rank = card;
            }
            for mask in 1..SUBSETS {
                let (mut subset, mut size) = ([0; HAND_SIZE], 0);
                for (place, &rank) in ranks.iter().enumerate() {
                    if mask >> place & 1 == 1 {
                        subset[size] = rank;
                        size += 1;
                    }
                }
                dealt.numbers[seat][mask] = number(subset[..size].iter().copied()) as u16;
            }
        }
        dealt
    }

    /// What a player holds.
    pub fn held(&self, seat: Seat, course: &Course) -> Held<'_> {
        let mask = course.masks[seat];
        Held {
            ranks: &self.ranks[seat],
            mask,
            number: self.numbers[seat][usize::from(mask)].into(),
        }
    }
}

/// The challenge of a hand: that of [`crate::rules::Challenge`] without its rejection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bet {
    None,
    Offered(Seat),
    Accepted(Seat),
    Rejected(Seat),
}

/// A hand opened by player 0, as far as it was played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    masks: [u8; 2],
    lead: Seat,
    table: u8,
    /// Tricks player 0 is ahead.
    ahead: i8,
    left: u8,
    /// The sum of the ranks each player has played in finished tricks.
    played: [u8; 2],
    bet: Bet,
}

impl Course {
    pub fn new() -> Course {
        Course {
            masks: [SUBSETS as u8 - 1; 2],
            lead: 0,
            table: 0,
            ahead: 0,
            left: HAND_SIZE as u8,
            played: [0; 2],
            bet: Bet::None,
        }
    }

    /// The opener's chance to win the game, if the hand's result is certain.
    pub fn value(&self, stakes: &Stakes) -> Option<f32> {
        match self.bet {
            Bet::Offered(_) => return None,
            Bet::Rejected(by) => return Some(if by == 0 { stakes.won } else { stakes.lost }),
            Bet::None | Bet::Accepted(_) => {}
        }
        if self.left > 0 && self.ahead.unsigned_abs() <= self.left {
            return None;
        }
        let accepted = matches!(self.bet, Bet::Accepted(_));
        Some(match (self.ahead.cmp(&0), accepted) {
            (Ordering::Equal, _) => stakes.tied,
            (Ordering::Greater, true) => 1.0,
            (Ordering::Less, true) => 0.0,
            (Ordering::Greater, false) => stakes.won,
            (Ordering::Less, false) => stakes.lost,
        })
    }

    pub fn to_act(self) -> Seat {
        match self.bet {
            Bet::Offered(by) => other(by),
            _ if self.table > 0 => other(self.lead),
            _ => self.lead,
        }
    }

    pub fn key(&self) -> Key {
        let seat = self.to_act();
        Key {
            left: self.left.into(),
            challenge: match self.bet {
                Bet::Accepted(by) if by == seat => 1,
                Bet::Accepted(_) => 2,
                _ => 0,
            },
            ahead: if seat == 0 { self.ahead } else { -self.ahead },
            seen: self.played[other(seat)],
            table: self.table,
            answer: matches!(self.bet, Bet::Offered(_)),
            can_offer: self.bet == Bet::None,
        }
    }

    /// What follows from an act of the player to act.
    pub fn after(mut self, act: Act, dealt: &Dealt) -> Course {
        let seat = self.to_act();
        match act {
            Act::Offer => self.bet = Bet::Offered(seat),
            Act::Accept => self.bet = Bet::Accepted(other(seat)),
            Act::Reject => self.bet = Bet::Rejected(other(seat)),
            Act::Play(place) => {
                self.masks[seat] &= !(1 << place);
                self.play(seat, dealt.ranks[seat][usize::from(place)]);
            }
        }
        self
    }

    fn play(&mut self, seat: Seat, rank: u8) {
        if self.table == 0 {
            self.table = rank;
            return;
        }
        let by = match rank.cmp(&self.table) {
            Ordering::Greater => Some(seat),
            Ordering::Less => Some(self.lead),
            Ordering::Equal => None,
        };
        self.played[self.lead] += self.table;
        self.played[seat] += rank;
        self.table = 0;
        self.left -= 1;
        if let Some(by) = by {
            self.ahead += if by == 0 { 1 } else { -1 };
            self.lead = by;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Public, deals};
    use super::super::abstraction::{situation, spot};
    use super::*;
    use crate::rules::Decision;
    use engine::rng::{below, stream};

    const STAKES: Stakes = Stakes {
        won: 0.6,
        lost: 0.3,
        tied: 0.45,
    };

    /// Random hands, walked and played in public at once.
    #[test]
    fn agrees_with_the_public_hand() {
        let mut random = stream(6, 0);
        for _ in 0..2000 {
            let mut hands = deals::fresh(&mut random);
            let dealt = Dealt::new(hands);
            let (mut course, mut public) = (Course::new(), Public::new(0));
            while course.value(&STAKES).is_none() {
                let seat = public.to_act();
                assert_eq!(course.to_act(), seat);
                let (at, acts) = situation(&course.key(), dealt.held(seat, &course));
                let spot = spot(&public, hands[seat]);
                assert_eq!((at, acts.len()), (spot.at, spot.choices.len()));
                let chosen = below(&mut random, acts.len());
                assert_eq!(usize::from(acts[chosen].0), spot.choices[chosen].0);
                let (_, decision) = spot.choices[chosen];
                if let Decision::Play(card) = decision {
                    hands[seat].remove(card);
                }
                course = course.after(acts[chosen].1, &dealt);
                public = public.after(decision);
            }
            assert_eq!(course.value(&STAKES), Some(STAKES.opener(&public)));
        }
    }
}
