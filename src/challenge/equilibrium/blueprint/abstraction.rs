//! Which situations a blueprint tells apart, and what it may do in them.
//!
//! A player remembers the cards it holds, how many tricks it is ahead, who offered a challenge, and
//! how high the opponent has played on average; it forgets the order of all plays and its own. With
//! three and more cards ranks are told apart in nine classes, finer at the top; with two and one
//! exactly. The card to be followed counts by how many own cards beat it and whether one equals it.
//! Following is playing the smallest winner, an equal card or the lowest: any other card gives away
//! a better one for the same trick.

use super::super::Public;
use super::super::multisets::{ascending, count, index};
use crate::challenge::rules::{Card, Cards, Challenge, Decision, HAND_SIZE, other};
use arrayvec::ArrayVec;

/// Class of each rank from 1 to 13 while three or more cards are held.
const CLASS: [usize; 13] = [0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8];
const CLASSES: usize = 9;
/// Upper ends of the classes of the opponent's mean rank, in quarters of a rank.
const MEANS: [u32; 5] = [18, 24, 30, 37, 43];

/// What may be done: the decision of every number of a spot, as far as it is possible.
pub type Choices = ArrayVec<(usize, Decision), 6>;

/// A situation of the abstraction.
#[derive(Clone, Debug)]
pub struct Spot {
    /// Where its numbers begin in a strategy.
    pub at: usize,
    /// The offset of each possible decision from there. Equal cards are several decisions.
    pub choices: Choices,
}

/// What the numbers of a trick's situations depend on.
struct Trick {
    cards: usize,
    at: usize,
}

const fn kinds(cards: usize) -> usize {
    if cards >= 3 { CLASSES } else { 13 }
}

const fn means(cards: usize) -> usize {
    if cards == HAND_SIZE {
        1
    } else {
        MEANS.len() + 1
    }
}

const fn contexts(cards: usize) -> usize {
    (2 * (HAND_SIZE - cards) + 1) * means(cards)
}

const fn hands(cards: usize) -> usize {
    count(kinds(cards), cards)
}

const fn lead_size(cards: usize) -> usize {
    3 * contexts(cards) * hands(cards) * (cards + 1)
}

const fn follow_size(cards: usize) -> usize {
    3 * contexts(cards) * 2 * (cards + 1) * hands(cards) * 4
}

const fn answer_size(cards: usize) -> usize {
    contexts(cards) * hands(cards) * 2
}

const fn waiting_size(cards: usize) -> usize {
    contexts(cards) * kinds(cards) * count(kinds(cards), cards - 1) * 2
}

/// Where a trick's numbers begin; those of the first trick come first.
const fn start(cards: usize) -> usize {
    let mut at = 0;
    let mut before = HAND_SIZE;
    while before > cards {
        at += lead_size(before) + follow_size(before) + answer_size(before) + waiting_size(before);
        before -= 1;
    }
    at
}

/// The length of a strategy.
pub const SIZE: usize = start(0);

/// All situations: where each begins, and how many numbers it has.
pub fn rows() -> impl Iterator<Item = (usize, usize)> {
    (1..=HAND_SIZE).rev().flat_map(|cards| {
        let lead = start(cards);
        let follow = lead + lead_size(cards);
        let answer = follow + follow_size(cards);
        let end = answer + answer_size(cards) + waiting_size(cards);
        let part =
            |from: usize, to: usize, len: usize| (from..to).step_by(len).map(move |at| (at, len));
        part(lead, follow, cards + 1)
            .chain(part(follow, answer, 4))
            .chain(part(answer, end, 2))
    })
}

/// The situation of the player to act who holds these cards (without one on the table).
pub fn spot(public: &Public, own: Cards) -> Spot {
    let trick = Trick {
        cards: public.left(),
        at: start(public.left()),
    };
    if public.must_answer() {
        return trick.answer(public, own);
    }
    match public.table {
        None => trick.lead(public, own),
        Some(led) => trick.follow(public, own, led),
    }
}

impl Trick {
    fn kind(&self, card: Card) -> usize {
        let rank = usize::from(card.rank()) - 1;
        if self.cards >= 3 { CLASS[rank] } else { rank }
    }

    fn hand(&self, own: Cards) -> usize {
        index(ascending(own).map(|card| self.kind(card)))
    }

    /// Tricks ahead and the opponent's mean rank.
    fn context(&self, public: &Public) -> usize {
        let seat = public.to_act();
        let most = (HAND_SIZE - self.cards) as i8;
        let ahead = (public.ahead(seat) + most) as usize;
        let played = public.played[other(seat)];
        let sum: u32 = ascending(played).map(|card| u32::from(card.rank())).sum();
        let quarters = 4 * sum / (played.len() as u32).max(1);
        let mean = match self.cards {
            HAND_SIZE => 0,
            _ => MEANS.iter().filter(|&&end| quarters > end).count(),
        };
        ahead * means(self.cards) + mean
    }

    fn lead(&self, public: &Public, own: Cards) -> Spot {
        let mut place = challenge(public) * contexts(self.cards) + self.context(public);
        place = place * hands(self.cards) + self.hand(own);
        let mut choices: Choices = ascending(own).map(Decision::Play).enumerate().collect();
        if public.can_challenge() {
            choices.push((self.cards, Decision::Offer));
        }
        Spot {
            at: self.at + place * (self.cards + 1),
            choices,
        }
    }

    fn follow(&self, public: &Public, own: Cards, led: Card) -> Spot {
        let higher = ascending(own).filter(|&card| card > led).count();
        let equal = own.contains(led);
        let relation = 2 * higher + usize::from(equal);
        let mut place = challenge(public) * contexts(self.cards) + self.context(public);
        place = place * 2 * (self.cards + 1) + relation;
        place = place * hands(self.cards) + self.hand(own);
        let lowest = own.lowest().filter(|&card| card < led);
        let winner = ascending(own).find(|&card| card > led);
        let plays = [lowest, equal.then_some(led), winner];
        let mut choices: Choices = plays
            .into_iter()
            .enumerate()
            .filter_map(|(number, card)| Some((number, Decision::Play(card?))))
            .collect();
        if public.can_challenge() {
            choices.push((3, Decision::Offer));
        }
        Spot {
            at: self.at + lead_size(self.cards) + place * 4,
            choices,
        }
    }

    fn answer(&self, public: &Public, own: Cards) -> Spot {
        let leading = self.at + lead_size(self.cards) + follow_size(self.cards);
        let context = self.context(public);
        let at = match public.table {
            None => leading + (context * hands(self.cards) + self.hand(own)) * 2,
            Some(card) => {
                let place = context * kinds(self.cards) + self.kind(card);
                let hands = count(kinds(self.cards), self.cards - 1);
                let at = leading + answer_size(self.cards);
                at + (place * hands + self.hand(own)) * 2
            }
        };
        let choices = [(0, Decision::Accept), (1, Decision::Reject)];
        Spot {
            at,
            choices: choices.into_iter().collect(),
        }
    }
}

/// Whether a challenge is open, and whose it is.
fn challenge(public: &Public) -> usize {
    match public.challenge {
        Challenge::Accepted(by) if by == public.to_act() => 1,
        Challenge::Accepted(_) => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::deals::fresh;
    use super::*;
    use crate::challenge::rules::Hand;
    use crate::random::{below, stream};
    use std::collections::HashMap;

    /// Spots overlap only where they are the same: the same numbers mean the same kinds of decision.
    #[test]
    fn spots_lie_apart_and_within_the_strategy() {
        let mut random = stream(9, 0);
        let mut owners: HashMap<usize, (usize, usize, bool, bool)> = HashMap::new();
        for round in 0..20_000 {
            let mut hands = fresh(&mut random);
            let mut hand = Hand::new(hands, round % 2);
            let mut public = Public::new(round % 2);
            while let Some(seat) = hand.to_act() {
                let spot = spot(&public, hands[seat]);
                let owner = (
                    spot.at,
                    public.left(),
                    public.table.is_some(),
                    public.must_answer(),
                );
                for &(number, decision) in &spot.choices {
                    let place = spot.at + number;
                    assert!(place < start(public.left() - 1));
                    assert!(place >= start(public.left()));
                    assert_eq!(*owners.entry(place).or_insert(owner), owner);
                    assert!(hand.legal().any(|legal| legal == decision));
                }
                let (_, decision) = spot.choices[below(&mut random, spot.choices.len())];
                hand.decide(decision).unwrap();
                public = public.after(decision);
                if let Decision::Play(card) = decision {
                    hands[seat].remove(card);
                }
            }
        }
    }
}
