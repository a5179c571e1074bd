//! Random numbers whose stream never changes. The generator is a named one, and draws and shuffles are
//! written out here, so that a seed means the same game on every machine and in every version.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::SubAssign;

/// The generator of everything that must be repeatable.
pub type Random = Xoshiro256PlusPlus;

/// A generator for one part of a seeded run. Different parts, such as the worlds of a search, get independent
/// streams, so that their order and their threads do not matter.
pub fn stream(seed: u64, part: u64) -> Random {
    // Both numbers are scrambled, so that neighbouring seeds and parts give unrelated states. The constant,
    // SplitMix64's increment, keeps part 0 from being mixed to 0.
    Random::seed_from_u64(mix(seed ^ mix(part.wrapping_add(0x9E37_79B9_7F4A_7C15))))
}

/// A bijective scrambling of 64 bits (the finaliser of SplitMix64, Steele, Lea and Flood 2014).
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A whole number below `bound`, which must not be 0.
///
/// The high half of a product (Lemire 2019) without the rejection step: the bias is below
/// `bound / 2^64`.
#[inline]
pub fn below(rng: &mut impl Rng, bound: usize) -> usize {
    debug_assert!(bound > 0);
    // x / 2^64 is uniform in 0 to 1; times the bound and cut, it is a whole number below the bound.
    ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize
}

/// A generator of its own for a part of a player. With a copy of this one both would draw the same numbers, and what
/// the player mixes in one place would follow from what it has mixed in another.
pub fn split(rng: &mut Random) -> Random {
    stream(rng.next_u64(), 0)
}

/// A number from 0 up to but not including 1, with 53 random bits.
#[inline]
pub fn unit(rng: &mut impl Rng) -> f64 {
    // An `f64` holds 53 significant bits, so 64 - 11 = 53 of them are used, and the number is exact.
    (rng.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// The number of the chance on which a uniform number from 0 up to the chances' sum falls (inversion): they divide that
/// range into intervals, one after another. None if rounding leaves it behind the last.
///
/// With the chances 0.2, 0.5 and 0.3, the numbers from 0.2 to 0.7 fall on the second, which has the number 1.
pub fn pick<T: Copy + Default + PartialOrd + SubAssign>(
    chances: impl IntoIterator<Item = T>,
    mut uniform: T,
) -> Option<usize> {
    chances.into_iter().position(|chance| {
        uniform -= chance;
        uniform < T::default()
    })
}

/// Puts the items into a uniformly random order (Fisher and Yates, from the back).
pub fn shuffle<T>(rng: &mut impl Rng, items: &mut [T]) {
    // From the last position to the first: each gets a random one of the items up to it, perhaps the one that it has.
    for i in (1..items.len()).rev() {
        items.swap(i, below(rng, i + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_pinned() {
        let mut rng = stream(1, 2);
        let mut items: Vec<u8> = (0..10).collect();
        shuffle(&mut rng, &mut items);
        assert_eq!(
            items,
            [0, 7, 4, 6, 2, 1, 8, 9, 3, 5],
            "a change here breaks every recorded seed"
        );
    }

    #[test]
    fn below_covers_its_range() {
        let mut rng = stream(7, 0);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[below(&mut rng, 6)] += 1;
        }
        assert!(seen.iter().all(|n| (9_500..10_500).contains(n)), "{seen:?}");
    }
}
