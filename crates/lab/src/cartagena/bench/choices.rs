//! The quality of choices, for `lab cartagena bench --choices`: the loss of players' actions against a far longer
//! search, in positions of the package's player. It compares two settings of a search with a hundredth of the work
//! of a match. Settings that change what a rollout is cannot be compared: the longer search has the default rollouts.

use super::search;
use cartagena::belief::{ReplayOptions, replay};
use cartagena::evaluation::Evaluators;
use cartagena::record::GameRecord;
use cartagena::search::Settings;
use seats::cartagena::players::builtin::Recipe;
use seats::cartagena::{legal, question};

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
    let chance = |action| {
        let found = report.candidates.iter().find(|c| c.action == action);
        found.map_or(worst, |c| c.chance)
    };
    let legal = legal(&replay.game, &replay.view);
    legal.into_iter().map(chance).collect()
}

/// The loss of a recipe's players in a position, the mean over `repeats` seeds.
pub fn loss(recipe: &Recipe, record: &GameRecord, values: &[f64], repeats: u64) -> f64 {
    let replay = replay(record, &ReplayOptions::default());
    let legal = legal(&replay.game, &replay.view);
    let best = values.iter().copied().fold(0.0, f64::max);
    let mut sum = 0.0;
    for seed in 0..repeats {
        let action = recipe(seed).choose(&question(record, &replay));
        let chosen = legal.iter().position(|&a| a == action);
        sum += best - chosen.map_or(0.0, |i| values[i]);
    }
    sum / repeats as f64
}
