//! Bringing all pirates home with the hand alone, greedily.

use super::geometry::{Held, Mask};
use crate::cartagena::rules::Place;

/// Plays home with the hand alone, as if nobody else moved: always the rearmost pirate, with the
/// card that takes it farthest, of several the one held most often. Gives the number of actions,
/// or the pips that are left.
///
/// Spaces that become empty on the way lie behind every pirate still to move and do not matter.
#[inline]
pub(super) fn sprint<M: Mask>(
    pirates: &[Place],
    boat: Place,
    mut held: Held<M>,
) -> Result<usize, u32> {
    let mut runners = Runners::of(pirates, boat);
    let mut actions = 0;
    while let Some(from) = runners.rearmost() {
        let mut best = 0;
        for (i, (mask, &count)) in held.masks[..held.len].iter().zip(&held.counts).enumerate() {
            let key = u32::from(mask.jump(from)) << 16 | u32::from(count) << 8 | i as u32;
            best = best.max(if count > 0 { key } else { 0 });
        }
        if best == 0 {
            return Err(runners.pips(boat));
        }
        let card = (best & 0xff) as usize;
        let to = from + (best >> 16) as u8;
        held.counts[card] -= 1;
        actions += 1;
        runners.leave();
        if to != boat {
            held.masks[card] = held.masks[card].without(to);
            runners.enter(to);
        }
    }
    Ok(actions.max(1))
}

/// The places of one player's pirates that are not on the boat, sorted from the rear: a byte each,
/// the rearmost lowest, so that taking one out and putting one in are a few shifts.
struct Runners {
    places: u64,
    len: u32,
}

impl Runners {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;

    #[inline]
    fn of(pirates: &[Place], boat: Place) -> Runners {
        let (mut places, mut len) = (0, 0);
        for &place in pirates.iter().filter(|&&place| place != boat) {
            places |= u64::from(place) << (8 * len);
            len += 1;
        }
        Runners { places, len }
    }

    #[inline]
    fn rearmost(&self) -> Option<Place> {
        (self.len > 0).then_some(self.places as Place)
    }

    #[inline]
    fn leave(&mut self) {
        self.places >>= 8;
        self.len -= 1;
    }

    #[inline]
    fn enter(&mut self, place: Place) {
        // A byte's top bit stays where the byte is at least `place`; places are below 128.
        let ahead = ((self.places | Self::TOPS) - Self::ONES * u64::from(place)) & Self::TOPS;
        let within = (1u64 << (8 * self.len)) - 1;
        let behind = 8 * (!ahead & Self::TOPS & within).count_ones();
        let low = (1u64 << behind) - 1;
        self.places = self.places & low | u64::from(place) << behind | (self.places & !low) << 8;
        self.len += 1;
    }

    #[inline]
    fn pips(&self, boat: Place) -> u32 {
        let places = self.places.to_le_bytes();
        let pips = |&place: &Place| u32::from(boat - place);
        places[..self.len as usize].iter().map(pips).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sprint against a plain simulation with lists.
    #[test]
    fn sprint_takes_the_rearmost_first() {
        // Spaces 1 to 6 bear symbols 0, 1, 0, 1, 0, 1; the boat is 7.
        let reach = |bits: [u32; 3]| bits.iter().fold(1u64 << 7, |mask, bit| mask | 1 << bit);
        let held = |zero: u8, one: u8| {
            let mut held = Held::<u64>::new();
            if zero > 0 {
                held.push(reach([1, 3, 5]), zero);
            }
            if one > 0 {
                held.push(reach([2, 4, 6]), one);
            }
            held
        };
        assert_eq!(sprint(&[7, 7], 7, held(1, 0)), Ok(1), "nothing left to do");
        assert_eq!(sprint(&[6, 7], 7, held(1, 0)), Ok(1));
        // From 5 symbol 0 jumps to the boat, symbol 1 only to 6.
        assert_eq!(sprint(&[5, 7], 7, held(1, 1)), Ok(1));
        // 0 to 2, 5 to 6 with the second card, and no third.
        assert_eq!(sprint(&[0, 5], 7, held(0, 2)), Err(5 - 2 + 2));
        // 0 to 2, 2 to 4, 4 to 6, 5 over it onto the boat, 6 home.
        assert_eq!(sprint(&[0, 5], 7, held(0, 5)), Ok(5));
    }
}
