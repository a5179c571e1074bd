//! What the actions of a recorded game were worth.
//!
//! Every action is judged as its player saw the game then: by a search that knows that player's
//! hand and what was public, never the hidden cards. What an action loses is its *equity loss*,
//! the chance to win of the best action minus that of the action played. A player's error rate is
//! the mean loss of its decisions, as in backgammon programs.
//!
//! The action played takes part in the search's race whatever it looks like, so that its loss is
//! measured on the same sampled worlds as the best action's chance.

use super::record::{History, Record, ReplayError};
use cartagena::belief::{Belief, ReplayOptions, replay};
use cartagena::evaluation::Evaluator;
use cartagena::opponents::Opponents;
use cartagena::rules::{Action, ActionList};
use cartagena::search::{Best, Report, SavedTurn, Search, Settings};
use engine::budget::{Budget, Limits};
use engine::rng::mix;
use rayon::prelude::*;
use serde::Serialize;

/// The loss from which on an action is [`Grade::Doubtful`].
pub const DOUBTFUL: f64 = 0.02;
/// The loss from which on an action is a [`Grade::Mistake`].
pub const MISTAKE: f64 = 0.05;
/// The loss from which on an action is a [`Grade::Blunder`].
pub const BLUNDER: f64 = 0.10;

/// Worst actions that are named for each player.
const WORST: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// What the search for one action may spend.
    pub limits: Limits,
    /// What all chance follows from.
    pub seed: u64,
    /// Whether ending the turn early is held against other actions. An early end that was played
    /// is judged either way.
    pub allow_pass: bool,
}

/// How bad an action was.
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

/// An action of the game and what it was worth. Chances are the player's own, from 0 to 1, before
/// what the action draws is seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// The action, from 1.
    pub action: usize,
    /// The turn, from 1.
    pub turn: u32,
    /// The player, from 1.
    pub player: usize,
    /// What was played, as the contest writes it without the player's number.
    pub played: String,
    /// What there was to choose from; with one choice nothing can be lost.
    pub choices: usize,
    /// The action the search prefers.
    pub best: String,
    /// The chance to win after the action played.
    pub chance: f64,
    /// The chance to win after the best action.
    pub best_chance: f64,
    /// Standard error of `best_chance`; none without rollouts.
    pub best_error: Option<f64>,
    /// What the action played lost: `best_chance - chance`.
    pub loss: f64,
    /// Standard error of `loss`; none without rollouts of both actions.
    pub loss_error: Option<f64>,
    /// Rollouts of the action played.
    pub rollouts: u32,
    /// How bad it was; none if it was not.
    pub grade: Option<Grade>,
    pub nodes: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Account {
    /// The player, from 1.
    pub player: usize,
    /// What it is called.
    pub label: String,
    pub actions: usize,
    /// Actions that had an alternative.
    pub decisions: usize,
    /// The chances to win that all its actions lost, summed.
    pub loss: f64,
    /// The mean loss of a decision, in thousandths of a win; 0 without decisions.
    pub error_rate: f64,
    /// Standard error of `error_rate` that the rollouts leave.
    pub rate_error: f64,
    /// Actions with the grade of that name.
    pub doubtful: usize,
    /// Actions with the grade of that name.
    pub mistakes: usize,
    /// Actions with the grade of that name.
    pub blunders: usize,
    /// Its worst graded actions, the worst first.
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

/// Judges every action of a game, on all threads of the current rayon pool. `done` is told of
/// every action judged, in no fixed order. With a limit of nodes alone the result is the same on
/// any number of threads.
///
/// # Errors
/// If the record does not replay.
pub fn analyse(
    record: &Record,
    judge: &dyn Evaluator,
    options: &Options,
    done: impl Fn() + Sync,
) -> Result<Analysis, ReplayError> {
    let history = record.history()?;
    let actions: Vec<Judged> = (0..history.steps.len())
        .into_par_iter()
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

fn judged(history: &History, step: usize, judge: &dyn Evaluator, options: &Options) -> Judged {
    let game = &history.game;
    let past = &history.steps[step];
    let view = past.view();
    let mut legal = ActionList::new();
    game.actions(&view.track, view.seat, view.hand, &mut legal);
    let allow_pass = options.allow_pass || past.action == Action::Pass;
    let may_pass = legal.is_empty() || (allow_pass && view.taken > 0);
    let belief = belief(history, step);
    let budget = Budget::start(options.limits);
    let search = Search {
        game,
        view: &view,
        belief: &belief,
        opponents: &Opponents::default,
        evaluator: judge,
        budget: &budget,
        settings: Settings {
            seed: mix(options.seed ^ mix(step as u64 + 1)),
            allow_pass,
            focus: Some(past.action),
            ..Settings::default()
        },
        pool: None,
    };
    let report = search.run(&SavedTurn::NOTHING, &Best::default());
    let value = Value::of(&report, past.action);
    Judged {
        action: step + 1,
        turn: past.turn,
        player: past.seat() + 1,
        played: past.action.to_string(),
        choices: legal.len() + usize::from(may_pass),
        best: report.action.to_string(),
        chance: value.best - value.loss,
        best_chance: value.best,
        best_error: value.best_error,
        loss: value.loss,
        loss_error: value.loss_error,
        rollouts: value.rollouts,
        grade: Grade::of(value.loss),
        nodes: report.nodes,
    }
}

/// What the player of a step could know of the hidden cards.
fn belief(history: &History, step: usize) -> Belief {
    let view = history.steps[step].view();
    let options = ReplayOptions {
        deal: history.deal,
        boat_retreat: history.game.boat_retreat,
    };
    let replay = replay(&history.told(step), &options);
    if replay.view == view {
        replay.belief
    } else {
        // What was told is less than what was seen: passes leave no trace in it.
        Belief::of_view(&view, history.game.players)
    }
}

/// What a search says of the action played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Value {
    best: f64,
    best_error: Option<f64>,
    loss: f64,
    loss_error: Option<f64>,
    rollouts: u32,
}

impl Value {
    fn of(report: &Report, played: Action) -> Value {
        let Some(best) = report.candidates.first() else {
            return Value::default();
        };
        // The search reports the action it was told to look at; the worst there is stands for one
        // that it does not.
        let found = report.candidates.iter().find(|c| c.action == played);
        let played = found.or(report.candidates.last()).unwrap_or(best);
        // Chance may have it that what was given up early looks better where it was tried.
        let loss = played.behind.clamp(0.0, best.chance.max(0.0));
        Value {
            best: best.chance,
            best_error: best.error,
            loss,
            loss_error: played.behind_error,
            rollouts: played.visits,
        }
    }
}

fn account(player: usize, label: &str, actions: &[Judged]) -> Account {
    let own: Vec<&Judged> = actions.iter().filter(|a| a.player == player).collect();
    let decisions = own.iter().filter(|a| a.choices > 1).count();
    let loss: f64 = own.iter().map(|a| a.loss).sum();
    let variance: f64 = own.iter().filter_map(|a| a.loss_error).map(|e| e * e).sum();
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
