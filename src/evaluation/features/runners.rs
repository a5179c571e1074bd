//! Sorted places in one word, so that taking one out and putting one in are a few shifts.

use crate::rules::{MAX_PIRATES, Place};

/// The places of one player's pirates, sorted from the rear: a byte each, the rearmost lowest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runners {
    places: u64,
    len: u32,
}

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

impl Runners {
    /// Sorted places, at most six. If there are fewer, the others are said to be on the boat.
    #[inline(always)]
    pub(super) fn of(places: &[Place], boat: Place) -> Runners {
        let mut bytes = [boat; 8];
        bytes[..places.len()].copy_from_slice(places);
        Runners {
            places: u64::from_le_bytes(bytes),
            len: places.len() as u32,
        }
    }

    /// Those behind the boat.
    #[inline(always)]
    pub(super) fn out(self, boat: Place) -> Runners {
        Runners {
            places: self.places,
            len: self.behind(boat),
        }
    }

    /// How many are there.
    #[inline(always)]
    pub(super) fn len(self) -> usize {
        self.len as usize
    }

    /// The places from the rear, and the boat for those that are missing to six.
    #[inline(always)]
    pub(super) fn places(self) -> [Place; MAX_PIRATES] {
        let [a, b, c, d, e, f, _, _] = self.places.to_le_bytes();
        [a, b, c, d, e, f]
    }

    #[inline(always)]
    pub(super) fn rearmost(self) -> Place {
        self.places as Place
    }

    /// How many stand behind a place.
    #[inline(always)]
    fn behind(self, place: Place) -> u32 {
        // A byte's top bit stays where the byte is at least `place`; places are below 128.
        let ahead = ((self.places | TOPS) - ONES * u64::from(place)) & TOPS;
        let within = (1u64 << (8 * self.len)) - 1;
        (!ahead & TOPS & within).count_ones()
    }

    /// Takes the rearmost out.
    #[inline(always)]
    pub(super) fn leave(&mut self) {
        self.places >>= 8;
        self.len -= 1;
    }

    /// Takes the first that stands on a place out; there must be one.
    #[inline(always)]
    pub(super) fn leave_from(&mut self, place: Place) {
        let low = (1u64 << (8 * self.behind(place))) - 1;
        self.places = self.places & low | self.places >> 8 & !low;
        self.len -= 1;
    }

    /// Puts one in.
    #[inline(always)]
    pub(super) fn enter(&mut self, place: Place) {
        let behind = 8 * self.behind(place);
        let low = (1u64 << behind) - 1;
        self.places = self.places & low | u64::from(place) << behind | (self.places & !low) << 8;
        self.len += 1;
    }

    /// The places that they are away from the boat, summed.
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
        /// Against a sorted list.
        #[test]
        fn like_a_sorted_list(mut list in proptest::collection::vec(0u8..=127, 1..=6), which: usize, to in 0u8..=127) {
            list.sort_unstable();
            let mut runners = Runners::of(&list, 127);
            prop_assert_eq!(runners.rearmost(), list[0]);
            prop_assert_eq!(runners.out(to).len(), list.iter().filter(|&&place| place < to).count());
            let from = list.remove(which % list.len());
            runners.leave_from(from);
            list.push(to);
            list.sort_unstable();
            runners.enter(to);
            prop_assert_eq!(&runners.places()[..runners.len()], &list[..]);
            prop_assert_eq!(runners.pips(127), list.iter().map(|&place| u32::from(127 - place)).sum::<u32>());
            runners.leave();
            prop_assert_eq!(&runners.places()[..runners.len()], &list[1..]);
        }
    }
}
