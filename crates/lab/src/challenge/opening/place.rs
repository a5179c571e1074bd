//! Where the tricks of a hand begin.

use super::sets::card;
use challenge::rules::{Decision, HAND_SIZE, PACKS, PublicState, RANKS, Seat};

/// Ways to play two tricks.
pub(super) const LEAVES: usize = RANKS * RANKS * RANKS * RANKS;

/// Where a trick begins. Player 0 opens the hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Cards that both hold.
    pub cards: usize,
    /// Tricks player 0 is ahead.
    pub ahead: i8,
    pub lead: Seat,
    /// How many cards of each rank nobody has played.
    pub left: [f64; RANKS],
    /// In how many ways the cards that were played could be.
    pub ways: f64,
}

impl Place {
    pub fn first() -> Place {
        Place {
            cards: HAND_SIZE,
            ahead: 0,
            lead: 0,
            left: [f64::from(PACKS.len() as u32) / RANKS as f64; RANKS],
            ways: 1.0,
        }
    }

    pub fn without(&self, rank: usize) -> Place {
        let mut after = *self;
        after.ways *= self.left[rank];
        after.left[rank] = (self.left[rank] - 1.0).max(0.0);
        after
    }

    /// After a trick of these cards.
    pub fn after(&self, led: usize, followed: usize) -> Place {
        let mut after = self.without(led).without(followed);
        after.cards -= 1;
        if led != followed {
            after.lead = if led > followed {
                self.lead
            } else {
                1 - self.lead
            };
            after.ahead += if after.lead == 0 { 1 } else { -1 };
        }
        after
    }

    /// Tricks a player is ahead.
    pub fn ahead(&self, seat: Seat) -> i8 {
        if seat == 0 { self.ahead } else { -self.ahead }
    }
}

/// The cards of the first two tricks, in the order in which they were played.
pub(super) type Plays = [usize; 4];

/// What is public after two tricks.
pub(super) fn public(plays: &Plays) -> PublicState {
    let after = |public: PublicState, &rank: &usize| public.after(Decision::Play(card(rank)));
    plays.iter().fold(PublicState::new(0), after)
}

/// Where the third trick begins.
pub(super) fn place(plays: &Plays) -> Place {
    let second = Place::first().after(plays[0], plays[1]);
    second.after(plays[2], plays[3])
}

/// The number of a way to play two tricks.
pub(super) fn leaf(plays: &Plays) -> usize {
    plays.iter().fold(0, |leaf, rank| leaf * RANKS + rank)
}
