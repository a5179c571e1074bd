//! Which situations a blueprint tells apart, and what it may do in them.
//!
//! A player remembers the cards it holds, how many tricks it is ahead, who offered a challenge, and
//! how high the opponent has played; it forgets the order of all plays and its own. The card to be
//! followed counts by how many own cards beat it and whether one equals it. Following is playing the
//! smallest winner, an equal card or the lowest: any other card gives away a better one for the same
//! trick.

use super::super::Public;
use super::super::multisets::{ascending, index};
use super::level::{LEVELS, Level};
use crate::rules::{Card, Cards, Challenge, Decision, HAND_SIZE, other};
use arrayvec::ArrayVec;

/// What may be done: the decision of every number of a spot, as far as it is possible.
pub type Choices = ArrayVec<(usize, Decision), 6>;

/// A situation of the abstraction.
#[derive(Clone, Debug)]
pub struct Spot {
    /// Where its numbers begin in a strategy.
    pub at: usize,
    /// The offset of each possible decision from there.
    pub choices: Choices,
}

/// What may be done, in terms of the cards' places in the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// The card at this place.
    Play(u8),
    Offer,
    Accept,
    Reject,
}

/// Acts with their offsets.
pub(super) type Acts = ArrayVec<(u8, Act), 6>;

/// A player's cards, ascending, and which of them it still holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held<'a> {
    pub ranks: &'a [u8; HAND_SIZE],
    pub mask: u8,
    /// The number of what is held among the sets of its size.
    pub number: usize,
}

/// What a decision depends on besides the own cards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    /// Tricks left, the current one included.
    pub left: usize,
    /// 0 if no challenge was accepted, 1 if the mover offered it, 2 if the other did.
    pub challenge: usize,
    /// Tricks the mover is ahead.
    pub ahead: i8,
    /// The sum of the ranks the other has played in finished tricks.
    pub seen: u8,
    /// The rank on the table, or 0.
    pub table: u8,
    /// Whether an offer waits for an answer.
    pub answer: bool,
    /// Whether an offer may be made.
    pub can_offer: bool,
}

/// The length of a strategy.
pub const SIZE: usize = LEVELS[0].end();

/// All situations: where each begins, and how many numbers it has.
pub fn rows() -> impl Iterator<Item = (usize, usize)> {
    LEVELS.iter().rev().flat_map(Level::rows)
}

/// The number of a set of so many cards given by their ranks, ascending.
pub(super) fn number(ranks: impl ExactSizeIterator<Item = u8>) -> usize {
    let level = &LEVELS[ranks.len().clamp(1, HAND_SIZE) - 1];
    index(ranks.map(|rank| level.class(rank)))
}

/// The situation of a player who holds these cards (without one on the table).
pub(super) fn situation(key: &Key, held: Held) -> (usize, Acts) {
    let level = &LEVELS[key.left - 1];
    let context = level.context(key.ahead, key.seen);
    if key.answer {
        let acts = [(0, Act::Accept), (1, Act::Reject)].into_iter().collect();
        return (level.answer(context, key.table, held.number), acts);
    }
    let context = key.challenge * level.contexts() + context;
    if key.table == 0 {
        (level.lead(context, held.number), leads(key, held))
    } else {
        follows(key, held, level, context)
    }
}

fn leads(key: &Key, held: Held) -> Acts {
    let mut acts = Acts::new();
    let mut before = 0;
    for (number, place) in places(held.mask).enumerate() {
        let rank = held.ranks[usize::from(place)];
        // Equal cards are one decision.
        if rank != before {
            acts.push((number as u8, Act::Play(place)));
        }
        before = rank;
    }
    if key.can_offer {
        acts.push((key.left as u8, Act::Offer));
    }
    acts
}

fn follows(key: &Key, held: Held, level: &Level, context: usize) -> (usize, Acts) {
    let (mut higher, mut winner, mut equal, mut lowest) = (0, None, None, None);
    for place in places(held.mask) {
        match held.ranks[usize::from(place)].cmp(&key.table) {
            std::cmp::Ordering::Less => lowest = lowest.or(Some(place)),
            std::cmp::Ordering::Equal => equal = Some(place),
            std::cmp::Ordering::Greater => {
                winner = winner.or(Some(place));
                higher += 1;
            }
        }
    }
    let relation = 2 * higher + usize::from(equal.is_some());
    let mut acts = Acts::new();
    for (number, place) in [lowest, equal, winner].into_iter().enumerate() {
        if let Some(place) = place {
            acts.push((number as u8, Act::Play(place)));
        }
    }
    if key.can_offer {
        acts.push((3, Act::Offer));
    }
    (level.follow(context, relation, held.number), acts)
}

/// The places of a mask, ascending.
fn places(mask: u8) -> impl Iterator<Item = u8> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let place = left.trailing_zeros() as u8;
        left &= left.checked_sub(1)?;
        Some(place)
    })
}

/// The situation of the player to act who holds these cards (without one on the table).
pub fn spot(public: &Public, own: Cards) -> Spot {
    let key = Key::of(public);
    let mut ranks = [0; HAND_SIZE];
    for (place, card) in ascending(own).take(HAND_SIZE).enumerate() {
        ranks[place] = card.rank();
    }
    let size = own.len().min(HAND_SIZE);
    let held = Held {
        ranks: &ranks,
        mask: (1 << size) - 1,
        number: number(ranks[..size].iter().copied()),
    };
    let (at, acts) = situation(&key, held);
    let decision = |act| match act {
        Act::Play(place) => Card::new(ranks[usize::from(place)]).map(Decision::Play),
        Act::Offer => Some(Decision::Offer),
        Act::Accept => Some(Decision::Accept),
        Act::Reject => Some(Decision::Reject),
    };
    let choices = acts
        .into_iter()
        .filter_map(|(number, act)| Some((usize::from(number), decision(act)?)))
        .collect();
    Spot { at, choices }
}

impl Key {
    /// What the player to act has before it.
    pub fn of(public: &Public) -> Key {
        let seat = public.to_act();
        let played = public.played[other(seat)];
        Key {
            left: public.left(),
            challenge: match public.challenge {
                Challenge::Accepted(by) if by == seat => 1,
                Challenge::Accepted(_) => 2,
                _ => 0,
            },
            ahead: public.ahead(seat),
            seen: ascending(played).map(Card::rank).sum(),
            table: public.table.map_or(0, Card::rank),
            answer: public.must_answer(),
            can_offer: public.can_challenge(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::deals::fresh;
    use super::*;
    use crate::rules::Hand;
    use engine::rng::{below, stream};
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
                let level = &LEVELS[public.left() - 1];
                for &(number, decision) in &spot.choices {
                    let place = spot.at + number;
                    assert!(place < level.end() && place >= level.start());
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

    /// Rows are what situations begin with, and they fill the strategy.
    #[test]
    fn rows_follow_one_another() {
        let mut end = 0;
        for (at, len) in rows() {
            assert_eq!(at, end);
            end += len;
        }
        assert_eq!(end, SIZE);
        assert_eq!(LEVELS.map(|level| level.start())[HAND_SIZE - 1], 0);
    }
}
