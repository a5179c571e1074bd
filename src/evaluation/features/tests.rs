//! Laws of the features.

use super::*;
use crate::evaluation::Afterstate;
use crate::evaluation::testing::{self, Position};
use crate::view::View;
use proptest::prelude::*;

/// The sets that changes lead to.
#[derive(Default)]
struct Applied {
    before: FeatureSet,
    after: Vec<Option<FeatureSet>>,
}

impl Visitor for Applied {
    fn before(&mut self, set: &FeatureSet, _: &mut Changes) {
        self.before = *set;
    }

    fn after(&mut self, changes: Option<&Changes>) {
        self.after.push(changes.map(|changes| {
            let mut set = self.before;
            for (list, was) in [(changes.added(), false), (changes.removed(), true)] {
                for &feature in list {
                    assert_eq!(set.contains(feature.into()), was, "feature {feature}");
                    set.0[usize::from(feature) / 64] ^= 1 << (feature % 64);
                }
            }
            set
        }));
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
            prop_assert!(set.0[words(position.game.players)..].iter().all(|&word| word == 0));
        }
    }

    /// Both widths of masks see the same.
    #[test]
    fn both_widths_agree(position in testing::positions()) {
        prop_assume!(position.game.board.boat() <= u64::FARTHEST);
        for after in position.afters() {
            let situation = after.situation(&position.game);
            prop_assert_eq!(
                FeatureSet::extract::<u64>(&situation),
                FeatureSet::extract::<u128>(&situation)
            );
        }
    }

    /// What an action is said to change is what it changes, and no feature is named twice.
    #[test]
    fn changes_lead_to_what_follows(position in testing::positions()) {
        let before = Afterstate::before(position.world.state());
        let mut applied = Applied::default();
        visit(&before.situation(&position.game), &position.actions, &mut Changes::default(), &mut applied);
        if position.game.board.boat() <= u64::FARTHEST {
            let mut wide = Applied::default();
            visit_wide::<u128>(&before.situation(&position.game), &position.actions, &mut Changes::default(), &mut wide);
            prop_assert_eq!(&applied.after, &wide.after);
        }
        prop_assert_eq!(applied.before, FeatureSet::of(&before.situation(&position.game)));
        prop_assert_eq!(applied.after.len(), position.actions.len());
        for (&action, set) in position.actions.iter().zip(applied.after) {
            let after = before.then(action);
            let fresh = (!after.won()).then(|| FeatureSet::of(&after.situation(&position.game)));
            prop_assert_eq!(set, fresh, "{}", action);
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
