//! Sorted places in one word, so that removing and inserting one takes a few shifts. The features of the acting player
//! (`own`) and the greedy way home (`sprint`) move pirates by it.

use crate::rules::{MAX_PIRATES, Place};

/// The places of one player's pirates, sorted from the rear: one byte each, the rearmost in the lowest byte. All
/// places are at most 127, so that the top bit of each byte is free.
///
/// Pirates on 2, 5 and 9 with the boat on 37 are the bytes 2, 5, 9, 37, 37, 37, 37, 37 and the length 3.
#[derive(Clone, Copy, Debug)]
pub(super) struct SortedPlaces {
    places: u64,
    len: u32,
}

/// The number 1 in each byte. Times a place it is that place in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The top bit of each byte.
const TOPS: u64 = 0x8080_8080_8080_8080;

impl SortedPlaces {
    /// Sorted places, at most six; where there are fewer, the boat fills the unused bytes.
    #[inline(always)]
    pub(super) fn of(places: &[Place], boat: Place) -> SortedPlaces {
        let mut bytes = [boat; 8];
        bytes[..places.len()].copy_from_slice(places);
        SortedPlaces {
            places: u64::from_le_bytes(bytes),
            len: places.len() as u32,
        }
    }

    /// The places of the pirates that are not on the boat.
    #[inline(always)]
    pub(super) fn out(self, boat: Place) -> SortedPlaces {
        SortedPlaces {
            places: self.places,
            len: self.behind(boat),
        }
    }

    /// The number of places.
    #[inline(always)]
    pub(super) fn len(self) -> usize {
        self.len as usize
    }

    /// The places from the rear on, filled up to six with the unused bytes.
    #[inline(always)]
    pub(super) fn places(self) -> [Place; MAX_PIRATES] {
        let [a, b, c, d, e, f, _, _] = self.places.to_le_bytes();
        [a, b, c, d, e, f]
    }

    /// The place farthest from the boat.
    #[inline(always)]
    pub(super) fn rearmost(self) -> Place {
        self.places as Place
    }

    /// The number of places before `place`.
    #[inline(always)]
    fn behind(self, place: Place) -> u32 {
        // All bytes are compared at once: byte + 128 − place keeps its top bit exactly if the byte is at least
        // `place`, and never borrows from the next byte. For the place 5 a byte of 2 becomes 125, which lacks the top
        // bit, and one of 9 becomes 132, which has it. Unused bytes are left out by `within`.
        let ahead = ((self.places | TOPS) - ONES * u64::from(place)) & TOPS;
        let within = (1u64 << (8 * self.len)) - 1;
        (!ahead & TOPS & within).count_ones()
    }

    /// Removes the pirate that is farthest from the boat. There must be one.
    #[inline(always)]
    pub(super) fn remove_rearmost(&mut self) {
        // It is the lowest byte. The byte that enters at the top is beyond the length.
        self.places >>= 8;
        self.len -= 1;
    }

    /// Removes one pirate from a place. There must be one.
    #[inline(always)]
    pub(super) fn remove(&mut self, place: Place) {
        // The bytes below stay, those above move down by one and cover the removed one.
        let low = (1u64 << (8 * self.behind(place))) - 1;
        self.places = self.places & low | self.places >> 8 & !low;
        self.len -= 1;
    }

    /// Adds a pirate on a place. There must be fewer than six.
    #[inline(always)]
    pub(super) fn insert(&mut self, place: Place) {
        // The bytes below stay, those above move up by one and make room.
        let behind = 8 * self.behind(place);
        let low = (1u64 << behind) - 1;
        self.places = self.places & low | u64::from(place) << behind | (self.places & !low) << 8;
        self.len += 1;
    }

    /// The places that the pirates are away from the boat, summed.
    #[inline(always)]
    pub(super) fn pips(self, boat: Place) -> u32 {
        let places = self.places.to_le_bytes();
        let pips = |&place: &Place| u32::from(boat - place);
        places[..self.len()].iter().map(pips).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The same operations on a sorted list give the same places.
        #[test]
        fn like_a_sorted_list(mut list in proptest::collection::vec(0u8..=127, 1..=6), which: usize, to in 0u8..=127) {
            list.sort_unstable();
            let mut sorted = SortedPlaces::of(&list, 127);
            prop_assert_eq!(sorted.rearmost(), list[0]);
            prop_assert_eq!(sorted.out(to).len(), list.iter().filter(|&&place| place < to).count());
            let from = list.remove(which % list.len());
            sorted.remove(from);
            list.push(to);
            list.sort_unstable();
            sorted.insert(to);
            prop_assert_eq!(&sorted.places()[..sorted.len()], &list[..]);
            prop_assert_eq!(sorted.pips(127), list.iter().map(|&place| u32::from(127 - place)).sum::<u32>());
            sorted.remove_rearmost();
            prop_assert_eq!(&sorted.places()[..sorted.len()], &list[1..]);
        }
    }
}
