//! What a truth set says of networks and players.

use super::{Case, TruthSet};
use crate::cartagena::players::builtin::Recipe;
use arena::stats::Mean;
use cartagena::belief::{ReplayOptions, replay};
use cartagena::evaluation::{Afterstate, Evaluator};
use cartagena::player::Question;
use cartagena::record::GameRecord;
use rayon::prelude::*;

/// Phases of a game: six of each player's actions each, the last open.
pub const PHASES: usize = 6;
const PHASE_ACTIONS: usize = 6;

/// How far an evaluator's values of the leading actions are off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ValueErrors {
    /// Actions valued.
    pub actions: u64,
    /// Mean of value less truth.
    pub bias: f64,
    /// Root of the mean square of value less truth, the noise of the truth taken out.
    pub error: f64,
    /// The same of the differences between the best two actions of a position.
    pub difference: f64,
}

/// What a player's choices lose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Regret {
    /// For each position what was lost, on average over the repeats.
    pub losses: Vec<f64>,
    /// The share of choices that are none of the leading actions; they count as the worst of them.
    pub outside: f64,
}

/// The errors of an evaluator without look-ahead, by the phase of the game and in all.
pub fn value_errors(
    set: &TruthSet,
    evaluator: &dyn Evaluator,
) -> ([ValueErrors; PHASES], ValueErrors) {
    let rows: Vec<Row> = set
        .cases
        .par_iter()
        .map(|case| Row::of(set, case, evaluator))
        .collect();
    let phases = std::array::from_fn(|phase| errors(rows.iter().filter(|row| row.phase == phase)));
    (phases, errors(rows.iter()))
}

/// What a position adds.
struct Row {
    phase: usize,
    /// Value less truth, by either half, of every action.
    errors: Vec<[f64; 2]>,
}

impl Row {
    fn of(set: &TruthSet, case: &Case, evaluator: &dyn Evaluator) -> Row {
        let replay = replay(&case.record, &ReplayOptions::default());
        let before = Afterstate::before_view(&replay.view);
        let errors = case.actions.iter().map(|valued| {
            let after = before.then(valued.action);
            let value = match after.won() {
                true => 1.0,
                false => f64::from(evaluator.own_chance(&replay.game, &after)),
            };
            [0, 1].map(|half| value - valued.chance(half, &set.plan))
        });
        Row {
            phase: phase(&case.record),
            errors: errors.collect(),
        }
    }
}

/// A phase as the actions that each player has taken before: `0-5`, …, `30-`; `all` beyond the last.
pub fn phase_name(phase: usize) -> String {
    let first = phase * PHASE_ACTIONS;
    match phase + 1 {
        PHASES => format!("{first}-"),
        next if next < PHASES => format!("{first}-{}", next * PHASE_ACTIONS - 1),
        _ => "all".to_owned(),
    }
}

/// The phase of the game that a position is in.
pub(super) fn phase(record: &GameRecord) -> usize {
    let actions = record.moves.len() / record.players;
    (actions / PHASE_ACTIONS).min(PHASES - 1)
}

fn errors<'a>(rows: impl Iterator<Item = &'a Row>) -> ValueErrors {
    let (mut bias, mut square, mut difference) = <(Mean, Mean, Mean)>::default();
    for row in rows {
        for [one, two] in &row.errors {
            bias.push((one + two) / 2.0);
            // The noise of the halves is independent: its product is 0 on average.
            square.push(one * two);
        }
        let [best, second] = [row.errors[0], row.errors[1]];
        difference.push((best[0] - second[0]) * (best[1] - second[1]));
    }
    ValueErrors {
        actions: bias.count(),
        bias: bias.mean(),
        error: square.mean().max(0.0).sqrt(),
        difference: difference.mean().max(0.0).sqrt(),
    }
}

/// What the players made by a recipe lose, each position played `repeats` times with its own seeds.
pub fn regret(set: &TruthSet, recipe: &Recipe, repeats: u64) -> Regret {
    let rows: Vec<(f64, u64)> = set
        .cases
        .par_iter()
        .enumerate()
        .map(|(i, case)| {
            let replay = replay(&case.record, &ReplayOptions::default());
            let (mut sum, mut outside) = (0.0, 0);
            for repeat in 0..repeats {
                let action = recipe(i as u64 * repeats + repeat).choose(&Question {
                    game: &replay.game,
                    record: &case.record,
                    view: &replay.view,
                });
                let chosen = case.actions.iter().position(|v| v.action == action);
                outside += u64::from(chosen.is_none());
                sum += (loss(set, case, chosen, 0) + loss(set, case, chosen, 1)) / 2.0;
            }
            (sum / repeats as f64, outside)
        })
        .collect();
    let outside: u64 = rows.iter().map(|row| row.1).sum();
    Regret {
        outside: outside as f64 / (rows.len() as u64 * repeats).max(1) as f64,
        losses: rows.into_iter().map(|row| row.0).collect(),
    }
}

/// What a choice loses against the action that is best by one half, by the other half.
fn loss(set: &TruthSet, case: &Case, chosen: Option<usize>, half: usize) -> f64 {
    let chance = |i: usize| case.actions[i].chance(1 - half, &set.plan);
    let all = 0..case.actions.len();
    let wins = |&i: &usize| case.actions[i].wins[half];
    let best = all.clone().max_by_key(wins).unwrap_or_default();
    let worst = || all.min_by_key(wins).unwrap_or_default();
    chance(best) - chance(chosen.unwrap_or_else(worst))
}
