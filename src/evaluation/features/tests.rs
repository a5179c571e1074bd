//! Laws that the features of any position obey.

use super::*;
use crate::evaluation::Afterstate;
use crate::evaluation::testing::{self, Position};
use crate::view::View;
use proptest::prelude::*;

/// Collects the set before and, by applying the deltas, the sets after each action.
#[derive(Default)]
struct Applied {
    before: FeatureSet,
    after: Vec<Option<FeatureSet>>,
}

impl Visitor for Applied {
    fn before(&mut self, set: &FeatureSet, _: &mut FeatureDeltas) {
        self.before = *set;
    }

    fn after(&mut self, deltas: Option<&FeatureDeltas>) {
        self.after.push(deltas.map(|deltas| {
            let mut set = self.before;
            for (list, was) in [(deltas.added(), false), (deltas.removed(), true)] {
                for &feature in list {
                    // Feature 64 · w + b is bit b of word w.
                    let (word, bit) = (usize::from(feature) / 64, 1 << (feature % 64));
                    assert_eq!(set.0[word] & bit != 0, was, "feature {feature}");
                    set.0[word] ^= bit;
                }
            }
            set
        }));
    }
}

proptest! {
    /// True features are listed in ascending order, each is in a group, and no group has more than its `most`.
    #[test]
    fn features_are_in_their_fields(position in testing::positions()) {
        for after in position.afters() {
            let set = FeatureSet::of(&position.game, &after);
            let list: Vec<usize> = set.iter().collect();
            prop_assert!(list.is_sorted());
            let mut grouped = 0;
            for field in fields(position.game.players) {
                let own = field.start..field.start + field.len;
                let true_ones = list.iter().filter(|&feature| own.contains(feature)).count();
                prop_assert!(true_ones <= field.most, "{field:?} has {true_ones}");
                grouped += true_ones;
            }
            prop_assert_eq!(grouped, list.len(), "a feature outside all groups");
            prop_assert!(set.0[words(position.game.players)..].iter().all(|&word| word == 0));
        }
    }

    /// Masks of both widths give the same features.
    #[test]
    fn both_widths_agree(position in testing::positions()) {
        prop_assume!(position.game.board.boat() <= u64::FARTHEST);
        for after in position.afters() {
            prop_assert_eq!(
                FeatureSet::extract::<u64>(&position.game, &after),
                FeatureSet::extract::<u128>(&position.game, &after)
            );
        }
    }

    /// The deltas of an action lead to the features after it, and no feature is added or removed twice.
    #[test]
    fn deltas_lead_to_the_features_after_the_action(position in testing::positions()) {
        let before = Afterstate::before(position.world.state());
        let mut applied = Applied::default();
        visit(&position.game, &before, &position.actions, &mut FeatureDeltas::default(), &mut applied);
        if position.game.board.boat() <= u64::FARTHEST {
            let mut wide = Applied::default();
            visit_wide::<u128>(&position.game, &before, &position.actions, &mut FeatureDeltas::default(), &mut wide);
            prop_assert_eq!(&applied.after, &wide.after);
        }
        prop_assert_eq!(applied.before, FeatureSet::of(&position.game, &before));
        prop_assert_eq!(applied.after.len(), position.actions.len());
        for (&action, set) in position.actions.iter().zip(applied.after) {
            let after = before.then(action);
            let fresh = (!after.won()).then(|| FeatureSet::of(&position.game, &after));
            prop_assert_eq!(set, fresh, "{}", action);
        }
    }

    /// Only what the seat sees counts: its view gives the same features as the open state, and so does another deal
    /// of the other hands and the pile.
    #[test]
    fn nothing_hidden_leaks(position in testing::positions()) {
        let state = position.world.state();
        let view = View::of(state, state.to_move as usize);
        let redealt = position.redealt();
        for &action in &position.actions {
            let [a, b, c] = [
                Afterstate::before(state).then(action),
                Afterstate::before_view(&view).then(action),
                Afterstate::before(&redealt).then(action),
            ]
            .map(|after| FeatureSet::of(&position.game, &after));
            prop_assert_eq!(a, b);
            prop_assert_eq!(a, c);
        }
    }

    /// The names of the symbols do not matter: other names on board and cards give the same features.
    #[test]
    fn names_do_not_matter(position in testing::positions(), seed: u64) {
        let renamed: Position = position.renamed(seed);
        for (one, other) in position.afters().zip(renamed.afters()) {
            prop_assert_eq!(
                FeatureSet::of(&position.game, &one),
                FeatureSet::of(&renamed.game, &other)
            );
        }
    }
}
