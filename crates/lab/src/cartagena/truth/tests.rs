//! Truth sets, positions with the wins of their leading actions: they are made, stored, and used to score players
//! and networks.

use super::*;
use arena::process::testing::scratch;
use cartagena::belief::{ReplayOptions, replay};
use cartagena::evaluation::{Evaluators, NetworkEvaluator, NetworkFile};
use cartagena::player::{Player, Question};
use engine::store::{Kind, write_table};
use seats::cartagena::players::builtin::{Recipe, recipe_of};
use seats::cartagena::positions;
use seats::cartagena::setups::Setups;
use std::convert::Infallible;
use std::sync::Arc;

fn network(players: usize) -> NetworkEvaluator {
    NetworkEvaluator::new(&NetworkFile::embedded(players).unwrap().network)
}

fn set(players: usize, policy: Policy, positions: usize) -> TruthSet {
    let evaluators = Arc::new(Evaluators::embedded(|line| panic!("{line}")));
    let mut set = TruthSet::new(Plan {
        players,
        leading: 4,
        games: 6,
        policy,
        network: evaluators.for_players(players).fingerprint(),
    });
    let records = positions::of_the_player(&evaluators, players, positions);
    let (one, two) = records.split_at(positions / 2);
    set.extend(&evaluators, &network(players), one);
    set.extend(&evaluators, &network(players), two);
    assert_eq!(set.taken, positions);
    set
}

/// Checks that the positions of a set are consistent, and that it holds only legal actions.
fn check(set: &TruthSet) {
    for case in &set.cases {
        let replay = replay(&case.record, &ReplayOptions::default());
        assert!(replay.inconsistencies.is_empty());
        let state = replay.view.as_seen();
        for valued in &case.actions {
            assert_eq!(replay.game.check(&state, valued.action), Ok(()));
            assert!(valued.wins.iter().all(|&wins| wins <= set.plan.games));
        }
    }
}

#[test]
fn the_leading_actions_are_legal_and_valued() {
    for (players, policy) in [(2, Policy::Greedy), (3, Policy::Turn(2))] {
        let set = set(players, policy, 6);
        assert!(set.cases.len() > 2);
        check(&set);
        let mut leads = set.cases.iter().map(|case| case.actions.len());
        assert!(leads.all(|number| (2..=4).contains(&number)));
        let wins = set.cases.iter().flat_map(|c| &c.actions);
        let wins: u32 = wins.map(|v| v.wins[0] + v.wins[1]).sum();
        assert!(wins > 0);
    }
}

/// With searches, only positions far enough into their game are valued, and the games have other winners than those
/// without.
#[test]
fn searches_value_what_comes_late() {
    let late = |after| set(2, Policy::Search { nodes: 20, after }, 8);
    let (all, late) = (late(14), late(18));
    let late_in_all = all.cases.iter().filter(|c| c.record.moves.len() >= 2 * 18);
    assert!(late_in_all.eq(&late.cases));
    assert!((1..all.cases.len()).contains(&late.cases.len()));
    let wins = |set: &TruthSet| -> Vec<_> {
        let actions = set.cases.iter().flat_map(|c| &c.actions);
        actions.map(|v| v.wins).collect()
    };
    let mut greedy = set(2, Policy::Greedy, 8);
    greedy
        .cases
        .retain(|case| case.record.moves.len() >= 2 * 14);
    assert_eq!(greedy.cases.len(), all.cases.len());
    assert_ne!(wins(&all), wins(&greedy));
}

/// A set is continued only with the positions that it was begun with.
#[test]
fn positions_of_another_search_are_found() {
    let set = set(2, Policy::Greedy, 6);
    let evaluators = Arc::new(Evaluators::embedded(|line| panic!("{line}")));
    let mut records = positions::of_the_player(&evaluators, 2, set.taken);
    assert_eq!(set.first_outside(&records), None);
    let second = &set.cases[1].record;
    records.retain(|record| record != second);
    assert_eq!(set.first_outside(&records), Some(1));
    assert_eq!(set.first_outside(&[]), Some(0));
}

#[test]
fn a_file_holds_the_same_set() {
    let (folder, path) = scratch("some.truth");
    let set = set(3, Policy::Greedy, 4);
    set.write(&path).unwrap();
    assert_eq!(TruthSet::read(&path).unwrap(), set);
    let kinds = [
        Kind::new("network", 1),
        Kind::new("truth", 1),
        Kind::new("truth", 2),
    ];
    for kind in kinds {
        write_table(&path, kind, &vec![1u8; 9]).unwrap();
        let error = TruthSet::read(&path).unwrap_err().to_string();
        assert!(error.contains(&path.display().to_string()), "{error}");
    }
    assert!(TruthSet::read(&folder.path().join("none")).is_err());
}

/// A player that takes the leading action with the most wins, or the fewest.
struct Knowing(Arc<TruthSet>, bool);

impl Player for Knowing {
    fn choose(&mut self, question: &Question) -> Action {
        let same = |case: &&Case| case.record == *question.record;
        let case = self.0.cases.iter().find(same).unwrap();
        let wins = |valued: &&Valued| valued.wins[0] + valued.wins[1];
        let chosen = match self.1 {
            true => case.actions.iter().max_by_key(wins),
            false => case.actions.iter().min_by_key(wins),
        };
        chosen.unwrap().action
    }
}

#[test]
fn who_knows_the_truth_loses_nothing() {
    let mut set = set(2, Policy::Greedy, 6);
    // Both halves of the games are made to agree, so that there is no noise.
    for valued in set.cases.iter_mut().flat_map(|case| &mut case.actions) {
        valued.wins[1] = valued.wins[0];
    }
    let shared = Arc::new(set.clone());
    let loss = |best| -> Vec<f64> {
        let shared = Arc::clone(&shared);
        let recipe: Recipe = Arc::new(move |_| Box::new(Knowing(Arc::clone(&shared), best)));
        lost(&set, &recipe, 2).losses
    };
    assert!(loss(true).iter().all(|&loss| loss == 0.0));
    assert!(loss(false).iter().sum::<f64>() > 0.0);
    let random = lost(&set, &recipe_of("random").unwrap(), 4);
    assert!(random.outside > 0.0 && random.losses.iter().sum::<f64>() > 0.0);
    let phases = losses_by_phase(&set, &random.losses);
    let sum: f64 = phases.iter().map(|p| p.1.mean() * p.0 as f64).sum();
    assert!((sum - random.losses.iter().sum::<f64>()).abs() < 1e-9);

    // A missing answer loses as much as the worst action, and so does an illegal one.
    let network = network(2);
    for answer in [None, Some(Action::Retreat { from: 0, to: 9 })] {
        let ask = |_: u64, _: &Question| Ok::<_, Infallible>(answer);
        let bad = regret(&set, Some(&network), 1, ask).unwrap();
        assert_eq!(bad.losses, loss(false));
        assert_eq!(bad.outside, 1.0);
    }
    assert!(regret(&set, None, 1, |_, _| Err("the machine fails")).is_err());
}

fn lost(set: &TruthSet, recipe: &Recipe, repeats: u64) -> Regret {
    regret(set, None, repeats, |seed, question| {
        Ok::<_, Infallible>(Some(recipe(seed).choose(question)))
    })
    .unwrap()
}

/// The loss of an action does not depend on whether the set holds that action.
#[test]
fn choices_that_a_set_does_not_hold_are_valued() {
    let whole = set(2, Policy::Greedy, 6);
    let mut part = whole.clone();
    // Removes the last action of a case, if there are more than two and it is the best one by neither half.
    for case in &mut part.cases {
        let best = |half: usize| {
            let wins = |&i: &usize| case.actions[i].wins[half];
            (0..case.actions.len()).max_by_key(wins)
        };
        let last = case.actions.len() - 1;
        if last > 1 && best(0) != Some(last) && best(1) != Some(last) {
            case.actions.pop();
        }
    }
    let removed = |i: usize| part.cases[i].actions.len() < whole.cases[i].actions.len();
    assert!((0..whole.cases.len()).any(removed));
    let network = network(2);
    let lost = |set: &TruthSet, network| {
        let ask = |i: u64, _: &Question| {
            let actions = &whole.cases[i as usize].actions;
            Ok::<_, Infallible>(actions.last().map(|valued| valued.action))
        };
        regret(set, network, 1, ask).unwrap()
    };
    let known = lost(&whole, None);
    let found = lost(&part, Some(&network));
    assert_eq!(known.losses, found.losses);
    assert_eq!(known.outside, 0.0);
    assert!(found.outside > 0.0);
}

#[test]
fn errors_of_values_sum_up_over_the_phases() {
    let mut set = set(2, Policy::Greedy, 12);
    // If every action is lost, each predicted value is an error.
    for valued in set.cases.iter_mut().flat_map(|case| &mut case.actions) {
        valued.wins = [0; 2];
    }
    let (phases, all) = value_errors(&set, &network(2));
    let actions: usize = set.cases.iter().map(|case| case.actions.len()).sum();
    assert_eq!(all.actions, actions as u64);
    assert_eq!(phases.iter().map(|p| p.actions).sum::<u64>(), all.actions);
    let weighted: f64 = phases.iter().map(|p| p.bias * p.actions as f64).sum();
    assert!((weighted / actions as f64 - all.bias).abs() < 1e-12);
    assert!(0.0 < all.bias && all.bias <= all.error, "{all:?}");
    assert!(all.difference < all.error, "{all:?}");
    assert_eq!(phase_name(0), "0-5");
    assert_eq!(phase_name(PHASES - 1), "30-");
    assert_eq!(phase_name(PHASES), "all");
}

#[test]
fn every_game_counts_once_a_phase() {
    let setups = Setups::new(3, &[3], 0.0);
    let hoarder = recipe_of("hoarder").unwrap();
    let phases = calibration(&network(3), &hoarder, &setups, 8, 5);
    assert_eq!(phases[0].count(), 8);
    assert_eq!(phases[PHASES].count(), 8);
    let (bias, margin) = (phases[PHASES].mean(), phases[PHASES].margin());
    assert!(
        bias.abs() < 0.4 && margin.is_some_and(|m| m > 0.0 && m < 1.0),
        "{phases:?}"
    );
    let again = calibration(&network(3), &hoarder, &setups, 8, 5);
    assert_eq!(again, phases, "the seed decides");
}

/// The sets of the repository are made for their number of players, are consistent, and hold only legal actions.
#[test]
fn the_sets_of_the_repository_can_be_used() {
    let all = (2..=6).map(|players| (players, players.to_string(), 1800));
    for (players, name, least) in all.chain([(2, "2-late".to_owned(), 230)]) {
        let path = format!("{}/data/cartagena-{name}.truth", env!("CARGO_MANIFEST_DIR"));
        let set = TruthSet::read(path.as_ref()).unwrap();
        assert_eq!(set.plan.players, players);
        assert!(set.cases.len() > least, "{name}: {}", set.cases.len());
        check(&set);
    }
}
