//! Deals of the hidden cards: how many fit what is known, and samples that are equally likely.
//!
//! Cards that the same players may hold form a *group*: before anything is known there is one group; voids and
//! cards taken openly split it. Only the number of cards that each hand gets of each group matters to the
//! count, not which ones. So a deal is drawn in two steps:
//!
//! 1. *How many.* The groups are dealt one after the other. The *state* before a group is how many cards each
//!    hand still wants; a *split* is how many cards of the group each hand gets. With W(state) for the number
//!    of ways to deal the remaining groups,
//!
//!    W(state) = Σ over splits of (group size)! / Π (cards to each hand)! × W(state after the split),
//!
//!    and each split is drawn with its share of that sum. This is dynamic programming from the last group back.
//! 2. *Which.* The cards of each group are shuffled and dealt by the numbers drawn.
//!
//! Nothing is rejected, so the time of a sample does not grow when little fits what is known.
//!
//! *Example.* Hands A, B and C want 2, 3 and 1 cards; three spades and three hearts are unseen, and A is void
//! in spades. B and C take the spades as 3 + 0 (1 way) or 2 + 1 (3 ways). After either split A takes two of the
//! three hearts (3 ways), and the last heart has one place left. So there are 3 + 9 = 12 deals, and the splits
//! are drawn with probabilities 3/12 and 9/12.
//!
//! `Seen::deals` supplies the cards that each hand may hold, and the groups follow from these. The ways W
//! are counted in 128 bits.

use super::card::Card;
use super::cards::Cards;
use arrayvec::ArrayVec;
use engine::rng::{Random, below};
use rand::Rng;
use std::collections::BTreeMap;
use thiserror::Error;

/// Most hidden hands. 52 cards can be dealt to five hands in fewer than 5⁵² < 2¹²¹ ways, which fits into 128
/// bits; 6⁵² > 2¹³⁴ does not.
pub const MAX_HIDDEN: usize = 5;

/// The error if no deal fits, for example because reports contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no deal of the unseen cards fits what is known")]
pub struct Impossible;

/// The cards of each hidden hand.
pub type Hidden = [Cards; MAX_HIDDEN];

/// All deals of some cards to hidden hands of given sizes in which each hand holds only cards that it may hold.
#[derive(Clone, Debug)]
pub struct Deals {
    /// By hand, the cards that no other hand may hold.
    certain: Hidden,
    /// The groups with two holders or more, in the order in which they are dealt.
    stages: Vec<Stage>,
    count: u128,
}

/// A number of cards for each hand.
type Counts = [u8; MAX_HIDDEN];

/// One group and every way to split it.
#[derive(Clone, Debug)]
struct Stage {
    cards: ArrayVec<Card, 52>,
    /// The hands that may hold these cards, as bits.
    holders: u8,
    /// By state, the end of its splits in `splits`. They begin where those of the state before end.
    ends: Vec<u32>,
    splits: Vec<Split>,
}

/// How many cards of a group each hand gets, and where that leads.
#[derive(Clone, Copy, Debug)]
struct Split {
    counts: Counts,
    /// The number of the next stage's state after this split.
    next: u32,
    /// A random number draws the first split whose `below` exceeds it: see [`share`].
    below: u64,
}

impl Deals {
    /// The deals of `unseen` to hands of these sizes. A hand holds only cards of its set in `may_hold`; a card
    /// that is known to be in a hand must be missing from all other sets.
    ///
    /// # Errors
    /// If no deal fits, for instance because the sizes do not add up to the number of unseen cards.
    ///
    /// # Panics
    /// With more than [`MAX_HIDDEN`] hands.
    pub fn new(unseen: Cards, sizes: &[usize], may_hold: &[Cards]) -> Result<Deals, Impossible> {
        assert!(sizes.len() <= MAX_HIDDEN && sizes.len() == may_hold.len());
        // From here on the cards wanted and the cards left always add up: every state relies on it.
        if sizes.iter().sum::<usize>() != unseen.len() {
            return Err(Impossible);
        }
        let mut wanted = [0; MAX_HIDDEN];
        for (wanted, &size) in wanted.iter_mut().zip(sizes) {
            *wanted = size as u8;
        }
        let mut certain = Hidden::default();
        let mut stages = Vec::new();
        // A group with one holder needs no choice: its cards go there, and the hand wants that many fewer.
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
        // Groups with few holders come first, since they split in few ways. The last group has no choice left:
        // every hand takes what it still wants.
        stages.sort_by_key(|stage| (stage.holders.count_ones(), stage.holders));
        enumerate(&mut stages, wanted);
        let count = weigh(&mut stages);
        // A count of 0 catches contradictions between groups, such as two spades for a hand with room for one.
        match count {
            0 => Err(Impossible),
            _ => Ok(Deals {
                certain,
                stages,
                count,
            }),
        }
    }

    /// The exact number of deals.
    pub fn count(&self) -> u128 {
        self.count
    }

    /// Draws a deal. All deals are equally likely, except that each split's share is rounded by about 2⁻⁶³.
    pub fn sample(&self, rng: &mut Random) -> Hidden {
        let mut hands = self.certain;
        // The first stage has one state, the cards wanted at first; each split names the next stage's state.
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
    /// The range of a state's splits.
    fn of(&self, state: usize) -> std::ops::Range<usize> {
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        start as usize..self.ends[state] as usize
    }

    /// Draws a split of a state by its share.
    #[inline]
    fn draw(&self, state: usize, rng: &mut Random) -> &Split {
        let splits = &self.splits[self.of(state)];
        // A single split, as in the last stage, needs no random number.
        if let [only] = splits {
            return only;
        }
        // The last share ends at 2⁶⁴ - 1 and excludes it; the largest number is lowered so that some share
        // contains it.
        let number = rng.next_u64().min(u64::MAX - 1);
        // `below` never falls from split to split, so the first one above the number is found by bisection. A
        // split without a share ends where the one before it ends, and is never the first.
        &splits[splits.partition_point(|split| split.below <= number)]
    }

    /// Deals the group's cards at random, each hand as many as `counts` says.
    #[inline]
    fn deal(&self, counts: &Counts, hands: &mut Hidden, rng: &mut Random) {
        let mut cards = self.cards.clone();
        let mut left = cards.len();
        for (hand, &count) in hands.iter_mut().zip(counts) {
            // A hand that gets all cards left needs no draw.
            if usize::from(count) == left {
                for &card in &cards[..left] {
                    hand.insert(card);
                }
                return;
            }
            // Draw without replacement (Fisher and Yates): the last card fills the gap of the drawn one.
            for _ in 0..count {
                let place = below(rng, left);
                left -= 1;
                hand.insert(cards[place]);
                cards[place] = cards[left];
            }
        }
    }
}

/// The groups of the unseen cards, by the hands that may hold them (bit `i` for hand `i`). A sorted map keeps their
/// order, and so the samples, the same on every machine.
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

/// Fills in the splits of every state that can be reached from the cards wanted at first, stage by stage.
fn enumerate(stages: &mut [Stage], wanted: Counts) {
    let mut states = vec![wanted];
    for stage in stages {
        let mut next = BTreeMap::<Counts, u32>::new();
        // States of the next stage are numbered in the order in which splits first lead to them. Different
        // splits may lead to one state; its ways are counted once.
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
                // `after` is what each hand still wants when it has its part of the group.
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

/// Calls `found` with every split of `cards` over the holders from `hand` on in which no hand gets more than it
/// wants.
fn splits(
    holders: u8,
    hand: usize,
    cards: u8,
    wanted: &Counts,
    counts: &mut Counts,
    found: &mut impl FnMut(&Counts),
) {
    // A hand that may not hold the group has no room for it.
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
    // The later hands can take at most `later`, so this one takes at least the rest. The bound makes every
    // branch end in a complete split.
    let later: u8 = (hand + 1..MAX_HIDDEN).map(room).sum();
    for count in cards.saturating_sub(later)..=room(hand).min(cards) {
        counts[hand] = count;
        splits(holders, hand + 1, cards - count, wanted, counts, found);
    }
    counts[hand] = 0;
}

/// Counts the deals behind every split and fills in the shares; returns the number of all deals. A split that
/// no deal completes gets no share.
fn weigh(stages: &mut [Stage]) -> u128 {
    let binomial = binomials();
    // `after` is W of the next stage's states, which must be known first: hence from the last stage back.
    let mut after: Vec<u128> = vec![];
    for stage in stages.iter_mut().rev() {
        let mut ways = Vec::with_capacity(stage.ends.len());
        for state in 0..stage.ends.len() {
            let range = stage.of(state);
            let splits = &mut stage.splits[range];
            let weights: Vec<u128> = splits
                .iter()
                .map(|split| {
                    // Behind the last stage nothing is left to deal, and there is one way to do that.
                    let rest = after.get(split.next as usize).copied();
                    let rest = if after.is_empty() { Some(1) } else { rest };
                    // The group's cards for the hands: (group size)! / Π count!, as a product of binomials
                    // "choose this hand's cards among those left".
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

/// Divides the numbers below 2⁶⁴ among the splits: split i ends at 2⁶⁴ (w₁ + … + wᵢ) / total. Weights 3 and 9
/// end at 2⁶² and 2⁶⁴ - 1.
fn share(splits: &mut [Split], weights: &[u128], total: u128) {
    // A total beyond 64 bits is shifted down to 64, so that the quotient's numerator fits into 128.
    let excess = 64_u32.saturating_sub(total.leading_zeros());
    let mut sum = 0;
    for (split, weight) in splits.iter_mut().zip(weights) {
        sum += weight;
        // The end of the last share is not computed: rounding must not leave numbers without a split.
        split.below = if sum == total {
            u64::MAX
        } else {
            let end = ((sum >> excess) << 64) / (total >> excess);
            u64::try_from(end).unwrap_or(u64::MAX)
        };
    }
}

/// Pascal's triangle: `table[n][k]` is the number of ways to choose `k` of `n` cards, for up to 52.
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
