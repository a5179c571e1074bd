//! The 169 ways to play the first of the last two tricks, in packs of eight. The solver of two tricks walks the last
//! tricks of a pack side by side.
//!
//! All ways in a pack have the same result. So they have the same score and the same leader afterwards, and the
//! last trick runs the same code for all eight, with separate numbers in each lane. There are 78 ways in which the
//! leader's card is higher, 78 in which it is lower, and 13 ties: 10 + 10 + 2 packs.

use super::last::LANES;
use crate::rules::RANKS;

/// Up to eight ways to play a trick with the same result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pack {
    /// How the leader's card compares with the other's: 1 higher, 0 equal, −1 lower.
    pub result: i8,
    /// In each lane, the index of the leader's rank and of the follower's.
    pub led: [u8; LANES],
    pub followed: [u8; LANES],
    /// How many lanes are used. The others hold the cards (0, 0); walks give them reach 0.
    pub used: usize,
}

/// The number of packs that hold all 169 ways to play a trick.
pub(super) const PACKS: usize =
    2 * (RANKS * (RANKS - 1) / 2).div_ceil(LANES) + RANKS.div_ceil(LANES);

/// All 169 ways to play a trick: packs with result −1, then 0, then 1.
pub(super) const ALL: [Pack; PACKS] = {
    const NONE: Pack = Pack {
        result: 0,
        led: [0; LANES],
        followed: [0; LANES],
        used: 0,
    };
    // Lanes that are never filled keep the cards (0, 0).
    let mut packs = [NONE; PACKS];
    let (mut pack, mut result) = (0, -1);
    // Loops without iterators: this runs in a constant.
    while result <= 1 {
        let mut pair = 0;
        while pair < RANKS * RANKS {
            let (led, followed) = (pair / RANKS, pair % RANKS);
            // Ranks compare as the cards do.
            let fits = match result {
                -1 => led < followed,
                0 => led == followed,
                _ => led > followed,
            };
            if fits {
                // The pack is full: go on with the next one of the same result.
                if packs[pack].used == LANES {
                    pack += 1;
                }
                let place = packs[pack].used;
                packs[pack].result = result;
                packs[pack].led[place] = led as u8;
                packs[pack].followed[place] = followed as u8;
                packs[pack].used += 1;
            }
            pair += 1;
        }
        // The next result begins a new pack, even if this one is not full.
        pack += 1;
        result += 1;
    }
    packs
};

/// The pack and the lane of a way to play a trick.
pub(super) fn place(led: usize, followed: usize) -> (usize, usize) {
    for (number, pack) in ALL.iter().enumerate() {
        for place in 0..pack.used {
            if (
                usize::from(pack.led[place]),
                usize::from(pack.followed[place]),
            ) == (led, followed)
            {
                return (number, place);
            }
        }
    }
    (0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_play_a_trick_has_a_place_of_its_own() {
        let mut seen = std::collections::HashSet::new();
        for led in 0..RANKS {
            for followed in 0..RANKS {
                let (pack, lane) = place(led, followed);
                assert_eq!(usize::from(ALL[pack].led[lane]), led);
                assert_eq!(usize::from(ALL[pack].followed[lane]), followed);
                assert_eq!(ALL[pack].result, super::super::terms::result(led, followed));
                assert!(seen.insert((pack, lane)));
            }
        }
        assert_eq!(
            ALL.iter().map(|pack| pack.used).sum::<usize>(),
            RANKS * RANKS
        );
    }
}
