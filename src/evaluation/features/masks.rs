//! The track as masks of places, in words as wide as the board needs, and jumps read off them.
//!
//! Nothing here branches on the position: what the processor cannot foresee costs more than the
//! few instructions that a branch would save.

use super::layout::{
    BOAT, DISTANCES, RETREAT, RETREAT_DISTANCES, SPARE, jump_bit, jump_bits, retreat_bin,
};
use crate::rules::{Game, Place, SYMBOLS, Symbol};
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
    /// The places in a word.
    const BITS: u32;
    /// The longest board's boat.
    const FARTHEST: Place;
    /// The lower places of a mask for the longest boards.
    fn narrow(mask: u128) -> Self;
    /// The same places as a mask for the longest boards.
    fn wide(self) -> u128;
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
    /// One more than the last place of the set; 0 for the empty set.
    fn end(self) -> u8;
    /// How many places of the word lie beyond the last of the set; [`Mask::BITS`] for the empty
    /// set.
    fn beyond(self) -> u32;
    /// A pirate's feature for a jump to the first of the places that [`Mask::ahead_of`] gave; none
    /// for no jump.
    fn jump_bit(self) -> u64;
    /// How many places there are.
    fn count(self) -> usize;
    fn has(self, place: Place) -> bool;
}

macro_rules! mask {
    ($word:ty, $farthest:literal, $ahead_of:expr) => {
        impl Mask for $word {
            const NONE: $word = 0;
            const BITS: u32 = <$word>::BITS;
            const FARTHEST: Place = $farthest;

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
                $ahead_of(self, place)
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
            fn end(self) -> u8 {
                (<$word>::BITS - self.leading_zeros()) as u8
            }

            #[inline(always)]
            fn beyond(self) -> u32 {
                self.leading_zeros()
            }

            #[inline(always)]
            fn jump_bit(self) -> u64 {
                const BITS: [u64; <$word>::BITS as usize + 1] = jump_bits();
                BITS[self.trailing_zeros() as usize]
            }

            #[inline(always)]
            fn count(self) -> usize {
                self.count_ones() as usize
            }

            #[inline(always)]
            fn has(self, place: Place) -> bool {
                self >> place & 1 == 1
            }
        }
    };
}

mask!(u64, 62, |mask: u64, place: Place| mask >> (place + 1));
mask!(u128, 127, |mask: u128, place: Place| mask >> place >> 1);

/// All ones if `condition` holds, else 0.
#[inline(always)]
pub(super) fn all_if(condition: bool) -> u64 {
    0u64.wrapping_sub(condition.into())
}

/// The board as masks, which no action changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardMasks<M> {
    pub(super) boat: Place,
    boat_retreat: bool,
    /// For each symbol its spaces, and the boat.
    reach: [M; SYMBOLS],
}

impl<M: Mask> BoardMasks<M> {
    #[inline(always)]
    pub(super) fn of(game: &Game) -> BoardMasks<M> {
        BoardMasks {
            boat: game.board.boat(),
            boat_retreat: game.boat_retreat,
            reach: Symbol::ALL.map(|symbol| M::narrow(game.board.reach(symbol))),
        }
    }
}

/// The track as masks.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrackMasks<'a, M> {
    pub(super) board: &'a BoardMasks<M>,
    /// Spaces that hold at least one, two and three pirates.
    pub(super) occupancy: [M; 3],
    /// For each symbol its empty spaces, and the boat.
    pub(super) ahead: [M; SYMBOLS],
}

impl<'a, M: Mask> TrackMasks<'a, M> {
    #[inline(always)]
    pub(super) fn new(board: &'a BoardMasks<M>, occupancy: [M; 3]) -> TrackMasks<'a, M> {
        TrackMasks {
            board,
            occupancy,
            ahead: board.reach.map(|reach| reach & !occupancy[0]),
        }
    }

    /// After a legal step of one pirate.
    #[inline(always)]
    pub(super) fn step(&self, from: Place, to: Place) -> TrackMasks<'a, M> {
        let [one, two, three] = self.occupancy;
        let left = M::only(from);
        // The topmost level loses the bit; the cell and the boat have none to lose.
        let [one, two, three] = [one & !(left & !two), two & !(left & !three), three & !left];
        let entered = M::only(to) & M::all_if(to != 0 && to != self.board.boat);
        let occupancy = [
            one | entered,
            two | (one & entered),
            three | (two & entered),
        ];
        TrackMasks::new(self.board, occupancy)
    }

    /// Spaces that hold at least one, two and three pirates here or there, and not in both.
    #[inline(always)]
    pub(super) fn changed(&self, other: &TrackMasks<M>) -> [M; 3] {
        std::array::from_fn(|level| self.occupancy[level] ^ other.occupancy[level])
    }

    /// Spaces that hold one or two pirates.
    #[inline(always)]
    pub(super) fn retreats(&self) -> M {
        self.occupancy[0] & !self.occupancy[2]
    }

    /// A mask of places other than the cell, as a mask of buckets.
    #[inline(always)]
    pub(super) fn plane(&self, mask: M) -> u64 {
        let mask = mask.wide();
        let boat = usize::from(self.board.boat);
        if boat <= BOAT {
            (mask as u64) << (BOAT - boat)
        } else {
            let beyond = boat - BOAT;
            let far = mask & ((2 << beyond) - 1) != 0;
            (mask >> beyond) as u64 & !1 | u64::from(far) << 1
        }
    }

    /// A pirate's feature for its place.
    #[inline(always)]
    pub(super) fn place(&self, place: Place) -> u64 {
        if place == 0 {
            1
        } else {
            self.plane(M::only(place))
        }
    }

    /// A pirate's feature for what it can retreat to.
    #[inline(always)]
    pub(super) fn retreat(&self, place: Place) -> u64 {
        let behind = self.retreats() & M::before(place);
        // The cell stands for no space at all.
        let to = (behind | M::only(0)).end() - 1;
        let pair = usize::from(self.occupancy[1].has(to));
        let retreat = 1 << (RETREAT + pair * RETREAT_DISTANCES + retreat_bin(place - to));
        let may = place != self.board.boat || self.board.boat_retreat;
        retreat & all_if(may & (behind != M::NONE))
    }

    /// From outside: the longest jump any symbol gives a pirate, and whether one symbol or at
    /// least three lead onto the boat. Nothing for a pirate on the boat.
    #[inline(always)]
    pub(super) fn longest_jump(&self, place: Place) -> u64 {
        let landings = self
            .ahead
            .into_iter()
            .map(|open| open.ahead_of(place).first())
            .fold(M::NONE, |all, one| all | one);
        let distance = landings.end();
        let onto = u64::from(distance > 0 && place + distance == self.board.boat);
        // Every symbol leads somewhere, and only on the boat can two of them meet.
        let three = u64::from(landings.count() + 2 < SYMBOLS + 1);
        jump_bit(distance) | onto << (SPARE + DISTANCES) | (onto & three) << (SPARE + DISTANCES + 1)
    }
}
