//! The track as masks of places, in words as wide as the board needs, and the jumps that follow from them.
//!
//! Bit p of a mask stands for place p: 0 is the cell, then come the spaces, and the boat is last. A jump is a
//! shift and a bit scan. A pirate on space 3, on a board where a symbol's empty spaces and the boat are
//! the bits 2, 5, 9 and 37, has ahead of it the bits 1, 5 and 33 (distances less one): the lowest one says that its
//! jump is 2 spaces long, to space 5.
//!
//! Nothing here branches on the position. Positions are unpredictable, and a mispredicted branch costs more than the
//! few instructions that it would save.

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
    /// The number of places in a word.
    const BITS: u32;
    /// The boat of the longest board for which the width is enough.
    const FARTHEST: Place;
    /// The lower places of a mask for the longest boards.
    fn narrow(mask: u128) -> Self;
    /// The same places as a mask for the longest boards.
    fn wide(self) -> u128;
    /// The set of this place alone.
    fn only(place: Place) -> Self;
    /// The places before `place`.
    fn before(place: Place) -> Self;
    /// All places if `condition` holds, else none.
    fn all_if(condition: bool) -> Self;
    /// The places after `place`, as distances less one: bit d stands for the place `place` + d + 1.
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
    /// The bit of a pirate's jump to the first of the places that [`Mask::ahead_of`] gave; 0 if there are none.
    fn jump_bit(self) -> u64;
    /// The number of places in the set.
    fn count(self) -> usize;
    /// Whether the place is in the set.
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
                // 0 - 1 wraps to all ones, without a branch.
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
                // -x has the lowest bit of x, and above it the opposite bits: 0b0110 & -0b0110 = 0b0010.
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
                // The number of trailing zeros of an empty set is the width: the last entry, no bit.
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

// A shift by the whole width is an error. With the boat on place 62 or before, `place + 1` is at most 63, below the
// width of 64. With the boat on 127 it can be 128, so that shift is made in two steps.
mask!(u64, 62, |mask: u64, place: Place| mask >> (place + 1));
mask!(u128, 127, |mask: u128, place: Place| mask >> place >> 1);

/// All ones if `condition` holds, else 0.
#[inline(always)]
pub(super) fn all_if(condition: bool) -> u64 {
    0u64.wrapping_sub(condition.into())
}

/// The part of the masks that no action changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardMasks<M> {
    pub(super) boat: Place,
    boat_retreat: bool,
    /// For each symbol the spaces that bear it, and the boat.
    reach: [M; SYMBOLS],
}

impl<M: Mask> BoardMasks<M> {
    /// The masks of a game's board.
    #[inline(always)]
    pub(super) fn of(game: &Game) -> BoardMasks<M> {
        BoardMasks {
            boat: game.board.boat(),
            boat_retreat: game.boat_retreat,
            reach: Symbol::ALL.map(|symbol| M::narrow(game.board.reach(symbol))),
        }
    }
}

/// The occupied and the empty spaces of a track as masks.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrackMasks<'a, M> {
    pub(super) board: &'a BoardMasks<M>,
    /// Spaces that hold at least one, two and three pirates.
    pub(super) occupancy: [M; 3],
    /// For each symbol its empty spaces, and the boat.
    pub(super) ahead: [M; SYMBOLS],
}

impl<'a, M: Mask> TrackMasks<'a, M> {
    /// The masks of a track, from its spaces with at least one, two and three pirates.
    #[inline(always)]
    pub(super) fn new(board: &'a BoardMasks<M>, occupancy: [M; 3]) -> TrackMasks<'a, M> {
        TrackMasks {
            board,
            occupancy,
            // The boat is in no level of the occupancy, and so stays.
            ahead: board.reach.map(|reach| reach & !occupancy[0]),
        }
    }

    /// The masks after a legal step of one pirate. As in `Track::step`, an advance enters an empty space and a
    /// retreat one with at most two pirates.
    #[inline(always)]
    pub(super) fn step(&self, from: Place, to: Place) -> TrackMasks<'a, M> {
        let [one, two, three] = self.occupancy;
        let left = M::only(from);
        // The highest level that has the bit loses it; the cell and the boat have no bits.
        let [one, two, three] = [one & !(left & !two), two & !(left & !three), three & !left];
        // Places beside the spaces, the cell and the boat, are in no level.
        let entered = M::only(to) & M::all_if(to != 0 && to != self.board.boat);
        // Each level gets the bit where the level below already had it.
        let occupancy = [
            one | entered,
            two | (one & entered),
            three | (two & entered),
        ];
        TrackMasks::new(self.board, occupancy)
    }

    /// For each of one, two and three pirates the spaces that hold at least that many in exactly one of the two
    /// positions.
    #[inline(always)]
    pub(super) fn changed(&self, other: &TrackMasks<M>) -> [M; 3] {
        std::array::from_fn(|level| self.occupancy[level] ^ other.occupancy[level])
    }

    /// The spaces that hold one or two pirates: those to which a pirate can retreat.
    #[inline(always)]
    pub(super) fn retreats(&self) -> M {
        self.occupancy[0] & !self.occupancy[2]
    }

    /// The buckets of a set of places without the cell, as bits. Buckets (`layout::BUCKETS`) count places from the
    /// boat, which is bucket 37, so that boards of any length share their features. The branch depends on the board
    /// alone, so it is predictable.
    #[inline(always)]
    pub(super) fn plane(&self, mask: M) -> u64 {
        let mask = mask.wide();
        let boat = usize::from(self.board.boat);
        // Up to 36 spaces: the shift puts the boat onto bucket 37.
        if boat <= BOAT {
            (mask as u64) << (BOAT - boat)
        } else {
            // The places 1 to `beyond` have no bucket of their own and join the next one in bucket 1.
            let beyond = boat - BOAT;
            let far = mask & ((2 << beyond) - 1) != 0;
            (mask >> beyond) as u64 & !1 | u64::from(far) << 1
        }
    }

    /// The bit of a pirate's place.
    #[inline(always)]
    pub(super) fn place(&self, place: Place) -> u64 {
        if place == 0 {
            1
        } else {
            self.plane(M::only(place))
        }
    }

    /// The bit of a pirate's retreat: its distance, and whether one or two pirates stand where it ends; 0 if it
    /// cannot retreat.
    #[inline(always)]
    pub(super) fn retreat(&self, place: Place) -> u64 {
        // The nearest space behind is the highest bit. The bit of the cell is added for the case that there is
        // none: the result is masked out at the end.
        let behind = self.retreats() & M::before(place);
        let to = (behind | M::only(0)).end() - 1;
        let pair = usize::from(self.occupancy[1].has(to));
        let retreat = 1 << (RETREAT + pair * RETREAT_DISTANCES + retreat_bin(place - to));
        // The game's option `boat_retreat` says whether a pirate may leave the boat again.
        let may = place != self.board.boat || self.board.boat_retreat;
        retreat & all_if(may & (behind != M::NONE))
    }

    /// The bits of an opponent's pirate for its jumps, as its hand is hidden: the longest jump that any symbol
    /// gives it, and whether at least one symbol and at least three lead it onto the boat. 0 for a pirate on the
    /// boat.
    #[inline(always)]
    pub(super) fn longest_jump(&self, place: Place) -> u64 {
        // For each symbol the nearest empty space ahead, or the boat.
        let landings = self
            .ahead
            .into_iter()
            .map(|open| open.ahead_of(place).first())
            .fold(M::NONE, |all, one| all | one);
        // The landings of the six symbols, each bit a distance less one: the highest one is the longest jump.
        let distance = landings.end();
        let onto = u64::from(distance > 0 && place + distance == self.board.boat);
        // Every symbol leads somewhere, and different symbols can meet only on the boat. If k of six lead there,
        // 7 − k places are left: at most 4 for three symbols or more.
        let three = u64::from(landings.count() + 2 < SYMBOLS + 1);
        jump_bit(distance) | onto << (SPARE + DISTANCES) | (onto & three) << (SPARE + DISTANCES + 1)
    }
}
