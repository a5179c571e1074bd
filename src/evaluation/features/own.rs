//! The features of the player who acted: its pirates, the jumps that its hand gives them, and the cards still to come.
//! `extractor` computes these words anew for each action.

use super::layout::*;
use super::masks::{Mask, TrackMasks, all_if};
use super::sorted_places::SortedPlaces;
use super::sprint::sprint;
use crate::evaluation::Afterstate;
use crate::rules::{Cards, MAX_PIRATES, SYMBOLS};

/// The part of a position that belongs to the player who acted. It is small, since every action copies and changes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    /// Its pirates, those on the boat included.
    pub pirates: SortedPlaces,
    /// The places that its pirates are still away from the boat, summed.
    pub pips: u32,
    /// Its hand, without the cards still to be drawn.
    pub hand: Cards,
    /// The number of cards in the draw pile, those still to be drawn included.
    pub pile: u8,
    /// The number of cards in the draw pile and the discards.
    pub supply: u32,
    /// The number of cards that it is about to draw.
    pub draws: u8,
    /// The actions that it has left in the turn.
    pub actions_left: u8,
    /// The bits of the unseen cards. No action changes them, as an advance moves a card from the hand to the
    /// discards, and both are seen.
    pub unseen: u64,
}

impl Own {
    /// The own part of a position, for the player who acted.
    #[inline(always)]
    pub(super) fn of(s: &Afterstate) -> Own {
        Own {
            pirates: SortedPlaces::of(s.track.pirates(s.seat), s.track.boat()),
            pips: s.track.pips(s.seat),
            hand: s.hand,
            pile: s.pile,
            supply: u32::from(s.pile) + u32::from(s.discards.total()),
            draws: s.draws,
            actions_left: s.actions_left,
            unseen: unseen(s),
        }
    }

    /// The player's own words of features (see the table in `layout.rs`).
    #[inline(always)]
    pub(super) fn words<M: Mask>(&self, masks: &TrackMasks<M>) -> [u64; OWN_WORDS] {
        let mut words = [0; OWN_WORDS];
        let boat = masks.board.boat;
        let counts = self.hand.counts();
        // `held`: for each symbol in the hand the places to which it can lead; none for other symbols. A mask of all
        // ones or zeros stands for the condition, so that there is no branch.
        let mut held = [M::NONE; SYMBOLS];
        let (mut once, mut twice) = (M::NONE, M::NONE);
        let (mut most, mut different) = (0, 0);
        for symbol in 0..SYMBOLS {
            let (count, ahead) = (counts[symbol], masks.ahead[symbol]);
            held[symbol] = ahead & M::all_if(count > 0);
            once = once | held[symbol];
            twice = twice | ahead & M::all_if(count > 1);
            different += usize::from(count > 0);
            most = most.max(count);
        }

        // `landing`: the places where jumps end. `jumps`: for each symbol the lengths of the jumps that it gives any
        // pirate, as bits of distances less one.
        let mut landing = M::NONE;
        let mut jumps = [M::NONE; SYMBOLS];
        let places = self.pirates.places();
        for (pirate, &place) in places.iter().enumerate() {
            // Pirates on one place are alike; they are neighbours in the sorted list.
            if pirate > 0 && place == places[pirate - 1] {
                words[pirate] = words[pirate - 1];
                continue;
            }
            let mut bits = masks.place(place) | masks.retreat(place);
            let mut any = M::NONE;
            for symbol in 0..SYMBOLS {
                let ahead = held[symbol].ahead_of(place);
                bits |= ahead.jump_bit();
                jumps[symbol] = jumps[symbol] | ahead.first();
                any = any | ahead.first();
            }
            // Back from distances to places.
            landing = landing | any.as_ahead_of(place);
            // The distance of the boat less one; 0 for a pirate on the boat, which has nothing ahead.
            let last = boat.max(place + 1) - place - 1;
            let onto = u64::from(any.has(last));
            // Every held symbol leads somewhere, and two of them can meet only on the boat: fewer places than
            // symbols means that at least two lead there.
            let two = u64::from(any.count() < different);
            words[pirate] =
                bits | onto << (SPARE + DISTANCES) | (onto & two) << (SPARE + DISTANCES + 1);
        }
        // The highest bit of distances less one: the longest jump of each symbol, 0 if it is not held.
        let longest = jumps.map(M::end);
        for word in &mut words[self.pirates.len()..MAX_PIRATES] {
            *word = 1 << BOAT;
        }

        // The planes have the lower 38 bits of their words. Groups about hand, pile and pips fill the rest.
        words[HELD] = masks.plane(once)
            | 1 << (SPARE
                + 4 * usize::from(self.actions_left.min(2))
                + usize::from(self.draws.min(3)))
            | low_pile(self.pile, self.supply) << (SPARE + 12);
        words[HELD_TWICE] = masks.plane(twice) | 1 << (SPARE + hand_bin(self.hand.total()));
        words[LANDING] = masks.plane(landing)
            | 1 << (SPARE + different)
            | 1 << (SPARE + 7 + usize::from(most.min(8)));
        words[OCCUPIED] = masks.plane(masks.occupancy[0]) | 1 << (SPARE + pip_bin(self.pips));
        words[PAIRS] = masks.plane(masks.occupancy[1]);
        words[FULL] = masks.plane(masks.occupancy[2]);
        // How far the hand alone goes: the cards that it takes if all come home, else the pips that remain.
        let (actions, pips) = sprint(self.pirates.out(boat), boat, held, counts);
        words[PAIRS] |= 1 << (SPARE + actions.clamp(1, SPRINT_ACTIONS) - 1) & all_if(pips == 0);
        words[FULL] |= 1 << (SPARE + pip_bin(pips)) & all_if(pips > 0);
        (words[CARD_JUMPS], words[CARD_COPIES]) = cards_by_jump(counts, longest);
        words[CARD_COPIES] |= self.unseen << 30;
        words
    }
}

/// The words of the held symbols in the order of their longest jumps: the bins of the jumps, and of the numbers
/// of cards. A longest jump of 9 by 2 hats and one of 4 by 1 gun make rank 0 (bin of 9, 2 cards) and rank 1 (bin
/// of 4, 1 card), whatever the symbols are called.
#[inline(always)]
fn cards_by_jump(counts: [u8; SYMBOLS], longest: [u8; SYMBOLS]) -> (u64, u64) {
    // A key has the jump above the number of cards: sorted from the end, long jumps come first, and many cards among
    // equal jumps. A symbol that is not held has the key 0, comes last and sets no bit.
    let mut keys: [u32; SYMBOLS] =
        std::array::from_fn(|i| u32::from(longest[i]) << 8 | u32::from(counts[i]));
    sort(&mut keys);
    let (mut jumps, mut copies) = (0, 0);
    for (rank, &key) in keys.iter().rev().enumerate() {
        let (jump, count) = ((key >> 8) as u8, key as u8);
        jumps |= jump_bit(jump) >> SPARE << (rank * DISTANCES);
        copies |= copies_bit(count) << (rank * 5);
    }
    (jumps, copies)
}

/// The bits of the unseen cards of each symbol, from the rarest on, in five bins each: 0–2, 3–6, 7–10, 11–13, 14 and
/// more.
#[inline(always)]
fn unseen(s: &Afterstate) -> u64 {
    // A record that breaks the rules can show more cards than the deck has: hence the saturation.
    let counts = Cards::deck()
        .saturating_minus(s.hand)
        .saturating_minus(s.discards)
        .counts();
    let mut counts = counts.map(u32::from);
    sort(&mut counts);
    let mut bits = 0;
    for (rank, &count) in counts.iter().enumerate() {
        let bin = usize::from(count > 2)
            + usize::from(count > 6)
            + usize::from(count > 10)
            + usize::from(count > 13);
        bits |= 1 << (rank * 5 + bin);
    }
    bits
}

/// Sorts six numbers by the shortest sorting network, which has twelve comparisons (Knuth, The Art of Computer
/// Programming, volume 3). Each is a minimum and a maximum, so that no branch depends on the numbers.
#[inline(always)]
fn sort(numbers: &mut [u32; SYMBOLS]) {
    const NETWORK: [(usize, usize); 12] = [
        (0, 5),
        (1, 3),
        (2, 4),
        (1, 2),
        (3, 4),
        (0, 3),
        (2, 5),
        (0, 1),
        (2, 3),
        (4, 5),
        (1, 2),
        (3, 4),
    ];
    for (i, j) in NETWORK {
        let (a, b) = (numbers[i], numbers[j]);
        (numbers[i], numbers[j]) = (a.min(b), a.max(b));
    }
}

/// Six flags: five for a draw pile below 25, 12, 6, 3 and 1 cards, one for no card in pile and discards together.
#[inline(always)]
fn low_pile(pile: u8, supply: u32) -> u64 {
    u64::from(pile < 25)
        | u64::from(pile < 12) << 1
        | u64::from(pile < 6) << 2
        | u64::from(pile < 3) << 3
        | u64::from(pile == 0) << 4
        | u64::from(supply == 0) << 5
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sorting network that sorts all sequences of zeros and ones sorts everything (the zero–one principle, Knuth).
    #[test]
    fn the_network_sorts() {
        for bits in 0..1u32 << SYMBOLS {
            let mut numbers: [u32; SYMBOLS] = std::array::from_fn(|i| bits >> i & 1);
            sort(&mut numbers);
            assert!(numbers.is_sorted(), "{bits:b}");
        }
    }
}
