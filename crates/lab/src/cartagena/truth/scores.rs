//! Scores by a truth set, for `lab cartagena truth score`: the errors of a network's values, and the losses of a
//! player's choices.

use super::rollouts::valued;
use super::{Case, TruthSet, Valued};
use arena::stats::{Blocks, Mean};
use cartagena::belief::{ReplayOptions, replay};
use cartagena::evaluation::{Afterstate, Evaluator, NetworkEvaluator};
use cartagena::player::Question;
use cartagena::record::GameRecord;
use cartagena::rules::Action;
use rayon::prelude::*;
use seats::cartagena::positions::by_game;
use seats::cartagena::question;

/// Number of phases of a game. Each has six actions of each player; the last lasts to the end of the game.
pub const PHASES: usize = 6;
/// Length of a phase in actions of each player.
const PHASE_ACTIONS: usize = 6;

/// The errors of an evaluator's values of the leading actions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ValueErrors {
    /// Number of values compared.
    pub actions: u64,
    /// Mean of value less truth.
    pub bias: f64,
    /// Root of the mean square of value less truth; the noise of the truth is taken out.
    pub error: f64,
    /// The same root for the difference between the values of a position's best two actions.
    pub difference: f64,
}

/// The loss of a player's choices, in chances to win.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Regret {
    /// For each position, the loss averaged over the repeats.
    pub losses: Vec<f64>,
    /// The share of choices that are not among the leading actions.
    pub outside: f64,
}

/// The errors of an evaluator without look-ahead, by phase, and over all positions.
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

/// The errors in one position.
struct Row {
    phase: usize,
    /// Value less truth for every action, with the truth of either half.
    errors: Vec<[f64; 2]>,
}

impl Row {
    /// Compares an evaluator's values, without looking ahead, with those of a position of the set.
    fn of(set: &TruthSet, case: &Case, evaluator: &dyn Evaluator) -> Row {
        let replay = replay(&case.record, &ReplayOptions::default());
        let before = Afterstate::before_view(&replay.view);
        let errors = case.actions.iter().map(|valued| {
            let after = before.then(valued.action);
            // A won position is never asked about: its value is 1.
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

/// The name of a phase by the number of actions that each player has taken before: `0-5`, …, `30-`; `all` for the
/// number after the last phase, which stands for the whole game.
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

/// Bias, error and error of differences over some positions.
fn errors<'a>(rows: impl Iterator<Item = &'a Row>) -> ValueErrors {
    let (mut bias, mut square, mut difference) = <(Mean, Mean, Mean)>::default();
    for row in rows {
        for [one, two] in &row.errors {
            bias.push((one + two) / 2.0);
            // With `e` the true error and independent noises `n₁`, `n₂` of the halves, the
            // expectation of `(e + n₁)(e + n₂)` is `e²`. The square of one half would add the
            // variance of its noise.
            square.push(one * two);
        }
        // Likewise for the difference of the first two actions.
        let [best, second] = [row.errors[0], row.errors[1]];
        difference.push((best[0] - second[0]) * (best[1] - second[1]));
    }
    ValueErrors {
        actions: bias.count(),
        bias: bias.mean(),
        // A small error may have a negative estimate.
        error: square.mean().max(0.0).sqrt(),
        difference: difference.mean().max(0.0).sqrt(),
    }
}

/// The loss of a player's choices. The player is asked about each position `repeats` times, with
/// another seed each time.
///
/// A choice that is not among the leading actions is valued in the same way by the network, which must
/// be the plan's: the same actions can often be played in more orders than a set holds. Without a
/// network, or without a legal answer, the choice loses as much as the worst of the leading ones.
///
/// # Errors
/// The first error of `ask`.
pub fn regret<E: Send>(
    set: &TruthSet,
    network: Option<&NetworkEvaluator>,
    repeats: u64,
    ask: impl Fn(u64, &Question) -> Result<Option<Action>, E> + Sync,
) -> Result<Regret, E> {
    let rows: Vec<(f64, u64)> = set
        .cases
        .par_iter()
        .enumerate()
        .map(|(i, case)| {
            let replay = replay(&case.record, &ReplayOptions::default());
            let question = question(&case.record, &replay);
            let state = replay.view.as_seen();
            // Values of other choices are kept for the repeats: valuing one takes thousands of
            // games.
            let mut known = case.actions.clone();
            let (mut sum, mut outside) = (0.0, 0);
            for repeat in 0..repeats {
                // An illegal answer counts as none.
                let legal = |&action: &Action| replay.game.check(&state, action).is_ok();
                let action = ask(i as u64 * repeats + repeat, &question)?.filter(legal);
                // The choice may have a value already, in the set or from an earlier repeat.
                let is_it = |valued: &&Valued| Some(valued.action) == action;
                outside += u64::from(!case.actions.iter().any(|valued| is_it(&valued)));
                let mut chosen = known.iter().find(is_it).copied();
                if let (None, Some(action), Some(network)) = (chosen, action, network) {
                    known.extend(valued(&set.plan, network, &case.record, &replay, &[action]));
                    chosen = known.last().copied();
                }
                // One half of the games selects the best action, the other values it; both directions are averaged.
                sum += (loss(set, case, chosen, 0) + loss(set, case, chosen, 1)) / 2.0;
            }
            Ok((sum / repeats as f64, outside))
        })
        .collect::<Result<_, E>>()?;
    let outside: u64 = rows.iter().map(|row| row.1).sum();
    Ok(Regret {
        outside: outside as f64 / (rows.len() as u64 * repeats).max(1) as f64,
        losses: rows.into_iter().map(|row| row.0).collect(),
    })
}

/// The number of positions in each phase with their mean loss, from the losses in all positions of the set.
pub fn losses_by_phase(set: &TruthSet, losses: &[f64]) -> [(usize, Blocks); PHASES] {
    std::array::from_fn(|wanted| {
        let all = set.cases.iter().zip(losses.iter().copied());
        let rows = all.map(|(case, loss)| (&case.record, loss));
        let rows: Vec<_> = rows.filter(|row| phase(row.0) == wanted).collect();
        (rows.len(), by_game(rows))
    })
}

/// The loss of a choice against the action that is best by `half`, both valued by the other half.
/// Selection and valuation do not share their luck, so the loss has no bias from selecting the
/// luckiest.
fn loss(set: &TruthSet, case: &Case, chosen: Option<Valued>, half: usize) -> f64 {
    let chance = |valued: &Valued| valued.chance(1 - half, &set.plan);
    let wins = |valued: &&Valued| valued.wins[half];
    let best = case.actions.iter().max_by_key(wins).map_or(0.0, chance);
    let worst = || case.actions.iter().min_by_key(wins).map_or(0.0, chance);
    best - chosen.as_ref().map_or_else(worst, chance)
}
