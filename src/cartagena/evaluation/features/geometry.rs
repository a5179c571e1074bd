//! The track as masks of places, in words as wide as the board needs, and jumps read off them.

use super::layout::{
    BOAT, DISTANCES, RETREAT, RETREAT_DISTANCES, SPARE, distance_bin, retreat_bin,
};
use crate::cartagena::evaluation::Situation;
use crate::cartagena::rules::{Place, SYMBOLS, Symbol};

/// A set of places, in a word as wide as the board needs.
pub(super) trait Mask: Copy {
    const NONE: Self;
    /// The lower places of a mask for the longest boards.
    fn narrow(mask: u128) -> Self;
    /// The same places as a mask for the longest boards.
    fn wide(self) -> u128;
    fn or(self, other: Self) -> Self;
    fn with(self, place: Place) -> Self;
    fn without(self, place: Place) -> Self;
    /// How far ahead of `place` the next place of the set is. There must be one.
    fn jump(self, place: Place) -> u8;
    /// The last place of the set before `place`.
    fn before(self, place: Place) -> Option<Place>;
    fn has(self, place: Place) -> bool;
}

macro_rules! mask {
    ($word:ty) => {
        impl Mask for $word {
            const NONE: $word = 0;

            #[inline]
            fn narrow(mask: u128) -> $word {
                mask as $word
            }

            #[inline]
            fn wide(self) -> u128 {
                self.into()
            }

            #[inline]
            fn or(self, other: $word) -> $word {
                self | other
            }

            #[inline]
            fn with(self, place: Place) -> $word {
                self | 1 << place
            }

            #[inline]
            fn without(self, place: Place) -> $word {
                self & !(1 << place)
            }

            #[inline]
            fn jump(self, place: Place) -> u8 {
                (self >> place >> 1).trailing_zeros() as u8 + 1
            }

            #[inline]
            fn before(self, place: Place) -> Option<Place> {
                let before = self & ((1 << place) - 1);
                let top = <$word>::BITS - 1;
                (before != 0).then(|| (top - before.leading_zeros()) as Place)
            }

            #[inline]
            fn has(self, place: Place) -> bool {
                self >> place & 1 == 1
            }
        }
    };
}

mask!(u64);
mask!(u128);

/// The track as masks.
pub(super) struct Geometry<M> {
    pub(super) boat: Place,
    pub(super) crowd: [u128; 3],
    /// Spaces that hold one or two pirates.
    retreats: M,
    /// Spaces that hold two or three.
    pairs: M,
    /// For each symbol its empty spaces, and the boat.
    pub(super) ahead: [M; SYMBOLS],
}

impl<M: Mask> Geometry<M> {
    #[inline]
    pub(super) fn of(s: &Situation) -> Geometry<M> {
        let crowd = s.track.crowd();
        Geometry {
            boat: s.track.boat(),
            crowd,
            retreats: M::narrow(s.track.retreats()),
            pairs: M::narrow(crowd[1]),
            ahead: Symbol::ALL.map(|symbol| M::narrow(s.game.board.reach(symbol) & !crowd[0])),
        }
    }

    #[inline]
    pub(super) fn bucket(&self, place: Place) -> usize {
        if place == 0 {
            0
        } else {
            BOAT - usize::from(self.boat - place).min(BOAT - 1)
        }
    }

    /// A mask of places other than the cell, as a mask of buckets.
    #[inline]
    pub(super) fn plane(&self, mask: M) -> u64 {
        let mask = mask.wide();
        let boat = usize::from(self.boat);
        if boat <= BOAT {
            (mask as u64) << (BOAT - boat)
        } else {
            let beyond = boat - BOAT;
            let far = mask & ((2 << beyond) - 1) != 0;
            (mask >> beyond) as u64 & !1 | u64::from(far) << 1
        }
    }

    /// A pirate's place and what it can retreat to.
    #[inline]
    pub(super) fn place_and_retreat(&self, s: &Situation, place: Place) -> u64 {
        let bits = 1 << self.bucket(place);
        if place == self.boat && !s.game.boat_retreat {
            return bits;
        }
        let Some(to) = self.retreats.before(place) else {
            return bits;
        };
        let pair = usize::from(self.pairs.has(to));
        bits | 1 << (RETREAT + pair * RETREAT_DISTANCES + retreat_bin(place - to))
    }

    /// From outside: the longest jump any symbol gives a pirate, and whether one symbol or at
    /// least three lead onto the boat.
    #[inline]
    pub(super) fn best_jump(&self, place: Place) -> u64 {
        let to_boat = self.boat - place;
        let (mut best, mut onto) = (0, 0);
        for mask in self.ahead {
            let jump = mask.jump(place);
            best = best.max(jump);
            onto += u8::from(jump == to_boat);
        }
        1 << (SPARE + distance_bin(best))
            | u64::from(onto > 0) << (SPARE + DISTANCES)
            | u64::from(onto > 2) << (SPARE + DISTANCES + 1)
    }
}

/// The spaces each held symbol leads to.
pub(super) struct Held<M> {
    pub(super) masks: [M; SYMBOLS],
    pub(super) counts: [u8; SYMBOLS],
    pub(super) len: usize,
}

impl<M: Mask> Held<M> {
    #[inline]
    pub(super) fn new() -> Held<M> {
        Held {
            masks: [M::NONE; SYMBOLS],
            counts: [0; SYMBOLS],
            len: 0,
        }
    }

    #[inline]
    pub(super) fn push(&mut self, mask: M, count: u8) {
        self.masks[self.len] = mask;
        self.counts[self.len] = count;
        self.len += 1;
    }

    /// A pirate's jumps; lengthens the longest jump of each held symbol and marks the landings.
    #[inline]
    pub(super) fn jumps(
        &self,
        boat: Place,
        place: Place,
        longest: &mut [u8; SYMBOLS],
        landing: &mut M,
    ) -> u64 {
        let to_boat = boat - place;
        let mut bits = 0;
        let mut onto = 0;
        for (i, mask) in self.masks[..self.len].iter().enumerate() {
            let jump = mask.jump(place);
            longest[i] = longest[i].max(jump);
            *landing = landing.with(place + jump);
            bits |= 1 << (SPARE + distance_bin(jump));
            onto += u8::from(jump == to_boat);
        }
        bits | u64::from(onto > 0) << (SPARE + DISTANCES)
            | u64::from(onto > 1) << (SPARE + DISTANCES + 1)
    }
}
