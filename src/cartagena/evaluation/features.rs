//! What a network sees of a situation: a few hundred yes-or-no features, about a hundred of them
//! true at a time.
//!
//! Everything is seen from the player who acted, and the opponents follow in turn order. Symbols
//! never appear by name, for boards are shuffled: the hand is laid onto the track instead, as the
//! spaces it can reach, the jumps it gives each pirate and the places where they end. Places count
//! by their distance to the boat, so that boards of other lengths look familiar near their end.
//!
//! Features stand in words of 64, a pirate's or a plane's in one word, so that most groups are a
//! shift and an or. Only what the seat may know is used: its hand, the sizes of the other hands,
//! and what lies open.

use super::Situation;
use crate::cartagena::rules::{Cards, MAX_PIRATES, MAX_PLAYERS, Place, SYMBOLS, Symbol};

/// Changes whenever a feature does: a network trained on other features is of no use.
pub const VERSION: u32 = 1;

/// Buckets of places: 0 the cell, 37 the boat, between them 37 less the distance to the boat.
const BUCKETS: usize = 38;
const BOAT: usize = BUCKETS - 1;
/// First bit of the part of a word that the places leave free.
const SPARE: usize = BUCKETS;
/// Bits for the jumps of a pirate: ten distances and two for the boat.
const JUMPS: usize = 12;
const DISTANCES: usize = 10;
/// First bit of a pirate's retreat: seven distances for each number of cards.
const RETREAT: usize = SPARE + JUMPS;
const RETREAT_DISTANCES: usize = 7;
const HAND_SIZES: usize = 20;
const PIP_BINS: usize = 25;
const LEAD_BINS: usize = 19;
const SPRINT_ACTIONS: usize = 20;

/// Words of the player itself.
const OWN_WORDS: usize = 14;
/// Words of each opponent.
const OTHER_WORDS: usize = MAX_PIRATES + 1;
/// Words of a game of six.
pub const MAX_WORDS: usize = OWN_WORDS + (MAX_PLAYERS - 1) * OTHER_WORDS;

const HELD: usize = 6;
const HELD_TWICE: usize = 7;
const LANDING: usize = 8;
const OCCUPIED: usize = 9;
const PAIRS: usize = 10;
const FULL: usize = 11;
const CARD_JUMPS: usize = 12;
const CARD_COPIES: usize = 13;

/// The number of words of features in a game of so many players.
pub const fn words(players: usize) -> usize {
    OWN_WORDS + (players - 1) * OTHER_WORDS
}

/// The number of features in a game of so many players.
pub const fn count(players: usize) -> usize {
    64 * words(players)
}

/// The features that are true, as bits; those of words the number of players has no use for are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureSet([u64; MAX_WORDS]);

impl Default for FeatureSet {
    fn default() -> Self {
        FeatureSet([0; MAX_WORDS])
    }
}

/// A group of features of which at most `most` are true at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The first feature.
    pub start: usize,
    /// How many there are.
    pub len: usize,
    /// How many can be true together.
    pub most: usize,
}

/// Every group of features; together they hold each feature in use once.
///
/// From the groups follows the largest sum that the weights of true features can reach.
pub fn fields(players: usize) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut field = |word: usize, bit: usize, len: usize, most: usize| {
        fields.push(Field {
            start: 64 * word + bit,
            len,
            most,
        });
    };
    for pirate in 0..MAX_PIRATES {
        field(pirate, 0, BUCKETS, 1);
        field(pirate, SPARE, DISTANCES, SYMBOLS);
        field(pirate, SPARE + DISTANCES, 2, 2);
        field(pirate, RETREAT, 2 * RETREAT_DISTANCES, 1);
    }
    for plane in [HELD, HELD_TWICE] {
        field(plane, 0, BUCKETS, BUCKETS);
    }
    field(HELD, SPARE, 12, 1);
    field(HELD, SPARE + 12, 6, 6);
    field(HELD_TWICE, SPARE, HAND_SIZES, 1);
    field(LANDING, 0, BUCKETS, MAX_PIRATES * SYMBOLS);
    field(LANDING, SPARE, 7, 1);
    field(LANDING, SPARE + 7, 9, 1);
    field(OCCUPIED, 0, BUCKETS, MAX_PIRATES * players);
    field(OCCUPIED, SPARE, PIP_BINS, 1);
    field(PAIRS, 0, BUCKETS, MAX_PIRATES * players / 2);
    field(FULL, 0, BUCKETS, MAX_PIRATES * players / 3);
    field(PAIRS, SPARE, SPRINT_ACTIONS, 1);
    field(FULL, SPARE, PIP_BINS, 1);
    for rank in 0..SYMBOLS {
        field(CARD_JUMPS, rank * DISTANCES, DISTANCES, 1);
        field(CARD_COPIES, rank * 5, 5, 1);
        field(CARD_COPIES, 30 + rank * 5, 5, 1);
    }
    for other in 0..players - 1 {
        let base = OWN_WORDS + other * OTHER_WORDS;
        for pirate in 0..MAX_PIRATES {
            field(base + pirate, 0, BUCKETS, 1);
            field(base + pirate, SPARE, DISTANCES, 1);
            field(base + pirate, SPARE + DISTANCES, 2, 2);
            field(base + pirate, RETREAT, 2 * RETREAT_DISTANCES, 1);
        }
        let word = base + MAX_PIRATES;
        field(word, 0, HAND_SIZES, 1);
        field(word, HAND_SIZES, PIP_BINS, 1);
        field(word, HAND_SIZES + PIP_BINS, LEAD_BINS, 1);
    }
    fields
}

impl FeatureSet {
    /// The features of a situation.
    #[inline]
    pub fn of(situation: &Situation) -> FeatureSet {
        let mut set = FeatureSet::default();
        set.fill(situation);
        set
    }

    /// Becomes the features of a situation, whatever it was for the same number of players.
    #[inline]
    pub fn fill(&mut self, situation: &Situation) {
        if situation.track.boat() < 64 {
            self.extract::<u64>(situation);
        } else {
            self.extract::<u128>(situation);
        }
    }

    /// The features as words of 64.
    #[inline]
    pub fn words(&self) -> &[u64; MAX_WORDS] {
        &self.0
    }

    /// The numbers of the true features, ascending.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(word, &bits)| Bits(bits).map(move |bit| 64 * word + bit))
    }

    /// Whether a feature is true.
    pub fn contains(&self, feature: usize) -> bool {
        self.0[feature / 64] >> (feature % 64) & 1 == 1
    }

    fn extract<M: Mask>(&mut self, s: &Situation) {
        let geometry = Geometry::<M>::of(s);
        self.own(s, &geometry);
        let players = s.game.players;
        let own_pips = s.track.pips(s.seat);
        for other in 0..players - 1 {
            let turn = s.seat + 1 + other;
            let player = if turn >= players {
                turn - players
            } else {
                turn
            };
            self.other(
                s,
                &geometry,
                OWN_WORDS + other * OTHER_WORDS,
                player,
                own_pips,
            );
        }
    }

    #[inline]
    fn own<M: Mask>(&mut self, s: &Situation, geometry: &Geometry<M>) {
        let words = &mut self.0;
        let counts = s.hand.counts();
        let mut held = Held::<M>::new();
        let (mut once, mut twice) = (M::NONE, M::NONE);
        let (mut most, mut different) = (0, 0);
        for (symbol, &count) in counts.iter().enumerate() {
            if count > 0 {
                held.push(geometry.ahead[symbol], count);
                once = once.or(geometry.ahead[symbol]);
                different += 1;
                most = most.max(count);
                if count > 1 {
                    twice = twice.or(geometry.ahead[symbol]);
                }
            }
        }
        let mut landing = M::NONE;
        let mut longest = [0u8; SYMBOLS];
        let mut last = (Place::MAX, 0);
        for (rank, &place) in s.track.pirates(s.seat).iter().enumerate() {
            if place != last.0 {
                last = (place, geometry.place_and_retreat(s, place));
                if place != geometry.boat {
                    last.1 |= held.jumps(geometry.boat, place, &mut longest, &mut landing);
                }
            }
            words[rank] = last.1;
        }
        for word in &mut words[s.track.pirates_each()..MAX_PIRATES] {
            *word = 1 << BOAT;
        }

        let supply = u32::from(s.pile) + u32::from(s.discards.total());
        words[HELD] = geometry.plane(once)
            | 1 << (SPARE + 4 * usize::from(s.actions_left.min(2)) + usize::from(s.draws.min(3)))
            | low_pile(s.pile, supply) << (SPARE + 12);
        words[HELD_TWICE] = geometry.plane(twice) | 1 << (SPARE + hand_bin(s.hand.total()));
        words[LANDING] = geometry.plane(landing)
            | 1 << (SPARE + different)
            | 1 << (SPARE + 7 + usize::from(most.min(8)));
        words[OCCUPIED] = geometry.plane(M::narrow(geometry.crowd[0]))
            | 1 << (SPARE + pip_bin(s.track.pips(s.seat)));
        words[PAIRS] = geometry.plane(M::narrow(geometry.crowd[1]));
        words[FULL] = geometry.plane(M::narrow(geometry.crowd[2]));
        match sprint(s.track.pirates(s.seat), geometry.boat, held) {
            Ok(actions) => words[PAIRS] |= 1 << (SPARE + actions.min(SPRINT_ACTIONS) - 1),
            Err(pips) => words[FULL] |= 1 << (SPARE + pip_bin(pips)),
        }
        (words[CARD_JUMPS], words[CARD_COPIES]) = cards_by_jump(counts, longest);
        words[CARD_COPIES] |= unseen(s) << 30;
    }

    #[inline]
    fn other<M: Mask>(
        &mut self,
        s: &Situation,
        geometry: &Geometry<M>,
        base: usize,
        player: usize,
        own_pips: u32,
    ) {
        let words = &mut self.0[base..base + OTHER_WORDS];
        let mut last = (Place::MAX, 0);
        for (rank, &place) in s.track.pirates(player).iter().enumerate() {
            if place != last.0 {
                last = (place, geometry.place_and_retreat(s, place));
                if place != geometry.boat {
                    last.1 |= geometry.best_jump(place);
                }
            }
            words[rank] = last.1;
        }
        for word in &mut words[s.track.pirates_each()..MAX_PIRATES] {
            *word = 1 << BOAT;
        }
        let pips = s.track.pips(player);
        words[MAX_PIRATES] = 1 << hand_bin(s.hand_sizes[player])
            | 1 << (HAND_SIZES + pip_bin(pips))
            | 1 << (HAND_SIZES + PIP_BINS + lead_bin(pips as i32 - own_pips as i32));
    }
}

/// Plays home with the hand alone, as if nobody else moved: always the rearmost pirate, with the
/// card that takes it farthest, of several the one held most often. Gives the number of actions,
/// or the pips that are left.
///
/// Spaces that become empty on the way lie behind every pirate still to move and do not matter.
#[inline]
fn sprint<M: Mask>(pirates: &[Place], boat: Place, mut held: Held<M>) -> Result<usize, u32> {
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

/// The numbers of the bits that are set, ascending.
pub(super) struct Bits(pub(super) u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// A set of places, in a word as wide as the board needs.
trait Mask: Copy {
    const NONE: Self;
    /// The lower places of a mask for the longest boards.
    fn narrow(mask: u128) -> Self;
    /// The same places as a mask for the longest boards.
    fn wide(self) -> u128;
    fn or(self, other: Self) -> Self;
    fn with(self, place: Place) -> Self;
    fn without(self, place: Place) -> Self;
    /// How far ahead of `place` the next place of the set is. There must be one.
    fn jump(self, place: Place) -> u8;
    /// The last place of the set before `place`.
    fn before(self, place: Place) -> Option<Place>;
    fn has(self, place: Place) -> bool;
}

macro_rules! mask {
    ($word:ty) => {
        impl Mask for $word {
            const NONE: $word = 0;

            #[inline]
            fn narrow(mask: u128) -> $word {
                mask as $word
            }

            #[inline]
            fn wide(self) -> u128 {
                self.into()
            }

            #[inline]
            fn or(self, other: $word) -> $word {
                self | other
            }

            #[inline]
            fn with(self, place: Place) -> $word {
                self | 1 << place
            }

            #[inline]
            fn without(self, place: Place) -> $word {
                self & !(1 << place)
            }

            #[inline]
            fn jump(self, place: Place) -> u8 {
                (self >> place >> 1).trailing_zeros() as u8 + 1
            }

            #[inline]
            fn before(self, place: Place) -> Option<Place> {
                let before = self & ((1 << place) - 1);
                let top = <$word>::BITS - 1;
                (before != 0).then(|| (top - before.leading_zeros()) as Place)
            }

            #[inline]
            fn has(self, place: Place) -> bool {
                self >> place & 1 == 1
            }
        }
    };
}

mask!(u64);
mask!(u128);

/// The track as masks.
struct Geometry<M> {
    boat: Place,
    crowd: [u128; 3],
    /// Spaces that hold one or two pirates.
    retreats: M,
    /// Spaces that hold two or three.
    pairs: M,
    /// For each symbol its empty spaces, and the boat.
    ahead: [M; SYMBOLS],
}

impl<M: Mask> Geometry<M> {
    #[inline]
    fn of(s: &Situation) -> Geometry<M> {
        let crowd = s.track.crowd();
        Geometry {
            boat: s.track.boat(),
            crowd,
            retreats: M::narrow(s.track.retreats()),
            pairs: M::narrow(crowd[1]),
            ahead: Symbol::ALL.map(|symbol| M::narrow(s.game.board.reach(symbol) & !crowd[0])),
        }
    }

    #[inline]
    fn bucket(&self, place: Place) -> usize {
        if place == 0 {
            0
        } else {
            BOAT - usize::from(self.boat - place).min(BOAT - 1)
        }
    }

    /// A mask of places other than the cell, as a mask of buckets.
    #[inline]
    fn plane(&self, mask: M) -> u64 {
        let mask = mask.wide();
        let boat = usize::from(self.boat);
        if boat <= BOAT {
            (mask as u64) << (BOAT - boat)
        } else {
            let beyond = boat - BOAT;
            let far = mask & ((2 << beyond) - 1) != 0;
            (mask >> beyond) as u64 & !1 | u64::from(far) << 1
        }
    }

    /// A pirate's place and what it can retreat to.
    #[inline]
    fn place_and_retreat(&self, s: &Situation, place: Place) -> u64 {
        let bits = 1 << self.bucket(place);
        if place == self.boat && !s.game.boat_retreat {
            return bits;
        }
        let Some(to) = self.retreats.before(place) else {
            return bits;
        };
        let pair = usize::from(self.pairs.has(to));
        bits | 1 << (RETREAT + pair * RETREAT_DISTANCES + retreat_bin(place - to))
    }

    /// From outside: the longest jump any symbol gives a pirate, and whether one symbol or at
    /// least three lead onto the boat.
    #[inline]
    fn best_jump(&self, place: Place) -> u64 {
        let to_boat = self.boat - place;
        let (mut best, mut onto) = (0, 0);
        for mask in self.ahead {
            let jump = mask.jump(place);
            best = best.max(jump);
            onto += u8::from(jump == to_boat);
        }
        1 << (SPARE + distance_bin(best))
            | u64::from(onto > 0) << (SPARE + DISTANCES)
            | u64::from(onto > 2) << (SPARE + DISTANCES + 1)
    }
}

/// The spaces each held symbol leads to.
struct Held<M> {
    masks: [M; SYMBOLS],
    counts: [u8; SYMBOLS],
    len: usize,
}

impl<M: Mask> Held<M> {
    #[inline]
    fn new() -> Held<M> {
        Held {
            masks: [M::NONE; SYMBOLS],
            counts: [0; SYMBOLS],
            len: 0,
        }
    }

    #[inline]
    fn push(&mut self, mask: M, count: u8) {
        self.masks[self.len] = mask;
        self.counts[self.len] = count;
        self.len += 1;
    }

    /// A pirate's jumps; lengthens the longest jump of each held symbol and marks the landings.
    #[inline]
    fn jumps(
        &self,
        boat: Place,
        place: Place,
        longest: &mut [u8; SYMBOLS],
        landing: &mut M,
    ) -> u64 {
        let to_boat = boat - place;
        let mut bits = 0;
        let mut onto = 0;
        for (i, mask) in self.masks[..self.len].iter().enumerate() {
            let jump = mask.jump(place);
            longest[i] = longest[i].max(jump);
            *landing = landing.with(place + jump);
            bits |= 1 << (SPARE + distance_bin(jump));
            onto += u8::from(jump == to_boat);
        }
        bits | u64::from(onto > 0) << (SPARE + DISTANCES)
            | u64::from(onto > 1) << (SPARE + DISTANCES + 1)
    }
}

/// For the held symbols, from the one with the longest jump: that jump, and how many cards.
#[inline]
fn cards_by_jump(counts: [u8; SYMBOLS], longest: [u8; SYMBOLS]) -> (u64, u64) {
    let mut keys = [0u16; SYMBOLS];
    let mut len = 0;
    for &count in counts.iter().filter(|&&count| count > 0) {
        keys[len] = u16::from(longest[len]) << 8 | u16::from(count);
        len += 1;
    }
    keys.sort_unstable_by(|a, b| b.cmp(a));
    let (mut jumps, mut copies) = (0, 0);
    for (rank, &key) in keys[..len].iter().enumerate() {
        let jump = (key >> 8) as u8;
        if jump > 0 {
            jumps |= 1 << (rank * DISTANCES + distance_bin(jump));
        }
        copies |= 1 << (rank * 5 + usize::from(key & 0xff).min(5) - 1);
    }
    (jumps, copies)
}

/// How many cards of each symbol are unseen, from the rarest, in five bins each.
#[inline]
fn unseen(s: &Situation) -> u64 {
    let mut counts = Cards::deck()
        .saturating_minus(s.hand)
        .saturating_minus(s.discards)
        .counts();
    counts.sort_unstable();
    let mut bits = 0;
    for (rank, &count) in counts.iter().enumerate() {
        let bin = match count {
            0..=2 => 0,
            3..=6 => 1,
            7..=10 => 2,
            11..=13 => 3,
            _ => 4,
        };
        bits |= 1 << (rank * 5 + bin);
    }
    bits
}

/// Six flags for a draw pile that runs low, the last for nothing left to draw at all.
#[inline]
fn low_pile(pile: u8, supply: u32) -> u64 {
    u64::from(pile < 25)
        | u64::from(pile < 12) << 1
        | u64::from(pile < 6) << 2
        | u64::from(pile < 3) << 3
        | u64::from(pile == 0) << 4
        | u64::from(supply == 0) << 5
}

#[inline]
fn distance_bin(jump: u8) -> usize {
    const BINS: [u8; 32] = [
        0, 0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9,
        9, 9,
    ];
    usize::from(BINS[usize::from(jump.min(31))])
}

#[inline]
fn retreat_bin(distance: u8) -> usize {
    const BINS: [u8; 16] = [0, 0, 1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6];
    usize::from(BINS[distance.min(15) as usize])
}

#[inline]
fn hand_bin(cards: u8) -> usize {
    match cards {
        0..=15 => usize::from(cards),
        16..=17 => 16,
        18..=20 => 17,
        21..=25 => 18,
        _ => 19,
    }
}

#[inline]
fn pip_bin(pips: u32) -> usize {
    (pips as usize / 9).min(PIP_BINS - 1)
}

/// How far the other is behind, in pips: bins of 8, the middle one around 0.
#[inline]
fn lead_bin(lead: i32) -> usize {
    ((lead + 76).clamp(0, 151) / 8) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cartagena::evaluation::Afterstate;
    use crate::cartagena::evaluation::testing::{self, Position};
    use crate::cartagena::view::View;
    use proptest::prelude::*;

    /// Groups do not overlap and fit the words.
    #[test]
    fn fields_are_disjoint() {
        for players in 2..=6 {
            let mut used = vec![false; count(players)];
            for field in fields(players) {
                for used in &mut used[field.start..field.start + field.len] {
                    assert!(!*used, "{field:?} overlaps another");
                    *used = true;
                }
            }
        }
    }

    proptest! {
        /// Features are in range, of a group, ascending, and no group has more than it may.
        #[test]
        fn features_are_in_their_fields(position in testing::positions()) {
            for after in position.afters() {
                let situation = after.situation(&position.game);
                let set = FeatureSet::of(&situation);
                let list: Vec<usize> = set.iter().collect();
                prop_assert!(list.is_sorted());
                let mut grouped = 0;
                for field in fields(position.game.players) {
                    let true_ones = (field.start..field.start + field.len).filter(|&f| set.contains(f)).count();
                    prop_assert!(true_ones <= field.most, "{field:?} has {true_ones}");
                    grouped += true_ones;
                }
                prop_assert_eq!(grouped, list.len(), "a feature outside all groups");
                let mut reused = FeatureSet([u64::MAX; MAX_WORDS]);
                reused.fill(&situation);
                prop_assert_eq!(&reused.0[..words(position.game.players)], &set.0[..words(position.game.players)]);
            }
        }

        /// Both widths of masks see the same.
        #[test]
        fn both_widths_agree(position in testing::positions()) {
            prop_assume!(position.game.board.boat() < 64);
            for after in position.afters() {
                let situation = after.situation(&position.game);
                let (mut narrow, mut wide) = (FeatureSet::default(), FeatureSet::default());
                narrow.extract::<u64>(&situation);
                wide.extract::<u128>(&situation);
                prop_assert_eq!(narrow, wide);
            }
        }

        /// Only what the seat sees counts: its view gives the same as the open state, and the
        /// other hands and the pile may be dealt anew.
        #[test]
        fn nothing_hidden_leaks(position in testing::positions()) {
            let state = position.world.state();
            let view = View::of(state, state.to_move as usize);
            let redealt = position.redealt();
            for &action in &position.actions {
                let [a, b, c] = [
                    Afterstate::of_state(state, action),
                    Afterstate::of_view(&view, action),
                    Afterstate::of_state(&redealt, action),
                ]
                .map(|after| FeatureSet::of(&after.situation(&position.game)));
                prop_assert_eq!(a, b);
                prop_assert_eq!(a, c);
            }
        }

        /// Symbols have no names: another naming of board and cards gives the same features.
        #[test]
        fn names_do_not_matter(position in testing::positions(), seed: u64) {
            let renamed: Position = position.renamed(seed);
            for (one, other) in position.afters().zip(renamed.afters()) {
                prop_assert_eq!(
                    FeatureSet::of(&one.situation(&position.game)),
                    FeatureSet::of(&other.situation(&renamed.game))
                );
            }
        }
    }

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
