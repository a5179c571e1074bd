//! Matches and tournaments: deals in blocks, every participant on every seat.

use crate::convert::{self, lent, to_python, value_error};
use crate::objects::{Game, View};
use crate::player::Player;
use crate::state::id_of;
use crate::workers::{self, LOOK};
use arena::schedule::{Block, ScheduledGame};
use arena::{LineUp, Plan, rating};
use games::{AnyGame, AnyHistory, Id, Turn};
use pyo3::exceptions::{
    PyKeyboardInterrupt, PyRuntimeError, PyStopIteration, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use seats::challenge::duplicate;
use seats::matches::{self, Match, MatchCounts, Played};
use seats::{Failure, Maker, Seat};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Instant;

/// A function of Python at a seat: a view in, an action out.
struct Function {
    function: Arc<Py<PyAny>>,
    game: Arc<AnyGame>,
}

impl Seat for Function {
    fn choose(&mut self, history: &dyn AnyHistory) -> Result<Id, Failure> {
        let Turn::Seat(seat) = history.turn() else {
            return Err(Failure::Illegal("no player is to move".to_owned()));
        };
        Python::attach(|py| {
            let view = View::of(&self.game, history, seat);
            let answer = self.function.bind(py).call1((view,));
            let answer = answer.map_err(|error| other(py, error))?;
            id_of(history, &answer).map_err(|error| Failure::Illegal(error.value(py).to_string()))
        })
    }
}

fn other(py: Python<'_>, error: PyErr) -> Failure {
    // Around a loop or a generator of the caller this one would end it without a word.
    if error.is_instance_of::<PyStopIteration>(py) {
        let told = PyRuntimeError::new_err("a player's function raised StopIteration");
        told.set_cause(py, Some(error));
        return Failure::Other(Box::new(told));
    }
    Failure::Other(Box::new(error))
}

/// Gives back the error that a function has raised, as it was.
fn raised(failure: Failure) -> PyErr {
    match failure {
        Failure::Other(error) => match error.downcast::<PyErr>() {
            Ok(error) => *error,
            Err(error) => value_error(error),
        },
        failure => value_error(failure),
    }
}

/// The record of a game; nothing where the referee's format has no place for it. `line_ups` is their number in the match.
fn line(
    history: &dyn AnyHistory,
    scheduled: &ScheduledGame,
    labels: &[String],
    line_ups: usize,
) -> Vec<u8> {
    match history.record(labels) {
        Ok(mut record) => {
            if record.get("contest").is_some() {
                record["id"] = json!(matches::id(scheduled));
            } else {
                // The challenge game numbers games and teams. No two games of a tournament have the same number.
                let place = duplicate::number(scheduled) - 1;
                record["id"] = json!(place * line_ups as u64 + scheduled.line_up as u64 + 1);
                let teams: Vec<usize> = scheduled.seats.iter().map(|&one| one + 1).collect();
                record["teams"] = json!(teams);
            }
            record.to_string().into_bytes()
        }
        Err(_) => Vec::new(),
    }
}

/// Reads who takes part: pairs of a label and a player or function.
fn entered(
    game: &Arc<AnyGame>,
    participants: Vec<(String, Bound<'_, PyAny>)>,
) -> PyResult<Vec<(String, Maker)>> {
    let mut all: Vec<(String, Maker)> = Vec::new();
    for (label, who) in participants {
        if all.iter().any(|(known, _)| *known == label) {
            let text = format!("two participants are called {label:?}");
            return Err(PyValueError::new_err(text));
        }
        all.push((label, maker(game, &who)?.0));
    }
    Ok(all)
}

/// A maker of players, and the function of Python that they share, if there is one.
type Made = (Maker, Option<Arc<Py<PyAny>>>);

/// The maker of a participant: a built-in player, or a function.
pub(crate) fn maker(game: &Arc<AnyGame>, who: &Bound<'_, PyAny>) -> PyResult<Made> {
    match who.cast::<Player>() {
        Ok(player) => Ok((lent(player)?.maker(game.name)?, None)),
        Err(_) if who.is_callable() => {
            // All seats of a participant share its function.
            let (function, game) = (Arc::new(who.clone().unbind()), Arc::clone(game));
            let shared = Arc::clone(&function);
            let maker: Maker = Arc::new(move |_| {
                let (function, game) = (Arc::clone(&function), Arc::clone(&game));
                Box::new(Function { function, game })
            });
            Ok((maker, Some(shared)))
        }
        Err(_) => {
            let kind = who.get_type().name()?;
            Err(PyTypeError::new_err(format!(
                "expected a Player or a function of a View, not {kind}"
            )))
        }
    }
}

/// The news from a match.
enum FromMatch {
    Block(Block),
    Ended(Result<(), Failure>),
}

/// The part of a match that was played.
struct Part {
    played: Played,
    records: Vec<Value>,
    /// Whether somebody interrupted it.
    interrupted: bool,
}

/// Plays a plan. Ctrl-C ends it at once, whatever its players are doing: the blocks that are complete count.
///
/// The match runs on a thread of its own, and hands its blocks to this one, which counts them and asks the
/// interpreter for signals. So the results are here when a signal comes, and nobody has to wait for a player that
/// thinks: its thread ends by itself, at its next action.
fn played(py: Python<'_>, of: Match, plan: Plan) -> PyResult<Part> {
    let of = Arc::new(of);
    let mut counts = MatchCounts::new(&of, &plan);
    let (told, news) = mpsc::channel();
    let matched = Arc::clone(&of);
    let (mut kept, mut interrupted) = (Vec::new(), false);
    let (counted, records, signalled) = (&mut counts, &mut kept, &mut interrupted);
    let waited = Arc::clone(&of);
    py.detach(move || {
        thread::spawn(move || {
            let ended = matched.run(&plan, |block| match told.send(FromMatch::Block(block)) {
                Ok(()) => ControlFlow::Continue(()),
                // Nobody counts any more.
                Err(_) => ControlFlow::Break(()),
            });
            let _ = told.send(FromMatch::Ended(ended));
        });
        let mut count = |block: &Block| {
            let lines = block.iter().map(|played| &played.1.line);
            let read = lines.filter(|line| !line.is_empty());
            records.extend(read.filter_map(|line| serde_json::from_slice::<Value>(line).ok()));
            counted.push(&waited, block).map_err(raised)
        };
        let mut looked = Instant::now();
        loop {
            match news.recv_timeout(LOOK) {
                Ok(FromMatch::Block(block)) => count(&block)?,
                Ok(FromMatch::Ended(ended)) => return ended.map_err(raised),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(value_error("the match has failed"));
                }
            }
            // Short games follow each other without a pause: the clock says when it is time to look.
            if looked.elapsed() < LOOK {
                continue;
            }
            looked = Instant::now();
            let Err(signal) = Python::attach(|py| py.check_signals()) else {
                continue;
            };
            waited.stop.store(true, Ordering::Relaxed);
            if !Python::attach(|py| signal.is_instance_of::<PyKeyboardInterrupt>(py)) {
                return Err(signal);
            }
            *signalled = true;
            for told in news.try_iter() {
                if let FromMatch::Block(block) = told {
                    count(&block)?;
                }
            }
            return Ok(());
        }
    })?;
    Ok(Part {
        played: counts.played(&of).map_err(raised)?,
        records: kept,
        interrupted,
    })
}

/// A match of the participants, one for each seat, or a tournament: every line-up of them, and ratings.
/// Every deal is played in every order of two or three seats, or in every rotation of more.
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
    #[pyo3(from_py_with = convert::games)] games: usize,
    #[pyo3(from_py_with = convert::seed)] seed: u64,
    #[pyo3(from_py_with = convert::jobs)] jobs: usize,
    record: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let entered = entered(&game.0, participants)?;
    let (count, seats) = (entered.len(), game.0.players);
    // A match is one line-up with everybody in it, a tournament all line-ups.
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
        games: games as u64,
        jobs: jobs.min(workers::MOST),
    };
    let mut of = Match::new(Arc::clone(&game.0), entered, seed);
    if record {
        let line_ups = plan.line_ups.len();
        of.line = Some(Box::new(move |history, scheduled, labels| {
            line(history, scheduled, labels, line_ups)
        }));
    }
    // An error that a participant's function raises ends the match, and is raised here as it was.
    let part = played(py, of, plan)?;
    let mut value = json!({
        "line_ups": part.played.line_ups,
        "records": part.records,
        "interrupted": part.interrupted,
    });
    if tournament {
        let rated = || rating::rate(&part.played.games, &rating::Options::default());
        let ratings = py.detach(|| workers::here(rated));
        value["ratings"] = match ratings {
            // What was played before an interrupt may be too little to be rated.
            Err(_) if part.interrupted => json!({"rows": []}),
            ratings => serde_json::to_value(ratings.map_err(value_error)?).map_err(value_error)?,
        };
    }
    to_python(py, &value)
}
