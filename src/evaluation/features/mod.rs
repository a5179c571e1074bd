//! What a network sees of a position after an action: a few hundred yes-or-no features, about a
//! hundred of them true at a time.
//!
//! Everything is seen from the player who acted, and the opponents follow in turn order. Symbols
//! never appear by name, for boards are shuffled: the hand is laid onto the track instead, as the
//! spaces it can reach, the jumps it gives each pirate and the places where they end. Places count
//! by their distance to the boat, so that boards of other lengths look familiar near their end.
//!
//! Features stand in words of 64, a pirate's or a plane's in one word, so that most groups are a
//! shift and an or. Only what the seat may know is used: its hand, the sizes of the other hands,
//! and what lies open.

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

/// Changes whenever a feature does: a network trained on other features is of no use.
pub const VERSION: u32 = 1;

/// The features that are true, as bits; those of words the number of players has no use for are 0.
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

    /// The features of such words; those that are missing are 0.
    ///
    /// # Panics
    /// If there are more than [`MAX_WORDS`].
    pub fn from_words(words: &[u64]) -> FeatureSet {
        let mut set = FeatureSet::default();
        set.0[..words.len()].copy_from_slice(words);
        set
    }

    /// The numbers of the true features, ascending.
    #[inline(always)]
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

    #[inline(always)]
    fn extract<M: Mask>(game: &Game, after: &Afterstate) -> FeatureSet {
        let board = BoardMasks::<M>::of(game);
        Extractor::new(after, &board).set
    }
}

/// Receives the features of a position and what the actions of one player change about them.
pub(super) trait Visitor {
    /// The features before the actions; `scratch` is free to be used.
    fn before(&mut self, set: &FeatureSet, scratch: &mut FeatureDeltas);
    /// What the next of the actions changes; none if it wins.
    fn after(&mut self, deltas: Option<&FeatureDeltas>);
}

/// The features of a position with no draw pending, and what each action of the seat changes.
///
/// For every action the visitor receives how [`FeatureSet::of`] after it, before what it draws is
/// seen, differs from the one before. `deltas` is overwritten.
#[inline(always)]
pub(super) fn visit(
    game: &Game,
    before: &Afterstate,
    actions: &[Action],
    deltas: &mut FeatureDeltas,
    visitor: &mut impl Visitor,
) {
    if before.track.boat() <= u64::FARTHEST {
        visit_wide::<u64>(game, before, actions, deltas, visitor);
    } else {
        visit_wide::<u128>(game, before, actions, deltas, visitor);
    }
}

#[inline(always)]
fn visit_wide<M: Mask>(
    game: &Game,
    before: &Afterstate,
    actions: &[Action],
    deltas: &mut FeatureDeltas,
    visitor: &mut impl Visitor,
) {
    let board = BoardMasks::<M>::of(game);
    let extractor = Extractor::new(before, &board);
    visitor.before(&extractor.set, deltas);
    for &action in actions {
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
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}
