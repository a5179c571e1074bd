//! Matches and tournaments: deals in blocks, every participant on every seat.

use crate::brain::{Brain, Maker, at};
use crate::convert::{to_python, value_error};
use crate::objects::Game;
use crate::objects::View;
use crate::player::Player;
use crate::records;
use crate::state::id_of;
use arena::rating::{self, Games, Outcome};
use arena::schedule::Block;
use arena::stats::{Mean, Tally};
use arena::{GameResult, LineUp, Plan, Referee, ScheduledGame, SeatResult};
use contest::cartagena::game::{Forfeits, ranks, shares};
use engine::rng::mix;
use games::cartagena::Cartagena;
use games::{AnyGame, AnyHistory, Id, Turn};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Who takes part.
enum Entered {
    /// A built-in player.
    Builtin(Maker),
    /// A function of Python: a view in, an action out.
    Function(Py<PyAny>),
}

/// Plays the games.
struct InProcess {
    game: Arc<dyn AnyGame>,
    labels: Vec<String>,
    entered: Vec<Entered>,
    seed: u64,
    record: bool,
    /// What finished games have brought, until their block is counted.
    returns: Mutex<HashMap<(usize, u64, usize), Vec<f32>>>,
}

impl InProcess {
    fn block_seed(&self, scheduled: &ScheduledGame) -> u64 {
        mix(self.seed ^ mix(scheduled.block.wrapping_add(1)))
    }

    fn id(&self, scheduled: &ScheduledGame) -> String {
        let ScheduledGame {
            line_up,
            block,
            rotation,
            ..
        } = scheduled;
        format!("{}-{}-{}", line_up + 1, block + 1, rotation + 1)
    }

    /// Asks the participant whose turn it is.
    fn ask(
        &self,
        scheduled: &ScheduledGame,
        seat: usize,
        brain: Option<&mut Box<dyn Brain>>,
        history: &dyn AnyHistory,
    ) -> PyResult<Id> {
        let participant = scheduled.seats[seat];
        let Entered::Function(function) = &self.entered[participant] else {
            return Ok(brain.map_or(0, |brain| brain.choose(history)));
        };
        Python::attach(|py| {
            let view = View::of(&self.game, history, seat);
            let answer = function.bind(py).call1((view,))?;
            id_of(history, &answer).map_err(|error| {
                let (label, game) = (&self.labels[participant], self.id(scheduled));
                PyValueError::new_err(format!("{label}, game {game}: {error}"))
            })
        })
    }
}

/// Places, from 1, of who has these returns; equals share the mean of their places.
fn places(returns: &[f32]) -> Vec<f64> {
    let place = |own: &f32| {
        let ahead = returns.iter().filter(|other| *other > own).count();
        let equal = returns.iter().filter(|other| *other == own).count();
        ahead as f64 + (equal + 1) as f64 / 2.0
    };
    returns.iter().map(place).collect()
}

impl Referee for InProcess {
    type Error = PyErr;

    fn play(&self, scheduled: &ScheduledGame) -> PyResult<GameResult> {
        let seed = self.block_seed(scheduled);
        let players = scheduled.seats.len();
        let mut history = self.game.start(Some(seed));
        let mut brains: Vec<Option<Box<dyn Brain>>> = (0..players)
            .map(|seat| match &self.entered[scheduled.seats[seat]] {
                Entered::Builtin(maker) => {
                    let part = 2 + (scheduled.rotation * players + seat) as u64;
                    Some(maker(mix(seed ^ mix(part))))
                }
                Entered::Function(_) => None,
            })
            .collect();
        let mut nanos = vec![Vec::new(); players];
        while let Turn::Seat(seat) = history.turn() {
            let start = Instant::now();
            let id = self.ask(scheduled, seat, brains[seat].as_mut(), &*history)?;
            nanos[seat].push(start.elapsed().as_nanos() as u64);
            history.apply(id).map_err(value_error)?;
        }
        let returns = history.returns()[..players].to_vec();
        let ranks = match at::<Cartagena>(&*history) {
            Some(history) => {
                let (rules, open) = (history.state().game(), history.state().open());
                ranks(rules, open, open.winner(), &Forfeits::default())
            }
            None => places(&returns),
        };
        let line = match self.record {
            true => self.line(scheduled, &*history),
            false => Vec::new(),
        };
        let seats = shares(&ranks).into_iter().zip(ranks).zip(nanos);
        let key = (scheduled.line_up, scheduled.block, scheduled.rotation);
        let mut kept = self.returns.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(key, returns);
        Ok(GameResult {
            seats: seats
                .map(|((share, rank), nanos)| SeatResult {
                    share,
                    rank,
                    nanos,
                    faults: Vec::new(),
                })
                .collect(),
            stopped: history.stopped(),
            line,
        })
    }
}

impl InProcess {
    /// The record of a game; nothing where the referee's format has no place for it.
    fn line(&self, scheduled: &ScheduledGame, history: &dyn AnyHistory) -> Vec<u8> {
        let labels = scheduled.seats.iter().map(|&one| self.labels[one].clone());
        let labels: Vec<String> = labels.collect();
        match records::record(&*self.game, history, &labels) {
            Ok(mut record) => {
                if record.get("contest").is_some() {
                    record["id"] = json!(self.id(scheduled));
                }
                record.to_string().into_bytes()
            }
            Err(_) => Vec::new(),
        }
    }
}

/// What is counted of a line-up.
struct Counted {
    tally: Tally,
    /// By participant: mean returns over blocks.
    returns: Vec<Mean>,
}

impl Counted {
    fn push(&mut self, referee: &InProcess, block: &Block) {
        self.tally.push(block);
        let mut kept = referee
            .returns
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut sums = vec![(0.0, 0u32); self.returns.len()];
        for (scheduled, _) in block {
            let key = (scheduled.line_up, scheduled.block, scheduled.rotation);
            let returns = kept.remove(&key).unwrap_or_default();
            for (&participant, value) in scheduled.seats.iter().zip(returns) {
                let (sum, count) = &mut sums[participant];
                *sum += f64::from(value);
                *count += 1;
            }
        }
        for (mean, (sum, count)) in self.returns.iter_mut().zip(sums) {
            if count > 0 {
                mean.push(sum / f64::from(count));
            }
        }
    }

    fn value(&self, labels: &[String]) -> PyResult<Value> {
        let mut value = serde_json::to_value(self.tally.summary(labels)).map_err(value_error)?;
        for row in value["rows"].as_array_mut().into_iter().flatten() {
            let at = labels.iter().position(|label| row["label"] == json!(label));
            if let Some(mean) = at.map(|at| &self.returns[at]) {
                row["returns"] = json!(mean.mean());
                row["returns_margin"] = json!(mean.margin());
            }
        }
        Ok(value)
    }
}

/// Reads who takes part: pairs of a label and a player or function.
fn entered(
    game: &dyn AnyGame,
    participants: Vec<(String, Bound<'_, PyAny>)>,
) -> PyResult<(Vec<String>, Vec<Entered>)> {
    let mut labels = Vec::new();
    let mut all = Vec::new();
    for (label, who) in participants {
        if labels.contains(&label) {
            let text = format!("two participants are called {label:?}");
            return Err(PyValueError::new_err(text));
        }
        labels.push(label);
        all.push(match who.cast::<Player>() {
            Ok(player) => Entered::Builtin(player.borrow_mut().maker(game.name())?),
            Err(_) if who.is_callable() => Entered::Function(who.unbind()),
            Err(_) => {
                let kind = who.get_type().name()?;
                return Err(PyTypeError::new_err(format!(
                    "expected a Player or a function of a View, not {kind}"
                )));
            }
        });
    }
    Ok((labels, all))
}

/// Plays line-ups and returns the summaries of each, the records, and what can be rated.
fn played(
    py: Python<'_>,
    referee: &InProcess,
    plan: &Plan,
) -> PyResult<(Vec<Value>, Vec<Value>, Games)> {
    let labels = &referee.labels;
    let mut counted: Vec<Counted> = plan
        .line_ups
        .iter()
        .map(|line_up| Counted {
            tally: Tally::new(line_up),
            returns: vec![Mean::default(); labels.len()],
        })
        .collect();
    let mut games = Games::new(labels.clone());
    let mut records = Vec::new();
    let mut broken: PyResult<()> = Ok(());
    py.detach(|| {
        plan.run(
            referee,
            |_, _| (),
            |block: Block| {
                let line_up = block.first().map_or(0, |played| played.0.line_up);
                counted[line_up].push(referee, &block);
                let outcome = |(game, played): &(ScheduledGame, GameResult)| Outcome {
                    seats: game.seats.clone(),
                    ranks: played.seats.iter().map(|seat| seat.rank).collect(),
                };
                let outcomes: Vec<Outcome> = block.iter().map(outcome).collect();
                broken = games.push(&outcomes).map_err(value_error);
                let lines = block.iter().map(|played| &played.1.line);
                let read = lines.filter(|line| !line.is_empty());
                records.extend(read.filter_map(|line| serde_json::from_slice(line).ok()));
                // Whoever sits before it may want it to end.
                if broken.is_ok() {
                    broken = Python::attach(|py| py.check_signals());
                }
                match broken {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            },
        )
    })?;
    broken?;
    let summaries: PyResult<Vec<Value>> = counted.iter().map(|one| one.value(labels)).collect();
    Ok((summaries?, records, games))
}

/// A match of the participants, one for each seat, or a tournament: every line-up of them, and ratings.
/// Every deal is played in every rotation of the seats.
#[pyfunction]
#[pyo3(signature = (game, participants, *, tournament, games, seed = 1, jobs = 1, record = false))]
#[expect(
    clippy::too_many_arguments,
    reason = "they are the keywords of a function of Python"
)]
pub(crate) fn play<'py>(
    py: Python<'py>,
    game: &Game,
    participants: Vec<(String, Bound<'py, PyAny>)>,
    tournament: bool,
    games: u64,
    seed: u64,
    jobs: usize,
    record: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let (labels, entered) = entered(&*game.0, participants)?;
    let (count, seats) = (labels.len(), game.0.players());
    let line_ups = match tournament {
        true if count < 2 => Err("expected at least two participants".to_owned()),
        true => Ok(LineUp::all(count, seats)),
        false if count == seats => Ok(vec![LineUp((0..count).collect())]),
        false => Err(format!(
            "{count} participants for {seats} seats; a tournament takes any number"
        )),
    };
    let plan = Plan {
        line_ups: line_ups.map_err(PyValueError::new_err)?,
        games,
        jobs: jobs.max(1),
    };
    let referee = InProcess {
        game: Arc::clone(&game.0),
        labels,
        entered,
        seed,
        record,
        returns: Mutex::default(),
    };
    let (line_ups, records, played) = played(py, &referee, &plan)?;
    let mut value = json!({"line_ups": line_ups, "records": records});
    if tournament {
        let ratings = py.detach(|| rating::rate(&played, &rating::Options::default()));
        value["ratings"] =
            serde_json::to_value(ratings.map_err(value_error)?).map_err(value_error)?;
    }
    to_python(py, &value)
}
