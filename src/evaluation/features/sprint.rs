//! The greedy way home with the hand alone: [`crate::race::greedy`] on masks, without branches on the position in
//! the choice of a card. An evaluation needs it for every action of every position.

use super::masks::Mask;
use super::sorted_places::SortedPlaces;
use crate::rules::{Place, SYMBOLS};

/// The number of greedy actions, and the pips that are left after them: 0 if everyone comes home.
///
/// `pirates` are the pirates that are not on the boat. `held` has the empty spaces, and the boat, to which each symbol
/// leads; none for a symbol that is not held.
///
/// The rearmost pirate always moves, by the card that takes it farthest. So the space that it leaves is ahead of no
/// pirate, and none can land there any more: `held` only loses places, one that is entered or all of a symbol
/// whose last card is played. Everything that decides between two symbols is in one number for each, so that the
/// choice is a minimum without branches.
#[inline(always)]
pub(super) fn sprint<M: Mask>(
    mut pirates: SortedPlaces,
    boat: Place,
    mut held: [M; SYMBOLS],
    counts: [u8; SYMBOLS],
) -> (usize, u32) {
    // A number from high bits to low: the places of the word beyond the jump (fewer is a longer jump), 255 less the
    // cards of the symbol, 255 less the symbol. Lower is better: among equal jumps (onto the boat) the symbol with
    // the most cards is played, then the last one in their order. For example, a jump of 5 in a word of 64 leaves 59
    // places; with two cards of the symbol 1 its number has the parts 59, 253 and 254.
    const CARD: u32 = 1 << 8;
    const PLACE: u32 = 1 << 16;
    let mut keys: [u32; SYMBOLS] =
        std::array::from_fn(|i| PLACE - 1 - u32::from(counts[i]) * CARD - i as u32);
    let mut actions = 0;
    while pirates.len() > 0 {
        // `best` begins with the value that stands for no jump.
        let from = pirates.rearmost();
        let mut best = M::BITS * PLACE;
        for (mask, key) in held.iter().zip(&keys) {
            let beyond = mask.ahead_of(from).first().beyond() * PLACE;
            best = best.min(beyond | key);
        }
        // No symbol is held any more: each mask is empty, and an empty mask lies beyond by the whole width.
        let jump = M::BITS - best / PLACE;
        if jump == 0 {
            return (actions, pirates.pips(boat));
        }
        let card = (CARD - 1 - best % CARD) as usize;
        let to = from + jump as Place;
        // One card fewer raises the field of the cards by 1. With no card left it is 255.
        keys[card] += CARD;
        let more = keys[card] < PLACE - CARD;
        actions += 1;
        pirates.remove_rearmost();
        // The boat takes any number of pirates; a space is no longer empty, and only its own symbol leads there.
        if to != boat {
            held[card] = held[card] & !M::only(to);
            pirates.insert(to);
        }
        held[card] = held[card] & M::all_if(more);
    }
    (actions, 0)
}

#[cfg(test)]
mod tests {
    use super::super::masks::{BoardMasks, TrackMasks};
    use super::*;
    use crate::evaluation::testing;
    use crate::race;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sprint_is_the_greedy_way_home(position in testing::positions()) {
            let (game, state) = (&position.game, position.world.state());
            let seat = usize::from(state.to_move);
            let board = BoardMasks::<u128>::of(game);
            let masks = TrackMasks::new(&board, state.track.occupancy());
            let counts = state.hands[seat].counts();
            let held = std::array::from_fn(|i| masks.ahead[i] & u128::all_if(counts[i] > 0));
            let pirates = SortedPlaces::of(state.track.pirates(seat), board.boat).out(board.boat);
            let mut greedy = race::greedy(game, state.track, seat, state.hands[seat]);
            let actions = greedy.by_ref().count();
            let expected = (actions, greedy.track.pips(seat));
            prop_assert_eq!(sprint(pirates, board.boat, held, counts), expected);
        }
    }

    /// Small cases, counted by hand.
    #[test]
    fn sprint_takes_the_rearmost_first() {
        // Spaces 1 to 6 bear symbols 0, 1, 0, 1, 0, 1; the boat is 7.
        let reach = |bits: [u32; 3]| bits.iter().fold(1u64 << 7, |mask, bit| mask | 1 << bit);
        let sprint = |pirates: &[Place], zero: u8, one: u8| {
            let mut held = [0; SYMBOLS];
            held[0] = reach([1, 3, 5]) & u64::all_if(zero > 0);
            held[1] = reach([2, 4, 6]) & u64::all_if(one > 0);
            let mut counts = [0; SYMBOLS];
            [counts[0], counts[1]] = [zero, one];
            super::sprint(SortedPlaces::of(pirates, 7).out(7), 7, held, counts)
        };
        assert_eq!(sprint(&[7, 7], 1, 0), (0, 0), "nothing left to do");
        assert_eq!(sprint(&[6, 7], 1, 0), (1, 0));
        // From 5 symbol 0 jumps to the boat, symbol 1 only to 6.
        assert_eq!(sprint(&[5, 7], 1, 1), (1, 0));
        // The first card takes 0 to 2, the second 2 to 4, and there is no third.
        assert_eq!(sprint(&[0, 5], 0, 2), (2, 5 - 2 + 2));
        // 0 to 2, 2 to 4, 4 to 6, 5 over it onto the boat, 6 home.
        assert_eq!(sprint(&[0, 5], 0, 5), (5, 0));
    }
}
