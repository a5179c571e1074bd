//! The value of each action of a recorded game, for `contest cartagena analyse` and for reports.
//!
//! Every action is judged as its player saw the game at that moment, by a search that knows this player's
//! hand and the public information, never the hidden cards. The *equity loss* of an action is the probability
//! of winning after the best action minus that after the action played. A player's error rate is the mean
//! loss of its decisions, as in backgammon programs.
//!
//! A search rolls out only the actions that look good at first. The action played is rolled out in any case. So its
//! loss is measured by rollouts, on sampled worlds on which the best action was rolled out too.

use super::record::{Positions, Record, ReplayError};
use cartagena::belief::{Belief, ReplayOptions, replay};
use cartagena::evaluation::Evaluator;
use cartagena::opponents::Opponents;
use cartagena::rules::{Action, Game};
use cartagena::search::{Best, SavedTurn, Search, Settings};
use engine::budget::{Budget, Limits};
use engine::rng::mix;
use rayon::prelude::*;
use seats::cartagena::legal;
use serde::Serialize;

/// The loss from which on an action is [`Grade::Doubtful`].
pub const DOUBTFUL: f64 = 0.02;
/// The loss from which on an action is a [`Grade::Mistake`].
pub const MISTAKE: f64 = 0.05;
/// The loss from which on an action is a [`Grade::Blunder`].
pub const BLUNDER: f64 = 0.10;

/// The number of worst actions that are named for each player.
const WORST: usize = 5;

/// The settings of an analysis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Limits of the search for one action.
    pub limits: Limits,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Whether ending the turn early counts as an alternative to other actions. If the player ended it early, that is
    /// judged in any case.
    pub allow_pass: bool,
}

/// The severity of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// It lost [`DOUBTFUL`] or more.
    Doubtful,
    /// It lost [`MISTAKE`] or more.
    Mistake,
    /// It lost [`BLUNDER`] or more.
    Blunder,
}

impl Grade {
    /// The grade of a loss; none if it is small.
    pub fn of(loss: f64) -> Option<Grade> {
        match loss {
            _ if loss >= BLUNDER => Some(Grade::Blunder),
            _ if loss >= MISTAKE => Some(Grade::Mistake),
            _ if loss >= DOUBTFUL => Some(Grade::Doubtful),
            _ => None,
        }
    }

    /// The grade as a word.
    pub fn name(self) -> &'static str {
        match self {
            Grade::Doubtful => "doubtful",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        }
    }
}

/// An action of the game and its value. Probabilities, from 0 to 1, are those of the acting player to win, estimated
/// before it sees the cards that the action draws.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// The action, from 1.
    pub action: usize,
    /// The turn, from 1.
    pub turn: u32,
    /// The player, from 1.
    pub player: usize,
    /// The action played, in the contest's notation without the player's number.
    pub played: String,
    /// The number of possible actions; with one nothing can be lost.
    pub choices: usize,
    /// The action the search prefers.
    pub best: String,
    /// The chance to win after the action played.
    pub chance: f64,
    /// The chance to win after the best action.
    pub best_chance: f64,
    /// Standard error of `best_chance`; none without rollouts.
    pub best_error: Option<f64>,
    /// The loss of the action played: `best_chance - chance`.
    pub loss: f64,
    /// Standard error of `loss`; none without rollouts of both actions.
    pub loss_error: Option<f64>,
    /// Rollouts of the action played.
    pub rollouts: u32,
    /// Its severity; none if the loss is small.
    pub grade: Option<Grade>,
    pub nodes: u64,
}

/// The totals of one player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Account {
    /// The player, from 1.
    pub player: usize,
    /// The label of its program.
    pub label: String,
    pub actions: usize,
    /// Actions that had an alternative.
    pub decisions: usize,
    /// The sum of the losses of all its actions, in wins.
    pub loss: f64,
    /// The mean loss of a decision, in thousandths of a win; 0 without decisions.
    pub error_rate: f64,
    /// The standard error of `error_rate` due to the finite number of rollouts.
    pub rate_error: f64,
    /// The number of its actions with [`Grade::Doubtful`].
    pub doubtful: usize,
    /// The number of its actions with [`Grade::Mistake`].
    pub mistakes: usize,
    /// The number of its actions with [`Grade::Blunder`].
    pub blunders: usize,
    /// The numbers (from 1) of its worst actions that have a grade, the worst first, at most five.
    pub worst: Vec<usize>,
}

/// A game with every action judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// Every action, in order.
    pub actions: Vec<Judged>,
    /// Every player, by seat.
    pub players: Vec<Account>,
}

/// Judges every action of a game, on all threads of the current rayon pool. `done` is called after each
/// action, in no fixed order. With a limit of nodes alone the result does not depend on the number of
/// threads.
///
/// # Errors
/// If the record does not replay.
pub fn analyse(
    record: &Record,
    judge: &dyn Evaluator,
    options: &Options,
    done: impl Fn() + Sync,
) -> Result<Analysis, ReplayError> {
    let history = record.positions()?;
    let actions: Vec<Judged> = (0..history.steps.len())
        .into_par_iter()
        // One action a task: searches take long and differ, so larger tasks would leave threads idle.
        .with_max_len(1)
        .map(|step| {
            let judged = judged(&history, step, judge, options);
            done();
            judged
        })
        .collect();
    let players = (1..)
        .zip(&record.players)
        .map(|(player, label)| account(player, label, &actions))
        .collect();
    Ok(Analysis { actions, players })
}

/// Judges the action at `step` (from 0) by a search from its player's view.
fn judged(history: &Positions, step: usize, judge: &dyn Evaluator, options: &Options) -> Judged {
    let past = &history.steps[step];
    let game = Game {
        gone: past.gone,
        ..history.game.clone()
    };
    let view = past.view();
    let legal = legal(&game, &view);
    // A pass that was played must be among the candidates, or its loss could not be measured.
    let allow_pass = options.allow_pass || past.action == Action::Pass;
    let may_pass = legal.is_empty() || (allow_pass && view.taken > 0);
    let belief = belief(history, step);
    let budget = Budget::start(options.limits);
    let search = Search {
        game: &game,
        view: &view,
        belief: &belief,
        opponents: &Opponents::default,
        evaluator: judge,
        budget: &budget,
        settings: Settings {
            // Each action has a seed of its own, so the result does not depend on the order of the tasks.
            seed: mix(options.seed ^ mix(step as u64 + 1)),
            allow_pass,
            // The action played is rolled out however bad it looks.
            focus: Some(past.action),
            ..Settings::default()
        },
        // The parallelism is over actions; each search runs on one thread.
        pool: None,
    };
    let report = search.run(&SavedTurn::NOTHING, &Best::default());
    let best = report.candidates.first();
    // The search reports the action in its focus. If it is missing, the worst candidate stands for it.
    let found = report.candidates.iter().find(|c| c.action == past.action);
    let played = found.or(report.candidates.last());
    let best_chance = best.map_or(0.0, |best| best.chance);
    // A candidate that the search dropped early may look better than the best one on its few worlds, by chance alone. So a
    // negative difference counts as 0.
    let loss = played.map_or(0.0, |played| played.behind.clamp(0.0, best_chance.max(0.0)));
    Judged {
        action: step + 1,
        turn: past.turn,
        player: past.seat() + 1,
        played: past.action.to_string(),
        choices: legal.len() + usize::from(may_pass),
        best: report.action.to_string(),
        chance: best_chance - loss,
        best_chance,
        best_error: best.and_then(|best| best.error),
        loss,
        loss_error: played.and_then(|played| played.behind_error),
        rollouts: played.map_or(0, |played| played.visits),
        grade: Grade::of(loss),
        nodes: report.nodes,
    }
}

/// The player's knowledge about the hidden cards at a step.
fn belief(history: &Positions, step: usize) -> Belief {
    let view = history.steps[step].view();
    let options = ReplayOptions {
        deal: history.deal,
        boat_retreat: history.game.boat_retreat,
    };
    let replay = replay(&history.told(step), &options);
    if replay.view == view {
        replay.belief
    } else {
        // The contest's text does not show passes, so replaying it can end in another view. Then only the
        // current view is used.
        Belief::of_view(&view, history.game.players)
    }
}

/// Adds up the actions of one player (from 1).
fn account(player: usize, label: &str, actions: &[Judged]) -> Account {
    let own: Vec<&Judged> = actions.iter().filter(|a| a.player == player).collect();
    let decisions = own.iter().filter(|a| a.choices > 1).count();
    let loss: f64 = own.iter().map(|a| a.loss).sum();
    // The searches are independent, so the variance of the sum is the sum of the squared standard errors.
    let variance: f64 = own.iter().filter_map(|a| a.loss_error).map(|e| e * e).sum();
    // Per decision, not per action: an action without alternative cannot be an error.
    let per_mille = 1000.0 / decisions.max(1) as f64;
    let graded = |grade| own.iter().filter(|a| a.grade == Some(grade)).count();
    let mut worst: Vec<&&Judged> = own.iter().filter(|a| a.grade.is_some()).collect();
    worst.sort_by(|a, b| b.loss.total_cmp(&a.loss));
    Account {
        player,
        label: label.to_owned(),
        actions: own.len(),
        decisions,
        loss,
        error_rate: per_mille * loss,
        rate_error: per_mille * variance.sqrt(),
        doubtful: graded(Grade::Doubtful),
        mistakes: graded(Grade::Mistake),
        blunders: graded(Grade::Blunder),
        worst: worst.iter().take(WORST).map(|a| a.action).collect(),
    }
}
