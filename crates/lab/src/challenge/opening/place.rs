//! Public states at the beginning of tricks, with the cards that are left. The walks of the opening's tree carry
//! one along instead of the rules' larger state.

use super::sets::card;
use challenge::rules::{Decision, HAND_SIZE, PACKS, PublicState, RANKS, Seat};

/// The number of ways to play two tricks, 13⁴ = 28,561.
pub(super) const LEAVES: usize = RANKS * RANKS * RANKS * RANKS;

/// The public state at the beginning of a trick. Player 0 opens the hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Cards that each player holds.
    pub cards: usize,
    /// Tricks of player 0 less those of player 1.
    pub ahead: i8,
    pub lead: Seat,
    /// By rank, the cards that nobody has played.
    pub left: [f64; RANKS],
    /// The number of ways to draw the cards that were played. It is the same for all hands, so it
    /// stays outside of sums over hands as a factor.
    pub ways: f64,
}

impl Place {
    /// The beginning of a hand.
    pub fn first() -> Place {
        Place {
            cards: HAND_SIZE,
            ahead: 0,
            lead: 0,
            left: [f64::from(PACKS.len() as u32) / RANKS as f64; RANKS],
            ways: 1.0,
        }
    }

    /// After a card of this rank has been played.
    pub fn without(&self, rank: usize) -> Place {
        let mut after = *self;
        // A card whose rank is used up cannot be played: the ways become 0, and with them all
        // weights below.
        after.ways *= self.left[rank];
        after.left[rank] = (self.left[rank] - 1.0).max(0.0);
        after
    }

    /// After a trick of these cards. The higher card wins it and leads; of equals nobody wins, and
    /// the leader leads again.
    pub fn after(&self, led: usize, followed: usize) -> Place {
        let mut after = self.without(led).without(followed);
        after.cards -= 1;
        // Equal cards win no trick for anybody.
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

    /// Tricks of a player less those of the other.
    pub fn ahead(&self, seat: Seat) -> i8 {
        if seat == 0 { self.ahead } else { -self.ahead }
    }
}

/// The cards of the first two tricks, in the order in which they were played.
pub(super) type Plays = [usize; 4];

/// The public state after two tricks.
pub(super) fn public(plays: &Plays) -> PublicState {
    // Only cards, no offers: behind an offer the tree has no nodes.
    let after = |public: PublicState, &rank: &usize| public.after(Decision::Play(card(rank)));
    plays.iter().fold(PublicState::new(0), after)
}

/// The beginning of the third trick.
pub(super) fn place(plays: &Plays) -> Place {
    let second = Place::first().after(plays[0], plays[1]);
    second.after(plays[2], plays[3])
}

/// The number of a way to play two tricks: its ranks as digits to base 13.
pub(super) fn leaf(plays: &Plays) -> usize {
    // The plays 0, 0, 1, 2 have the number 1 · 13 + 2 = 15.
    plays.iter().fold(0, |leaf, rank| leaf * RANKS + rank)
}
