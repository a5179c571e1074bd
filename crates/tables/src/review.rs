//! The review of a game that is over. For each action it has the value to the seat that took it, the best action
//! if that was better, and the luck. The house runs a [`Task`] for each action and pushes the results in order.
//!
//! Every action is judged by what its seat could know then. The terms are those of backgammon programs. An
//! action's *equity loss* is the best action's value minus its own. A seat's *error rate* is the mean loss of
//! its decisions. *Luck* is the value that chance gave, minus the average.

use super::game::{Advice, Choice, Unit};
use serde::Serialize;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::{JoinError, JoinHandle};

/// The grade of an action that lost value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Grade {
    Doubtful,
    Mistake,
    Blunder,
}

impl Grade {
    /// The least loss of each grade. For chances to win they are those of `contest cartagena analyse`: 2, 5 and
    /// 10 %.
    fn of(loss: f64, unit: Unit) -> Option<Grade> {
        let [doubtful, mistake, blunder] = match unit {
            Unit::Chance => [0.02, 0.05, 0.10],
            Unit::Points | Unit::Penalty => [0.5, 1.0, 2.0],
        };
        match loss {
            loss if loss >= blunder => Some(Grade::Blunder),
            loss if loss >= mistake => Some(Grade::Mistake),
            loss if loss >= doubtful => Some(Grade::Doubtful),
            _ => None,
        }
    }
}

/// The work to judge one action, which needs the table no more.
pub(super) struct Task {
    pub number: usize,
    pub seat: usize,
    pub taken: Choice,
    /// The number of legal actions.
    pub choices: usize,
    pub luck: Box<dyn FnOnce() -> Option<f64> + Send>,
    pub judging: Box<dyn FnOnce() -> Advice + Send>,
}

/// An action and what it was worth to its seat, in the game's unit.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Judged {
    number: usize,
    seat: usize,
    taken: Choice,
    /// The action's value; `None` without advice.
    value: Option<f64>,
    /// The best action, if it was better.
    best: Option<Choice>,
    /// Data from which the game's script draws the best action.
    picture: Value,
    loss: f64,
    grade: Option<Grade>,
    is_decision: bool,
    /// The luck of the action; `None` if it is not known.
    luck: Option<f64>,
}

impl Task {
    pub(super) fn run(self, unit: Unit) -> Judged {
        let Advice { candidates } = (self.judging)();
        let found = candidates
            .iter()
            .find(|c| c.choice.action == self.taken.action);
        // Candidates are sorted, the best first. An action that is not among them counts as the last one.
        let taken = found.or(candidates.last());
        let best = candidates.first();
        let loss = taken.map_or(0.0, |taken| taken.behind);
        // Another action with the same value is not better.
        let is_better = best.filter(|best| best.choice.action != self.taken.action && loss > 0.0);
        Judged {
            number: self.number,
            seat: self.seat,
            value: taken.map(|taken| taken.value),
            best: is_better.map(|best| best.choice.clone()),
            picture: best.map_or(Value::Null, |best| best.picture.clone()),
            loss,
            grade: Grade::of(loss, unit),
            is_decision: self.choices > 1,
            taken: self.taken,
            luck: (self.luck)(),
        }
    }
}

/// Judges the actions from 0 on, until `task` gives no more, and hands each to `push` as soon as it and all before it
/// are judged; `None` from `push` ends the work. `limit` has the permits for work, one for each action under way, and
/// the most actions under way.
///
/// # Errors
/// If a task panics.
pub(super) async fn judge_in_order(
    limit: (&Arc<Semaphore>, usize),
    unit: Unit,
    mut task: impl FnMut(usize) -> Option<Task>,
    mut push: impl FnMut(Judged) -> Option<()>,
) -> Result<(), JoinError> {
    let (permits, most) = limit;
    let mut under_way: VecDeque<JoinHandle<Judged>> = VecDeque::new();
    let mut next = Some(0);
    loop {
        // Results are handed over in the game's order, so the oldest is waited for.
        while let Some(number) = next.filter(|_| under_way.len() < most) {
            let Ok(permit) = Arc::clone(permits).acquire_owned().await else {
                return Ok(());
            };
            next = task(number).map(|task| {
                under_way.push_back(tokio::task::spawn_blocking(move || {
                    let _permit = permit;
                    task.run(unit)
                }));
                number + 1
            });
        }
        let Some(first) = under_way.pop_front() else {
            return Ok(());
        };
        if push(first.await?).is_none() {
            return Ok(());
        }
    }
}

/// The sums over a seat's actions.
#[derive(Clone, Debug, Default, Serialize)]
struct Account {
    /// Actions that had an alternative.
    decisions: usize,
    /// The loss of all its decisions.
    loss: f64,
    /// The mean loss of a decision; 0 without decisions.
    rate: f64,
    doubtful: usize,
    mistakes: usize,
    blunders: usize,
    /// The sum of its luck; `None` if the game does not know it.
    luck: Option<f64>,
}

/// A review as far as it has come.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Review {
    pub unit: Unit,
    /// Actions of the game.
    total: usize,
    actions: Vec<Judged>,
    accounts: Vec<Account>,
}

impl Review {
    /// A review of a game of `total` actions, none of them judged yet.
    pub(super) fn new(unit: Unit, total: usize, seats: usize) -> Review {
        Review {
            unit,
            total,
            actions: Vec::new(),
            accounts: vec![Account::default(); seats],
        }
    }

    /// The same without its first actions, this many, which a page has already.
    pub(super) fn after(&self, actions: usize) -> Review {
        Review {
            actions: self.actions.get(actions..).unwrap_or_default().to_vec(),
            accounts: self.accounts.clone(),
            ..*self
        }
    }

    /// Takes in the next action.
    pub(super) fn push(&mut self, judged: Judged) {
        let account = &mut self.accounts[judged.seat];
        // An action without an alternative is no decision, and does not lower the rate.
        if judged.is_decision {
            account.decisions += 1;
            account.loss += judged.loss;
            account.rate = account.loss / account.decisions as f64;
        }
        match judged.grade {
            Some(Grade::Doubtful) => account.doubtful += 1,
            Some(Grade::Mistake) => account.mistakes += 1,
            Some(Grade::Blunder) => account.blunders += 1,
            None => {}
        }
        if let Some(luck) = judged.luck {
            account.luck = Some(account.luck.unwrap_or(0.0) + luck);
        }
        self.actions.push(judged);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;
    use crate::game::Candidate;
    use arena::process::testing::within;
    use std::sync::mpsc;

    fn task(taken: &str, values: &'static [(&str, f64)], luck: Option<f64>) -> Task {
        let choice = |action: &str| Choice {
            action: action.to_owned(),
            words: Text::plain(action),
        };
        let best = values.first().map_or(0.0, |&(_, value)| value);
        Task {
            number: 0,
            seat: 1,
            taken: choice(taken),
            choices: values.len(),
            luck: Box::new(move || luck),
            judging: Box::new(move || Advice {
                candidates: values
                    .iter()
                    .map(|&(action, value)| Candidate {
                        choice: choice(action),
                        value,
                        behind: best - value,
                        then: Vec::new(),
                        picture: Value::Null,
                    })
                    .collect(),
            }),
        }
    }

    #[test]
    fn losses_and_luck_add_up_by_seat() {
        let mut review = Review::new(Unit::Chance, 4, 2);
        let values: &[(&str, f64)] = &[("a", 0.75), ("b", 0.5), ("c", 0.25)];
        for task in [
            task("a", values, Some(0.125)),
            task("b", values, None),
            // The action taken has no value of its own, so its loss is that of the worst one.
            task("d", values, Some(-0.25)),
            task("a", &values[..1], None),
        ] {
            review.push(task.run(Unit::Chance));
        }
        let losses: Vec<f64> = review.actions.iter().map(|judged| judged.loss).collect();
        assert_eq!(losses, [0.0, 0.25, 0.5, 0.0]);
        assert_eq!(review.actions[0].best, None);
        assert_eq!(review.actions[1].best.as_ref().unwrap().action, "a");
        let account = &review.accounts[1];
        assert_eq!((account.decisions, account.blunders), (3, 2));
        assert_eq!((account.rate, account.luck), (0.25, Some(-0.125)));
        assert_eq!(review.accounts[0].decisions, 0);
    }

    /// Nobody waits for the whole game: the second action is judged only after the first has been handed over.
    #[test]
    fn an_action_is_handed_over_before_the_next_is_judged() {
        let numbers = within("a review of two actions", || {
            let runtime = tokio::runtime::Builder::new_current_thread().build();
            let (handed_over, seen) = mpsc::channel();
            let mut waiting = Some(seen);
            let tasks = |number| {
                let mut task = task("a", &[("a", 0.75), ("b", 0.5)], None);
                task.number = number;
                if number == 1 {
                    let (seen, judging) = (waiting.take()?, task.judging);
                    task.judging = Box::new(move || {
                        seen.recv().unwrap();
                        judging()
                    });
                }
                (number < 2).then_some(task)
            };
            let mut numbers = Vec::new();
            let push = |judged: Judged| {
                numbers.push(judged.number);
                // Nobody waits for the second one.
                let _ = handed_over.send(());
                Some(())
            };
            let limit = (&Arc::new(Semaphore::new(2)), 2);
            let work = judge_in_order(limit, Unit::Chance, tasks, push);
            runtime.unwrap().block_on(work).unwrap();
            numbers
        });
        assert_eq!(numbers, [0, 1]);
    }

    #[test]
    fn grades_follow_the_unit() {
        let grades = |unit| [0.01, 0.03, 0.07, 0.6, 3.0].map(|loss| Grade::of(loss, unit));
        let [none, doubtful, mistake, blunder] = [
            None,
            Some(Grade::Doubtful),
            Some(Grade::Mistake),
            Some(Grade::Blunder),
        ];
        assert_eq!(
            grades(Unit::Chance),
            [none, doubtful, mistake, blunder, blunder]
        );
        assert_eq!(grades(Unit::Points), [none, none, none, doubtful, blunder]);
    }
}
