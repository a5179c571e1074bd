//! The quality of choices, for `lab cartagena bench --choices`: the loss of players' actions against a far longer
//! search, in positions of the package's player. It compares two settings of a search with a hundredth of the work
//! of a match. Settings that change what a rollout is cannot be compared: the longer search has the default rollouts.

use super::{search, step};
use crate::cartagena::players::builtin::Recipe;
use cartagena::belief::{ReplayOptions, replay};
use cartagena::boards;
use cartagena::evaluation::Evaluators;
use cartagena::player::Question;
use cartagena::player::searcher::Searcher;
use cartagena::record::GameRecord;
use cartagena::rules::{ActionList, Game};
use cartagena::search::Settings;
use cartagena::world::World;
use engine::budget::Limits;
use engine::rng;
use std::sync::Arc;

/// Number of actions between two positions of a game, so that positions differ.
const APART: usize = 7;
/// Nodes of the search for each action of the games.
const GAME_NODES: u64 = 1000;

/// Positions with a choice, from games of the player against itself with deals of 3 and 6.
pub fn positions(evaluators: &Arc<Evaluators>, players: usize, count: usize) -> Vec<GameRecord> {
    let mut found = Vec::new();
    let limits = Limits {
        time: None,
        nodes: Some(GAME_NODES),
    };
    for number in 0.. {
        let mut rng = rng::stream(0x00C4_01CE, number);
        let game = Game::new(boards::standard(&mut rng), players);
        let deal = if number % 2 == 0 { 3 } else { 6 };
        let mut world = World::deal(&game, deal, rng);
        let settings = Settings {
            seed: number,
            ..Settings::default()
        };
        let mut player = Searcher::new(Arc::clone(evaluators), limits, settings).without_cache();
        let mut moves = Vec::new();
        let mut legal = ActionList::new();
        while world.state().winner().is_none() {
            let state = *world.state();
            let record = GameRecord::of_state(&game, &state, moves.clone());
            game.legal_actions(&state, &mut legal);
            // The offset differs between games, so all moments of a game occur.
            if moves.len() % APART == number as usize % APART && legal.len() > 1 {
                found.push(record.clone());
                if found.len() == count {
                    return found;
                }
            }
            step(&game, &mut world, &record, &mut moves, &mut player);
        }
    }
    found
}

/// The value of each legal action by a long search, in the order of legal actions.
pub fn reference(evaluators: &Evaluators, record: &GameRecord, nodes: u64) -> Vec<f64> {
    let replay = replay(record, &ReplayOptions::default());
    let mut settings = Settings {
        seed: 0x5EED,
        // Exploring bad continuations would lower the value of an action.
        exploration: 0.0,
        ..Settings::default()
    };
    // No candidate is dropped because it is clearly behind.
    settings.rule.confidence = f64::INFINITY;
    let evaluator = &**evaluators.for_players(record.players);
    let report = search(evaluator, record, &replay, nodes, settings);
    // Actions that the search left out are at best as good as its worst candidate.
    let worst = report
        .candidates
        .iter()
        .map(|c| c.chance)
        .fold(1.0, f64::min);
    let mut legal = ActionList::new();
    let view = &replay.view;
    replay
        .game
        .actions(&view.track, view.seat, view.hand, &mut legal);
    let chance = |action| {
        let found = report.candidates.iter().find(|c| c.action == action);
        found.map_or(worst, |c| c.chance)
    };
    legal.iter().map(|&action| chance(action)).collect()
}

/// The loss of a recipe's players in a position, the mean over `repeats` seeds.
pub fn loss(recipe: &Recipe, record: &GameRecord, values: &[f64], repeats: u64) -> f64 {
    let replay = replay(record, &ReplayOptions::default());
    let mut legal = ActionList::new();
    let view = &replay.view;
    replay
        .game
        .actions(&view.track, view.seat, view.hand, &mut legal);
    let best = values.iter().copied().fold(0.0, f64::max);
    let mut sum = 0.0;
    for seed in 0..repeats {
        let action = recipe(seed).choose(&Question {
            game: &replay.game,
            record,
            view,
            open: None,
        });
        let chosen = legal.iter().position(|&a| a == action);
        sum += best - chosen.map_or(0.0, |i| values[i]);
    }
    sum / repeats as f64
}
