//! The search as a whole, mostly with simple evaluators in place of a network: it repeats, has every legal action
//! as a candidate, and saves what a later action of the turn can use.

use super::*;
use crate::belief::{Replay, ReplayOptions, replay};
use crate::evaluation::{Afterstate, Chances};
use crate::notation;
use crate::opponents::Opponents;
use crate::record::GameRecord;
use crate::rules::{ActionList, Cards, MAX_PLAYERS};
use engine::budget::Limits;
use engine::rng::below;
use engine::store::{Key as CacheKey, Kind, Store};
use std::collections::HashSet;

mod endings;

/// A player's chance grows with its cards and with the places that the others still have to go.
struct Pips;

impl Evaluator for Pips {
    fn chances(&self, game: &Game, after: &Afterstate) -> Chances {
        let mut chances = [0.0; MAX_PLAYERS];
        let players = 0..game.players;
        let sum: u32 = players.clone().map(|p| after.track.pips(p)).sum();
        for player in players {
            let cards = u32::from(after.hand_sizes[player]) + u32::from(after.draws);
            let ahead = sum - after.track.pips(player) + 5 * cards;
            chances[player] = ahead as f32 / (2 * sum + 500) as f32;
        }
        chances
    }

    fn fingerprint(&self) -> u64 {
        1
    }
}

/// Gives every position the chance 0, so that only wins that the search finds count.
struct Blind;

impl Evaluator for Blind {
    fn chances(&self, _: &Game, _: &Afterstate) -> Chances {
        [0.0; MAX_PLAYERS]
    }

    fn fingerprint(&self) -> u64 {
        2
    }
}

/// Gives the player who acted a fixed chance, as a broken network or one rounded to 1 could.
struct Sure(f32);

impl Evaluator for Sure {
    fn chances(&self, _: &Game, after: &Afterstate) -> Chances {
        let mut chances = [0.0; MAX_PLAYERS];
        chances[after.seat] = self.0;
        chances
    }

    fn fingerprint(&self) -> u64 {
        3
    }
}

fn budget(nodes: Option<u64>) -> Budget {
    Budget::start(Limits { time: None, nodes })
}

fn replays() -> Vec<Replay> {
    let replay = |record: &GameRecord| replay(record, &ReplayOptions::default());
    // The positions that the bench searches; a test of the crate `lab` writes this file.
    let text = include_str!("../../tests/data/cartagena/bench-positions.golden");
    let positions = text.split_terminator("\n\n");
    positions
        .map(|text| replay(&notation::parse(text.as_bytes()).unwrap()))
        .collect()
}

fn root(replay: &Replay) -> OwnTurn {
    OwnTurn {
        view: replay.view,
        pool: replay.belief.draw_pool(),
    }
}

fn search(replay: &Replay, seed: u64, nodes: u64, pool: Option<&rayon::ThreadPool>) -> Report {
    let budget = budget(Some(nodes));
    let search = Search {
        game: &replay.game,
        view: &replay.view,
        belief: &replay.belief,
        opponents: &Opponents::default,
        evaluator: &Pips,
        budget: &budget,
        settings: Settings {
            seed,
            ..Settings::default()
        },
        pool,
    };
    search.run(&SavedTurn::NOTHING, &Best::default())
}

/// Expectimax alone, without a limit.
fn expectimax(game: &Game, own: &OwnTurn, evaluator: &impl Evaluator) -> (Tree, Looked) {
    let budget = budget(None);
    let turn = TurnSearch {
        game,
        evaluator,
        budget: &budget,
        width: Settings::default().width,
        allow_pass: false,
        parallel: false,
    };
    turn.run(own, &Best::default())
}

#[test]
fn the_same_seed_and_nodes_give_the_same_report() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3);
    let pool = pool.build().unwrap();
    let mut seeds_matter = false;
    for replay in replays().iter().step_by(3) {
        let first = search(replay, 7, 3000, None);
        for again in [
            search(replay, 7, 3000, None),
            search(replay, 7, 3000, Some(&pool)),
        ] {
            assert_eq!(first.action, again.action);
            assert_eq!(first.candidates, again.candidates);
            assert_eq!(
                (first.expectimax, first.nodes),
                (again.expectimax, again.nodes)
            );
            assert_eq!(first.tree, again.tree);
        }
        seeds_matter |= first.candidates != search(replay, 8, 3000, None).candidates;
    }
    assert!(seeds_matter);
}

#[test]
fn every_legal_action_is_a_candidate_once() {
    for replay in replays() {
        let report = search(&replay, 1, 2000, None);
        let mut legal = ActionList::new();
        let view = &replay.view;
        replay
            .game
            .actions(&view.track, view.seat, view.hand, &mut legal);
        assert_eq!(report.candidates.len(), legal.len());
        assert_eq!(report.candidates[0].action, report.action);
        for (i, candidate) in report.candidates.iter().enumerate() {
            assert!(legal.contains(&candidate.action));
            let others = &report.candidates[..i];
            assert!(others.iter().all(|other| other.action != candidate.action));
            assert!((0.0..=1.0).contains(&candidate.chance), "{candidate:?}");
        }
    }
}

/// Actions in different orders lead to one position of the tree.
#[test]
fn orders_of_the_same_actions_meet() {
    let mut merged = 0;
    for replay in replays() {
        let own = root(&replay);
        let (tree, looked) = expectimax(&replay.game, &own, &Pips);
        if looked.depth < 3 {
            continue;
        }
        let mut met = HashSet::new();
        merged += sequences(&own, &tree, &mut met) - met.len();
    }
    assert!(merged > 100, "only {merged}");
}

/// The positions of the same turn to which an action can lead.
fn reached(own: &OwnTurn, action: Action) -> Vec<OwnTurn> {
    let draws = match action {
        Action::Retreat { to, .. } => own.view.draws(to),
        _ => 0,
    };
    let outcomes = own.pool.outcomes(own.view.discards, draws);
    let goes_on = own.view.taken < 2 && action != Action::Pass;
    let outcomes = outcomes.into_iter().filter(|_| goes_on);
    outcomes
        .map(|(drawn, _)| own.after(action, drawn))
        .collect()
}

/// The number of sequences of actions that lead from a position to positions of the tree. Collects these positions
/// in `met`.
fn sequences(own: &OwnTurn, tree: &Tree, met: &mut HashSet<Key>) -> usize {
    let mut sum = 0;
    for edge in &tree.get(&Key::of(&own.view)).unwrap().edges {
        for next in reached(own, edge.action) {
            let key = Key::of(&next.view);
            if tree.get(&key).is_some() {
                met.insert(key);
                sum += 1 + sequences(&next, tree, met);
            }
        }
    }
    sum
}

#[test]
fn what_is_saved_is_what_can_still_be_reached() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path());
    let cache_key = CacheKey {
        kind: Kind::new("test", 1),
        fingerprint: 0,
        id: 0,
    };
    let mut kept = 0;
    for replay in &replays() {
        let report = search(replay, 1, 20_000, None);
        let own = root(replay);
        let saved = SavedTurn::after(&report.tree, &own, report.action);
        store.save(&cache_key, &saved).unwrap();
        assert!(store.load(&cache_key).unwrap() == Some(saved.clone()));
        // After each possible draw the saved turn has exactly the rollouts that the tree had from there on.
        for next in reached(&own, report.action) {
            let (mut tree, _) = expectimax(&replay.game, &next, &Pips);
            saved.recall(&mut tree);
            let trials = |tree: &Tree| -> u32 {
                let node = tree.get(&Key::of(&next.view));
                let edges = node.into_iter().flat_map(|node| &node.edges);
                edges.map(|edge| edge.visits).sum()
            };
            assert_eq!(trials(&tree), trials(&report.tree));
            kept += trials(&tree);
        }
        assert_eq!(
            report.tree.get(&Key::of(&own.view)),
            Some(report.tree.root())
        );
    }
    assert!(kept > 0);
}

/// Candidates may share the play that follows the turn. This changes no value and saves work.
#[test]
fn candidates_on_a_common_world_are_worth_what_they_are_alone() {
    let mut spared = 0;
    for replay in replays() {
        let own = root(&replay);
        let (tree, _) = expectimax(&replay.game, &own, &Pips);
        let node = tree.root();
        let firsts = || node.edges.iter().map(|edge| edge.action);
        let plan = Plan {
            exploration: 0.05,
            levels: 2,
            trust: [0.5; LEVELS],
        };
        let mut rollouts = Rollouts::new(&replay.game, Pips.probe(), &tree, own.view.seat, plan);
        let styles = Default::default();
        for number in 0..3 {
            let world = replay.belief.sample(&replay.view, &mut stream(number, 0));
            let together = rollouts.run(&world, styles, firsts());
            for (first, together) in firsts().zip(together) {
                let [alone] = &rollouts.run(&world, styles, std::iter::once(first))[..] else {
                    panic!("one outcome for one action");
                };
                assert_eq!(alone.value.to_bits(), together.value.to_bits());
                assert_eq!(alone.steps, together.steps);
                spared += alone.nodes - together.nodes;
            }
        }
    }
    assert!(spared > 0);
}
