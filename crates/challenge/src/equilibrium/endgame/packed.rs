//! Which ways to play a trick are worked on side by side: such with the same result.

use super::last::LANES;
use crate::rules::RANKS;

/// Some ways to play a trick with the same result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pack {
    /// How the leader's card compares with the other's.
    pub result: i8,
    pub led: [u8; LANES],
    /// The cards followed with.
    pub followed: [u8; LANES],
    /// How many of the places are used; the others are like the first and come with reach 0.
    pub used: usize,
}

/// How many packs hold all ways to play a trick.
pub(super) const PACKS: usize =
    2 * (RANKS * (RANKS - 1) / 2).div_ceil(LANES) + RANKS.div_ceil(LANES);

/// All ways to play a trick.
pub(super) const ALL: [Pack; PACKS] = {
    const NONE: Pack = Pack {
        result: 0,
        led: [0; LANES],
        followed: [0; LANES],
        used: 0,
    };
    let mut packs = [NONE; PACKS];
    let (mut pack, mut result) = (0, -1);
    while result <= 1 {
        let mut pair = 0;
        while pair < RANKS * RANKS {
            let (led, followed) = (pair / RANKS, pair % RANKS);
            let fits = match result {
                -1 => led < followed,
                0 => led == followed,
                _ => led > followed,
            };
            if fits {
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
        pack += 1;
        result += 1;
    }
    packs
};

/// Where a way to play a trick is: the pack, and the place in it.
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
