//! Matches and tournaments: deals in blocks, every participant on every seat.

use crate::convert::{to_python, value_error};
use crate::objects::{Game, View};
use crate::player::Player;
use crate::records;
use crate::state::id_of;
use arena::{LineUp, Plan, rating};
use games::{AnyGame, AnyHistory, Id, Turn};
use lab::matches::{Match, Played};
use lab::seats::{Failure, Maker, Seat};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// A function of Python at a seat: a view in, an action out.
struct Function {
    function: Arc<Py<PyAny>>,
    game: Arc<dyn AnyGame>,
}

impl Seat for Function {
    fn choose(&mut self, history: &dyn AnyHistory) -> Result<Id, Failure> {
        let Turn::Seat(seat) = history.turn() else {
            return Err(Failure::Illegal("no player is to move".to_owned()));
        };
        Python::attach(|py| {
            let view = View::of(&self.game, history, seat);
            let answer = self.function.bind(py).call1((view,)).map_err(other)?;
            id_of(history, &answer).map_err(|error| Failure::Illegal(error.to_string()))
        })
    }
}

fn other(error: PyErr) -> Failure {
    Failure::Other(Box::new(error))
}

/// Gives back the error that a function has raised, as it was.
fn raised(failure: Failure) -> PyErr {
    match failure {
        Failure::Other(error) => match error.downcast::<PyErr>() {
            Ok(error) => *error,
            Err(error) => value_error(error),
        },
        Failure::Illegal(told) => PyValueError::new_err(told),
    }
}

/// The record of a game; nothing where the referee's format has no place for it.
fn line(game: &dyn AnyGame, history: &dyn AnyHistory, id: &str, labels: &[String]) -> Vec<u8> {
    match records::record(game, history, labels) {
        Ok(mut record) => {
            if record.get("contest").is_some() {
                record["id"] = json!(id);
            }
            record.to_string().into_bytes()
        }
        Err(_) => Vec::new(),
    }
}

/// Reads who takes part: pairs of a label and a player or function.
fn entered(
    game: &Arc<dyn AnyGame>,
    participants: Vec<(String, Bound<'_, PyAny>)>,
) -> PyResult<Vec<(String, Maker)>> {
    let mut all: Vec<(String, Maker)> = Vec::new();
    for (label, who) in participants {
        if all.iter().any(|(known, _)| *known == label) {
            let text = format!("two participants are called {label:?}");
            return Err(PyValueError::new_err(text));
        }
        let maker = match who.cast::<Player>() {
            Ok(player) => player.borrow_mut().maker(game.name())?,
            Err(_) if who.is_callable() => {
                // All seats of a participant share its function.
                let (function, game) = (Arc::new(who.unbind()), Arc::clone(game));
                Arc::new(move |_| {
                    let (function, game) = (Arc::clone(&function), Arc::clone(&game));
                    Box::new(Function { function, game }) as Box<dyn Seat>
                })
            }
            Err(_) => {
                let kind = who.get_type().name()?;
                return Err(PyTypeError::new_err(format!(
                    "expected a Player or a function of a View, not {kind}"
                )));
            }
        };
        all.push((label, maker));
    }
    Ok(all)
}

/// How long a match goes on until this thread looks whether somebody wants it to end: signals are Python's affair, and
/// Python tells them to its first thread alone.
const LOOK: Duration = Duration::from_millis(100);

/// Plays a plan, and returns what was played with the records. Whoever waits for it may want it to end: the games under
/// way are finished then.
fn played(py: Python<'_>, played: &Match, plan: &Plan) -> PyResult<(Played, Vec<Value>)> {
    let is_over = AtomicBool::new(false);
    let mut records = Vec::new();
    let mut asked: PyResult<()> = Ok(());
    let outcome = py.detach(|| {
        thread::scope(|scope| {
            // The match runs on another thread, and this one asks the interpreter for signals now and then:
            // Ctrl-C would otherwise wait for the end.
            let (told, end) = mpsc::channel();
            let (is_over, records) = (&is_over, &mut records);
            scope.spawn(move || {
                let outcome = played.play(plan, |block| {
                    let lines = block.iter().map(|played| &played.1.line);
                    let read = lines.filter(|line| !line.is_empty());
                    records.extend(read.filter_map(|line| serde_json::from_slice(line).ok()));
                    match is_over.load(Ordering::Relaxed) {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                });
                // Nobody else listens, and that one waits.
                let _ = told.send(outcome);
            });
            loop {
                match end.recv_timeout(LOOK) {
                    Ok(outcome) => return outcome,
                    Err(RecvTimeoutError::Timeout) if asked.is_ok() => {
                        asked = Python::attach(|py| py.check_signals());
                        is_over.store(asked.is_err(), Ordering::Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(Failure::Illegal("the match has failed".to_owned()));
                    }
                }
            }
        })
    });
    asked?;
    Ok((outcome.map_err(raised)?, records))
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
    let entered = entered(&game.0, participants)?;
    let (count, seats) = (entered.len(), game.0.players());
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
        games,
        jobs: jobs.max(1),
    };
    let mut of = Match::new(Arc::clone(&game.0), entered, seed);
    if record {
        let game = Arc::clone(&game.0);
        of.line = Some(Box::new(move |history, id, labels| {
            line(&*game, history, id, labels)
        }));
    }
    // An error that a participant's function raises ends the match, and is raised here as it was.
    let (found, records) = played(py, &of, &plan)?;
    let (line_ups, played) = (found.line_ups, found.games);
    let mut value = json!({"line_ups": line_ups, "records": records});
    if tournament {
        let ratings = py.detach(|| rating::rate(&played, &rating::Options::default()));
        value["ratings"] =
            serde_json::to_value(ratings.map_err(value_error)?).map_err(value_error)?;
    }
    to_python(py, &value)
}
