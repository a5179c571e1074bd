//! The input of a network: a position after an action as yes-or-no features, 1,304 of them with two players and
//! 3,096 with six. With two players about a hundred are true at a time; with six players there are more. `layout.rs` has a table of all.
//!
//! The features describe the position from the side of the player who acted; the opponents follow in turn
//! order. Three choices give similar features to positions that are played in a similar way:
//!
//! - Symbols have no identity, as boards are shuffled. A hand appears by its effect on the board: the spaces that it
//!   can reach, the jumps that it gives each pirate, and the places where they end.
//! - Places count by their distance to the boat, so that boards of other lengths look familiar near their end.
//! - Pirates of a player are sorted from the rear, so that equal positions have equal features.
//!
//! Features are bits in words of 64. A pirate has one word, and so has a set of places (a *plane*), so that
//! most groups take a shift and an or. Features use only what the seat may know: its hand, the sizes of the other
//! hands, and everything that is public.
//!
//! Most evaluations are of all actions of one position. So the features of the position before are computed
//! once, and each action yields only the features that it changes (`visit`); the network updates its sums by
//! these (see `probe.rs`).

mod deltas;
mod extractor;
mod layout;
mod masks;
mod own;
mod sorted_places;
mod sprint;
#[cfg(test)]
mod tests;

pub(super) use deltas::FeatureDeltas;
pub use layout::{Field, MAX_WORDS, count, fields, words};

use super::Afterstate;
use crate::rules::{Action, Game};
use extractor::Extractor;
use masks::{BoardMasks, Mask};

/// The version of the features, which must change whenever one of them does: a network trained on other features is
/// of no use.
pub const VERSION: u32 = 1;

/// The true features of a position, as bits. Words beyond those of the game's players are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureSet([u64; MAX_WORDS]);

impl Default for FeatureSet {
    fn default() -> Self {
        FeatureSet([0; MAX_WORDS])
    }
}

impl FeatureSet {
    /// The features of a position.
    #[inline(always)]
    pub fn of(game: &Game, after: &Afterstate) -> FeatureSet {
        // The contest's board fits 64 bits, which halves the work.
        if after.track.boat() <= u64::FARTHEST {
            FeatureSet::extract::<u64>(game, after)
        } else {
            FeatureSet::extract::<u128>(game, after)
        }
    }

    /// The features as words of 64.
    #[inline(always)]
    pub fn words(&self) -> &[u64; MAX_WORDS] {
        &self.0
    }

    /// The set with these words; missing ones are 0.
    ///
    /// # Panics
    /// If there are more than [`MAX_WORDS`].
    pub fn from_words(words: &[u64]) -> FeatureSet {
        let mut set = FeatureSet::default();
        // Stored training samples hold only the words of their game's players.
        set.0[..words.len()].copy_from_slice(words);
        set
    }

    /// The numbers of the true features, ascending.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        // Most words have few bits, so that only set ones are visited.
        self.0
            .iter()
            .enumerate()
            .flat_map(|(word, &bits)| Bits(bits).map(move |bit| 64 * word + bit))
    }

    /// As [`FeatureSet::of`], with masks of one width.
    #[inline(always)]
    fn extract<M: Mask>(game: &Game, after: &Afterstate) -> FeatureSet {
        // The board's masks are made anew each time. This takes six conversions, and so the game need not hold them.
        let board = BoardMasks::<M>::of(game);
        Extractor::new(after, &board).set
    }
}

/// Receives the features of a position, and then for each action of one player the features that it changes.
pub(super) trait Visitor {
    /// The features before the actions. The visitor may overwrite `scratch`.
    fn before(&mut self, set: &FeatureSet, scratch: &mut FeatureDeltas);
    /// The changes by the next action; none if the action wins.
    fn after(&mut self, deltas: Option<&FeatureDeltas>);
}

/// Shows a visitor the features of a position with no draw pending, and the changes by each action of the seat.
///
/// The changes lead from [`FeatureSet::of`] the position before to that of the position after the action, before
/// its draw is seen. `deltas` is overwritten.
#[inline(always)]
pub(super) fn visit(
    game: &Game,
    before: &Afterstate,
    actions: &[Action],
    deltas: &mut FeatureDeltas,
    visitor: &mut impl Visitor,
) {
    // Both widths give the same features. The branch depends on the board alone, so it is predictable.
    if before.track.boat() <= u64::FARTHEST {
        visit_wide::<u64>(game, before, actions, deltas, visitor);
    } else {
        visit_wide::<u128>(game, before, actions, deltas, visitor);
    }
}

/// As [`visit`], with masks of one width.
#[inline(always)]
fn visit_wide<M: Mask>(
    game: &Game,
    before: &Afterstate,
    actions: &[Action],
    deltas: &mut FeatureDeltas,
    visitor: &mut impl Visitor,
) {
    let board = BoardMasks::<M>::of(game);
    // Everything that does not depend on the action is computed here, once.
    let extractor = Extractor::new(before, &board);
    visitor.before(&extractor.set, deltas);
    for &action in actions {
        // A position that is won has no features.
        let wins = extractor.deltas(action, deltas);
        visitor.after((!wins).then_some(deltas));
    }
}

/// The numbers of the bits that are set, ascending.
pub(super) struct Bits(pub(super) u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        // x & (x − 1) clears the lowest set bit.
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}
