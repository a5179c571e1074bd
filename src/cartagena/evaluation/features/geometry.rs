//! The track as masks of places, in words as wide as the board needs, and jumps read off them.
//!
//! Nothing here branches on the position: what the processor cannot foresee costs more than the
//! few instructions that a branch would save.

use super::layout::{
    BOAT, DISTANCES, RETREAT, RETREAT_DISTANCES, SPARE, distance_bin, retreat_bin,
};
use crate::cartagena::evaluation::Situation;
use crate::cartagena::rules::{Place, SYMBOLS, Symbol};
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A set of places, in a word as wide as the board needs.
pub(super) trait Mask:
    Copy
    + Eq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    const NONE: Self;
    /// The lower places of a mask for the longest boards.
    fn narrow(mask: u128) -> Self;
    /// The same places as a mask for the longest boards.
    fn wide(self) -> u128;
    /// One place alone.
    fn only(place: Place) -> Self;
    /// The places before `place`.
    fn before(place: Place) -> Self;
    /// All places if `condition` holds, else none.
    fn all_if(condition: bool) -> Self;
    /// The places after `place`, as distances less one.
    fn ahead_of(self, place: Place) -> Self;
    /// The reverse of [`Mask::ahead_of`].
    fn as_ahead_of(self, place: Place) -> Self;
    /// The first place of the set alone; none of the empty set.
    fn first(self) -> Self;
    /// The first place of the set and all before it; every place for the empty set.
    fn up_to_first(self) -> Self;
    /// One more than the last place of the set; 0 for the empty set.
    fn end(self) -> u8;
    /// The distance to the first of the places that [`Mask::ahead_of`] gave. There must be one.
    fn first_distance(self) -> u8;
    fn has(self, place: Place) -> bool;
}

macro_rules! mask {
    ($word:ty) => {
        impl Mask for $word {
            const NONE: $word = 0;

            #[inline(always)]
            fn narrow(mask: u128) -> $word {
                mask as $word
            }

            #[inline(always)]
            fn wide(self) -> u128 {
                self.into()
            }

            #[inline(always)]
            fn only(place: Place) -> $word {
                1 << place
            }

            #[inline(always)]
            fn before(place: Place) -> $word {
                (1 << place) - 1
            }

            #[inline(always)]
            fn all_if(condition: bool) -> $word {
                (0 as $word).wrapping_sub(condition.into())
            }

            #[inline(always)]
            fn ahead_of(self, place: Place) -> $word {
                self >> place >> 1
            }

            #[inline(always)]
            fn as_ahead_of(self, place: Place) -> $word {
                self << place << 1
            }

            #[inline(always)]
            fn first(self) -> $word {
                self & self.wrapping_neg()
            }

            #[inline(always)]
            fn up_to_first(self) -> $word {
                self ^ self.wrapping_sub(1)
            }

            #[inline(always)]
            fn end(self) -> u8 {
                (<$word>::BITS - self.leading_zeros()) as u8
            }

            #[inline(always)]
            fn first_distance(self) -> u8 {
                self.trailing_zeros() as u8 + 1
            }

            #[inline(always)]
            fn has(self, place: Place) -> bool {
                self >> place & 1 == 1
            }
        }
    };
}

mask!(u64);
mask!(u128);

/// All ones if `condition` holds, else 0.
#[inline(always)]
pub(super) fn all_if(condition: bool) -> u64 {
    0u64.wrapping_sub(condition.into())
}

/// What no action changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage<M> {
    pub(super) boat: Place,
    boat_retreat: bool,
    /// For each symbol its spaces, and the boat.
    reach: [M; SYMBOLS],
}

impl<M: Mask> Passage<M> {
    #[inline(always)]
    pub(super) fn of(s: &Situation) -> Passage<M> {
        Passage {
            boat: s.track.boat(),
            boat_retreat: s.game.boat_retreat,
            reach: Symbol::ALL.map(|symbol| M::narrow(s.game.board.reach(symbol))),
        }
    }
}

/// The track as masks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Geometry<'a, M> {
    pub(super) passage: &'a Passage<M>,
    /// Spaces that hold at least one, two and three pirates.
    pub(super) crowd: [M; 3],
    /// For each symbol its empty spaces, and the boat.
    pub(super) ahead: [M; SYMBOLS],
}

impl<'a, M: Mask> Geometry<'a, M> {
    #[inline(always)]
    pub(super) fn new(passage: &'a Passage<M>, crowd: [M; 3]) -> Geometry<'a, M> {
        Geometry {
            passage,
            crowd,
            ahead: passage.reach.map(|reach| reach & !crowd[0]),
        }
    }

    /// After a legal step of one pirate.
    #[inline(always)]
    pub(super) fn step(&self, from: Place, to: Place) -> Geometry<'a, M> {
        let [one, two, three] = self.crowd;
        let left = M::only(from);
        // The topmost level loses the bit; the cell and the boat have none to lose.
        let [one, two, three] = [one & !(left & !two), two & !(left & !three), three & !left];
        let entered = M::only(to) & M::all_if(to != 0 && to != self.passage.boat);
        let crowd = [
            one | entered,
            two | (one & entered),
            three | (two & entered),
        ];
        Geometry::new(self.passage, crowd)
    }

    /// Spaces that hold one or two pirates.
    #[inline(always)]
    pub(super) fn retreats(&self) -> M {
        self.crowd[0] & !self.crowd[2]
    }

    #[inline(always)]
    pub(super) fn bucket(&self, place: Place) -> usize {
        let bucket = BOAT - usize::from(self.passage.boat - place).min(BOAT - 1);
        if place == 0 { 0 } else { bucket }
    }

    /// A mask of places other than the cell, as a mask of buckets.
    #[inline(always)]
    pub(super) fn plane(&self, mask: M) -> u64 {
        let mask = mask.wide();
        let boat = usize::from(self.passage.boat);
        if boat <= BOAT {
            (mask as u64) << (BOAT - boat)
        } else {
            let beyond = boat - BOAT;
            let far = mask & ((2 << beyond) - 1) != 0;
            (mask >> beyond) as u64 & !1 | u64::from(far) << 1
        }
    }

    /// A pirate's place and what it can retreat to.
    #[inline(always)]
    pub(super) fn place_and_retreat(&self, place: Place) -> u64 {
        let behind = self.retreats() & M::before(place);
        // The cell stands for no space at all.
        let to = (behind | M::only(0)).end() - 1;
        let pair = usize::from(self.crowd[1].has(to));
        let retreat = 1 << (RETREAT + pair * RETREAT_DISTANCES + retreat_bin(place - to));
        let free = self.may_retreat(place) && behind != M::NONE;
        1 << self.bucket(place) | retreat & all_if(free)
    }

    #[inline(always)]
    fn may_retreat(&self, place: Place) -> bool {
        place != self.passage.boat || self.passage.boat_retreat
    }

    /// Where the six symbols take a pirate.
    #[inline(always)]
    pub(super) fn jumps(&self, place: Place) -> Jumps<M> {
        let landed = self.ahead.map(|open| open.ahead_of(place).first());
        let any = landed.iter().fold(M::NONE, |any, &one| any | one);
        let distance = any.end();
        let farthest = M::only(distance.max(1) - 1);
        let (mut passed, mut longest) = (M::NONE, 0);
        for (one, reach) in landed.into_iter().zip(self.passage.reach) {
            let as_far = one == farthest;
            passed = passed | one.up_to_first() & reach.ahead_of(place) & M::all_if(as_far);
            longest += u8::from(as_far);
        }
        Jumps {
            landings: any.as_ahead_of(place),
            passed: passed.as_ahead_of(place),
            longest: place + distance,
            symbols: longest,
        }
    }

    /// From outside: the longest jump any symbol gives a pirate, and whether one symbol or at
    /// least three lead onto the boat. Nothing for a pirate on the boat.
    #[inline(always)]
    pub(super) fn longest_jump(&self, place: Place, jumps: &Jumps<M>) -> u64 {
        let onto = u64::from(jumps.longest == self.passage.boat);
        let bits = 1 << (SPARE + distance_bin(jumps.longest - place))
            | onto << (SPARE + DISTANCES)
            | (onto & u64::from(jumps.symbols > 2)) << (SPARE + DISTANCES + 1);
        bits & all_if(place < self.passage.boat)
    }

    /// The places that decide about the retreat of a pirate: those behind it up to the one that
    /// it leads to.
    #[inline(always)]
    pub(super) fn retreats_over(&self, place: Place) -> M {
        let behind = self.retreats() & M::before(place);
        let to = (behind | M::only(0)).end() - 1;
        M::before(place) & !M::before(to) & M::all_if(self.may_retreat(place))
    }
}

/// Where the six symbols take a pirate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jumps<M> {
    /// The places they lead to.
    pub(super) landings: M,
    /// The farthest of them.
    pub(super) longest: Place,
    /// How many symbols lead there.
    symbols: u8,
    /// What these symbols pass or end at: if one of these spaces becomes empty, they lead there.
    pub(super) passed: M,
}
