//! Deals of the hidden cards: how many there are that fit what is known, and fair samples of them.
//!
//! Cards that the same players may hold are one group: without any knowledge all of them, after
//! voids a few suits together or apart. A deal is drawn in two steps. First how many cards of each
//! group each player gets: the groups are dealt one after the other, and a table of all numbers
//! of cards still wanted says in how many ways the remaining groups can be dealt, so that each
//! split is drawn with its exact share. Then which cards: a shuffle of each group. Nothing is
//! ever rejected, so the time does not depend on how narrow the knowledge is.
//!
//! `Seen::deals` makes the groups: one while nothing is known, more with every void and with every card
//! taken openly. The numbers of deals are counted in 128 bits, for every combination of cards still
//! wanted.

use super::card::Card;
use super::cards::Cards;
use arrayvec::ArrayVec;
use engine::rng::{Random, below};
use rand::Rng;
use std::collections::BTreeMap;
use thiserror::Error;

/// Most hands that can be hidden. With more the number of deals of 52 cards might not fit into
/// 128 bits.
pub const MAX_HIDDEN: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no deal of the unseen cards fits what is known")]
pub struct Impossible;

/// Cards by hidden hand.
pub type Hidden = [Cards; MAX_HIDDEN];

/// All deals of some cards to hidden hands of given sizes, in which each hand holds only cards
/// that it may hold.
#[derive(Clone, Debug)]
pub struct Deals {
    certain: Hidden,
    stages: Vec<Stage>,
    count: u128,
}

type Counts = [u8; MAX_HIDDEN];

/// The dealing of one group.
#[derive(Clone, Debug)]
struct Stage {
    cards: ArrayVec<Card, 52>,
    holders: u8,
    /// By state, the end of its splits; they begin where those of the state before end.
    ends: Vec<u32>,
    splits: Vec<Split>,
}

/// How many cards of a group each hand gets.
#[derive(Clone, Copy, Debug)]
struct Split {
    counts: Counts,
    /// The state it leads to in the next stage.
    next: u32,
    /// It is drawn by numbers below this one and not below the split's before.
    below: u64,
}

impl Deals {
    /// The deals of `unseen` to hands of these sizes. A hand holds only cards of its set in
    /// `may_hold`; a card that is known to be in a hand is left out of all other sets.
    ///
    /// # Errors
    /// If there is no such deal, for instance because the sizes do not add up.
    ///
    /// # Panics
    /// With more than [`MAX_HIDDEN`] hands.
    pub fn new(unseen: Cards, sizes: &[usize], may_hold: &[Cards]) -> Result<Deals, Impossible> {
        assert!(sizes.len() <= MAX_HIDDEN && sizes.len() == may_hold.len());
        if sizes.iter().sum::<usize>() != unseen.len() {
            return Err(Impossible);
        }
        let mut wanted = [0; MAX_HIDDEN];
        for (wanted, &size) in wanted.iter_mut().zip(sizes) {
            *wanted = size as u8;
        }
        let mut certain = Hidden::default();
        let mut stages = Vec::new();
        for (holders, cards) in groups(unseen, may_hold) {
            match holders.count_ones() {
                0 => return Err(Impossible),
                1 => {
                    let holder = holders.trailing_zeros() as usize;
                    certain[holder] = cards;
                    let left = wanted[holder].checked_sub(cards.len() as u8);
                    wanted[holder] = left.ok_or(Impossible)?;
                }
                _ => stages.push(Stage {
                    cards: cards.into_iter().collect(),
                    holders,
                    ends: vec![],
                    splits: vec![],
                }),
            }
        }
        // What many may hold comes last: the split of the last group is forced.
        stages.sort_by_key(|stage| (stage.holders.count_ones(), stage.holders));
        enumerate(&mut stages, wanted);
        let count = weigh(&mut stages);
        match count {
            0 => Err(Impossible),
            _ => Ok(Deals {
                certain,
                stages,
                count,
            }),
        }
    }

    /// How many deals there are; exact.
    pub fn count(&self) -> u128 {
        self.count
    }

    /// Draws a deal. Every deal is as likely as any other, but for the rounding of each split's
    /// share to a multiple of 2⁻⁶³.
    pub fn sample(&self, rng: &mut Random) -> Hidden {
        let mut hands = self.certain;
        let mut state = 0;
        for stage in &self.stages {
            let split = stage.draw(state, rng);
            stage.deal(&split.counts, &mut hands, rng);
            state = split.next as usize;
        }
        hands
    }
}

impl Stage {
    fn of(&self, state: usize) -> std::ops::Range<usize> {
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        start as usize..self.ends[state] as usize
    }

    #[inline]
    fn draw(&self, state: usize, rng: &mut Random) -> &Split {
        let splits = &self.splits[self.of(state)];
        if let [only] = splits {
            return only;
        }
        // The shares end at 2⁶⁴ - 1, so that no number may reach it.
        let number = rng.next_u64().min(u64::MAX - 1);
        &splits[splits.partition_point(|split| split.below <= number)]
    }

    /// Gives each hand its number of the group's cards, at random.
    #[inline]
    fn deal(&self, counts: &Counts, hands: &mut Hidden, rng: &mut Random) {
        let mut cards = self.cards.clone();
        let mut left = cards.len();
        for (hand, &count) in hands.iter_mut().zip(counts) {
            if usize::from(count) == left {
                for &card in &cards[..left] {
                    hand.insert(card);
                }
                return;
            }
            for _ in 0..count {
                let place = below(rng, left);
                left -= 1;
                hand.insert(cards[place]);
                cards[place] = cards[left];
            }
        }
    }
}

/// The cards by who may hold them, as bits.
fn groups(unseen: Cards, may_hold: &[Cards]) -> BTreeMap<u8, Cards> {
    let mut groups = BTreeMap::<u8, Cards>::new();
    for card in unseen {
        let holders = may_hold
            .iter()
            .enumerate()
            .filter(|(_, set)| set.contains(card))
            .fold(0, |holders, (hand, _)| holders | 1 << hand);
        groups.entry(holders).or_default().insert(card);
    }
    groups
}

/// Fills in all splits that the stages can come to, from the cards wanted at first on.
fn enumerate(stages: &mut [Stage], wanted: Counts) {
    let mut states = vec![wanted];
    for stage in stages {
        let mut next = BTreeMap::<Counts, u32>::new();
        let mut found = Vec::new();
        for &wanted in &states {
            let mut counts = [0; MAX_HIDDEN];
            let cards = stage.cards.len() as u8;
            splits(
                stage.holders,
                0,
                cards,
                &wanted,
                &mut counts,
                &mut |counts| {
                    let mut after = wanted;
                    for (after, count) in after.iter_mut().zip(counts) {
                        *after -= count;
                    }
                    let number = next.len() as u32;
                    stage.splits.push(Split {
                        counts: *counts,
                        next: *next.entry(after).or_insert_with(|| {
                            found.push(after);
                            number
                        }),
                        below: 0,
                    });
                },
            );
            stage.ends.push(stage.splits.len() as u32);
        }
        states = found;
    }
}

/// Calls `found` with every split of `cards` over the holders from `hand` on, none of whom gets
/// more than it wants.
fn splits(
    holders: u8,
    hand: usize,
    cards: u8,
    wanted: &Counts,
    counts: &mut Counts,
    found: &mut impl FnMut(&Counts),
) {
    let room = |hand: usize| {
        if holders >> hand & 1 == 1 {
            wanted[hand]
        } else {
            0
        }
    };
    if hand == MAX_HIDDEN {
        found(counts);
        return;
    }
    let later: u8 = (hand + 1..MAX_HIDDEN).map(room).sum();
    for count in cards.saturating_sub(later)..=room(hand).min(cards) {
        counts[hand] = count;
        splits(holders, hand + 1, cards - count, wanted, counts, found);
    }
    counts[hand] = 0;
}

/// Counts the deals behind every split, from the last stage back, and fills in the shares.
/// Returns the number of all deals. Splits that lead nowhere get no share.
fn weigh(stages: &mut [Stage]) -> u128 {
    let binomial = binomials();
    let mut after: Vec<u128> = vec![];
    for stage in stages.iter_mut().rev() {
        let mut ways = Vec::with_capacity(stage.ends.len());
        for state in 0..stage.ends.len() {
            let range = stage.of(state);
            let splits = &mut stage.splits[range];
            let weights: Vec<u128> = splits
                .iter()
                .map(|split| {
                    // Behind the last stage there is one state, and one way to deal nothing.
                    let rest = after.get(split.next as usize).copied();
                    let rest = if after.is_empty() { Some(1) } else { rest };
                    let mut left = stage.cards.len();
                    split.counts.iter().fold(rest.unwrap_or(0), |ways, &count| {
                        let ways = ways * u128::from(binomial[left][usize::from(count)]);
                        left -= usize::from(count);
                        ways
                    })
                })
                .collect();
            let total: u128 = weights.iter().sum();
            share(splits, &weights, total);
            ways.push(total);
        }
        after = ways;
    }
    after.first().copied().unwrap_or(1)
}

/// Divides the numbers below 2⁶⁴ among the splits by their weights.
fn share(splits: &mut [Split], weights: &[u128], total: u128) {
    let excess = 64_u32.saturating_sub(total.leading_zeros());
    let mut sum = 0;
    for (split, weight) in splits.iter_mut().zip(weights) {
        sum += weight;
        split.below = if sum == total {
            u64::MAX
        } else {
            let end = ((sum >> excess) << 64) / (total >> excess);
            u64::try_from(end).unwrap_or(u64::MAX)
        };
    }
}

/// Pascal's triangle up to 52.
fn binomials() -> [[u64; 53]; 53] {
    let mut table = [[0; 53]; 53];
    for n in 0..53 {
        table[n][0] = 1;
        for k in 1..=n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
        }
    }
    table
}

#[cfg(test)]
mod tests;
