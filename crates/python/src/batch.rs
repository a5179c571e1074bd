//! Many games at once, written into numpy's arrays.

use crate::convert::{self, lent, value_error};
use crate::matches;
use crate::objects::Game;
use crate::observed;
use crate::signals::Signals;
use crate::workers::{self, Workers};
use games::Observation;
use games::batch::{AnyBatch, BatchError, Rows, SavedBatch};
use numpy::{
    PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyReadonlyArray3, PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray3,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pyclass::{PyTraverseError, PyVisit};
use pyo3::types::PyBytes;
use seats::solo::Solo;
use std::sync::Arc;

/// Numbers of games, ids, observations, outcomes.
type AfterstateArrays<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray2<u8>>,
    Bound<'py, PyArray1<f32>>,
);

/// Many games of one kind, stepped by one call. Its arrays are written anew by every call, in place.
///
/// - `game`: the game that all environments play; `games`: how many there are.
/// - `seed`: the same seed and actions bring the same games, on any number of threads.
/// - `observation`: `"plain"` for the fields of the game, `"network"` for the input of its network, or None.
/// - `threads`: from 1 to 256; they pay from some hundred games on, or with opponents that think.
/// - `final_observations`: whether to keep what each seat sees at the end of a game, in the array of that name.
/// - `opponents`: a `Player` or a function of a `View` for each seat but yours, in turn order after you. Every row is
///   yours then: it is always your turn, and rewards have one column.
/// - `seat`: your seat among opponents; drawn for every game if it is None.
#[pyclass(module = "contestants")]
pub(crate) struct Batch {
    /// The game that all environments play.
    #[pyo3(get)]
    game: Py<Game>,
    games: Box<dyn AnyBatch>,
    /// The opponents that are functions. The makers within `games` share these references, so that Python's collector
    /// counts each one once.
    functions: Vec<Arc<Py<PyAny>>>,
    observation: Observation,
    /// The threads beside the caller's; none with one thread.
    workers: Option<Workers>,
    threads: usize,
    /// Those that come while opponents think, if there are any.
    signals: Option<Arc<Signals>>,
    /// What the player to move sees, a row for each game.
    #[pyo3(get)]
    observations: Py<PyArray2<u8>>,
    /// Which ids are legal.
    #[pyo3(get)]
    masks: Py<PyArray2<bool>>,
    /// The seat to move.
    #[pyo3(get)]
    seats: Py<PyArray1<i8>>,
    /// The returns of games that the last step ended; 0 for other games.
    #[pyo3(get)]
    rewards: Py<PyArray2<f32>>,
    /// Whether the last step ended the game by its rules.
    #[pyo3(get)]
    terminated: Py<PyArray1<bool>>,
    /// Whether the last step stopped the game undecided.
    #[pyo3(get)]
    truncated: Py<PyArray1<bool>>,
    /// The plain observation of every seat at the end of each game that the last step ended; other rows are those
    /// of older games. None unless it was asked for.
    #[pyo3(get)]
    final_observations: Option<Py<PyArray3<u8>>>,
    /// The ids that `random_actions` has written, one for each game.
    #[pyo3(get)]
    actions: Py<PyArray1<i64>>,
}

/// The most games of a batch; these take about two gigabytes. A process that asks for more memory than there is ends
/// without an error that Python could show.
const MOST_GAMES: usize = 1 << 22;

/// The arrays, taken for writing.
struct Taken<'py> {
    observations: PyReadwriteArray2<'py, u8>,
    masks: PyReadwriteArray2<'py, bool>,
    seats: PyReadwriteArray1<'py, i8>,
    rewards: PyReadwriteArray2<'py, f32>,
    terminated: PyReadwriteArray1<'py, bool>,
    truncated: PyReadwriteArray1<'py, bool>,
    finals: Option<PyReadwriteArray3<'py, u8>>,
}

impl Taken<'_> {
    fn rows(&mut self) -> PyResult<Rows<'_>> {
        Ok(Rows {
            observations: self.observations.as_slice_mut()?,
            masks: self.masks.as_slice_mut()?,
            seats: self.seats.as_slice_mut()?,
            rewards: self.rewards.as_slice_mut()?,
            terminated: self.terminated.as_slice_mut()?,
            truncated: self.truncated.as_slice_mut()?,
            finals: match &mut self.finals {
                Some(finals) => finals.as_slice_mut()?,
                None => &mut [],
            },
        })
    }
}

/// The arrays of a stored batch that its games do not give again: the last step's rewards, flags and last
/// observations.
type LastStep<'py> = (
    PyReadonlyArray2<'py, f32>,
    PyReadonlyArray1<'py, bool>,
    PyReadonlyArray1<'py, bool>,
    Option<PyReadonlyArray3<'py, u8>>,
);

impl Batch {
    fn taken<'py>(&self, py: Python<'py>) -> PyResult<Taken<'py>> {
        let finals = self.final_observations.as_ref();
        Ok(Taken {
            finals: finals
                .map(|finals| finals.bind(py).try_readwrite())
                .transpose()?,
            observations: self.observations.bind(py).try_readwrite()?,
            masks: self.masks.bind(py).try_readwrite()?,
            seats: self.seats.bind(py).try_readwrite()?,
            rewards: self.rewards.bind(py).try_readwrite()?,
            terminated: self.terminated.bind(py).try_readwrite()?,
            truncated: self.truncated.bind(py).try_readwrite()?,
        })
    }
}

impl Batch {
    fn begin(&mut self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        let mut taken = self.taken(py)?;
        let rows = taken.rows()?;
        let games = &mut self.games;
        let reset = || games.reset(seed, rows);
        let done = match &self.signals {
            Some(signals) => signals.during(py, None, reset)?,
            None => py.detach(reset),
        };
        done.map_err(raised)
    }
}

#[pymethods]
impl Batch {
    /// This number of games, all begun.
    #[new]
    #[pyo3(signature = (game, games, *, seed = 0, observation = Some("plain"), threads = 1, final_observations = false,
        opponents = None, seat = None), text_signature = "(game, games, *, seed=0, observation='plain', threads=1, \
        final_observations=False, opponents=None, seat=None)")]
    #[expect(
        clippy::too_many_arguments,
        reason = "they are the keywords of a class of Python"
    )]
    fn new(
        py: Python<'_>,
        game: Py<Game>,
        #[pyo3(from_py_with = convert::games)] games: usize,
        #[pyo3(from_py_with = convert::seed)] seed: u64,
        observation: Option<&str>,
        #[pyo3(from_py_with = convert::threads)] threads: usize,
        final_observations: bool,
        opponents: Option<Vec<Bound<'_, PyAny>>>,
        #[pyo3(from_py_with = convert::optional_seat)] seat: Option<usize>,
    ) -> PyResult<Batch> {
        let any = &*game.get().0;
        let kind = observed::named(any, observation)?;
        if games > MOST_GAMES {
            return Err(PyValueError::new_err(format!(
                "games = {games}: expected 1 to {MOST_GAMES}"
            )));
        }
        if !(1..=workers::MOST).contains(&threads) {
            return Err(PyValueError::new_err(format!(
                "threads = {threads}: expected 1 to {}",
                workers::MOST
            )));
        }
        // With one thread the games run on the caller's, without a pool.
        let workers = match threads {
            1 => None,
            threads => Some(Workers::new(threads)?),
        };
        // The arrays are made once and written in place by every call: no step allocates any.
        let (mut signals, mut functions) = (None, Vec::new());
        let games_of = match opponents {
            None if seat.is_some() => {
                return Err(PyValueError::new_err(
                    "seat: without opponents every seat is yours",
                ));
            }
            None => any.batch(games, seed, kind, final_observations),
            Some(opponents) => {
                let others = any.players - 1;
                if opponents.len() != others {
                    let found = opponents.len();
                    let text = format!("{found} opponents: expected {others}");
                    return Err(PyValueError::new_err(text));
                }
                if let Some(seat) = seat.filter(|&seat| seat > others) {
                    let text = format!("seat = {seat}: expected 0 to {others} or None");
                    return Err(PyValueError::new_err(text));
                }
                let all = &game.get().0;
                let made = opponents.iter().map(|who| matches::maker(all, who));
                let made = made.collect::<PyResult<Vec<_>>>()?;
                let watching = signals.insert(Signals::new());
                let made = made.into_iter().map(|(maker, function)| {
                    functions.extend(function);
                    watching.watched(maker)
                });
                let all = Arc::clone(all);
                Box::new(Solo::new(
                    all,
                    made.collect(),
                    seat,
                    games,
                    seed,
                    kind,
                    final_observations,
                ))
            }
        };
        let sizes = games_of.sizes();
        let last = [games, sizes.players, any.observation];
        let mut batch = Batch {
            game,
            games: games_of,
            functions,
            observation: kind,
            workers,
            threads,
            signals,
            final_observations: final_observations
                .then(|| PyArray3::zeros(py, last, false).unbind()),
            observations: PyArray2::zeros(py, [games, sizes.observation], false).unbind(),
            masks: PyArray2::zeros(py, [games, sizes.actions], false).unbind(),
            seats: PyArray1::zeros(py, games, false).unbind(),
            rewards: PyArray2::zeros(py, [games, sizes.players], false).unbind(),
            terminated: PyArray1::zeros(py, games, false).unbind(),
            truncated: PyArray1::zeros(py, games, false).unbind(),
            actions: PyArray1::zeros(py, games, false).unbind(),
        };
        // The games begin at once, so that the arrays show the first observations.
        batch.begin(py, None)?;
        Ok(batch)
    }

    /// Opponents may refer to the batch: an agent that has its environment plays there by a method of its own.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let mut functions = self.functions.iter();
        functions.try_for_each(|function| visit.call(&**function))
    }

    fn __clear__(&mut self) {
        self.games = self.game.get().0.batch(0, 0, Observation::Nothing, false);
        self.functions.clear();
    }

    fn __len__(&self) -> usize {
        self.games.len()
    }

    /// Starts every game anew. With a seed, the batch is as one that was made with this seed.
    #[pyo3(signature = (seed = None))]
    fn reset(
        own: &Bound<'_, Self>,
        #[pyo3(from_py_with = convert::optional_seed)] seed: Option<u64>,
    ) -> PyResult<()> {
        lent(own)?.begin(own.py(), seed)
    }

    /// Takes an action in every game: whole numbers, in a list or an array. If an opponent's function raises an
    /// exception, it is raised here; that game and its row are as before, and the other games have gone on. Ctrl-C ends
    /// the step before the next action of an opponent; games whose opponents had not answered are as before.
    fn step(own: &Bound<'_, Self>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        // Read before the batch is lent: numbers of other classes may run any code.
        let actions = convert::ids(actions)?;
        let (py, mut own) = (own.py(), lent(own)?);
        let own = &mut *own;
        let mut taken = own.taken(py)?;
        let rows = taken.rows()?;
        let pool = match &mut own.workers {
            Some(workers) => workers.pool()?,
            None => None,
        };
        let (games, actions) = (&mut own.games, actions.as_slice()?);
        // The interpreter is free for other threads meanwhile.
        let step = || games.step(actions, rows, pool);
        let done = match &own.signals {
            Some(signals) => signals.during(py, pool, step)?,
            None => py.detach(step),
        };
        done.map_err(raised)
    }

    /// A legal action for every game, all equally likely.
    fn random_actions<'py>(own: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let (py, mut own) = (own.py(), lent(own)?);
        // The same array every time: a caller that keeps the actions must copy it.
        let array = own.actions.bind(py).clone();
        let mut taken = array.try_readwrite()?;
        let actions = taken.as_slice_mut()?;
        let (found, expected) = (actions.len(), own.games.len());
        if found != expected {
            return Err(value_error(BatchError::Resized {
                array: "actions",
                found,
                expected,
            }));
        }
        let games = &mut own.games;
        py.detach(|| games.random_actions(actions));
        Ok(array)
    }

    /// What the player to move would see after each legal action of every game, before chance has its turn:
    /// games, ids, observations and outcomes, a row for each action. No game changes.
    #[pyo3(signature = (observation = Some("plain")), text_signature = "($self, observation='plain')")]
    fn afterstates<'py>(
        own: &Bound<'py, Self>,
        observation: Option<&str>,
    ) -> PyResult<AfterstateArrays<'py>> {
        let (py, mut own) = (own.py(), lent(own)?);
        let own = &mut *own;
        let kind = observed::named(&own.game.get().0, observation)?;
        let pool = match &mut own.workers {
            Some(workers) => workers.pool()?,
            None => None,
        };
        let all = &own.games;
        let after = py.detach(|| all.afterstates(kind, pool));
        let (games, (ids, observations, outcomes)) = observed::arrays(py, after)?;
        Ok((games, ids, observations, outcomes))
    }

    /// Pickle and copy make a batch of the same size, and give it the games of this one.
    fn __reduce__<'py>(
        own: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, own) = (own.py(), lent(own)?);
        let make = py.import("contestants")?.getattr("_batch")?;
        let finals = own.final_observations.is_some();
        let observation = observed::name(own.observation);
        let arguments = (&own.game, own.games.len(), observation, own.threads, finals);
        let saved =
            serde_json::to_vec(&own.games.saved().map_err(value_error)?).map_err(value_error)?;
        let last_step = (
            &own.rewards,
            &own.terminated,
            &own.truncated,
            &own.final_observations,
        );
        let state = (PyBytes::new(py, &saved), last_step);
        Ok((
            make,
            arguments.into_pyobject(py)?.into_any(),
            state.into_pyobject(py)?.into_any(),
        ))
    }

    fn __setstate__(
        own: &Bound<'_, Self>,
        state: (Bound<'_, PyBytes>, LastStep<'_>),
    ) -> PyResult<()> {
        let (py, mut own) = (own.py(), lent(own)?);
        let (saved, last_step) = state;
        let saved: SavedBatch = serde_json::from_slice(saved.as_bytes()).map_err(value_error)?;
        let mut taken = own.taken(py)?;
        let mut rows = taken.rows()?;
        let games = &mut own.games;
        games.restore(&saved, &mut rows).map_err(value_error)?;
        let (rewards, terminated, truncated, finals) = &last_step;
        copy(rows.rewards, rewards.as_slice()?)?;
        copy(rows.terminated, terminated.as_slice()?)?;
        copy(rows.truncated, truncated.as_slice()?)?;
        match finals {
            Some(finals) => copy(rows.finals, finals.as_slice()?),
            None => Ok(()),
        }
    }

    fn __repr__(&self) -> String {
        format!(
            "<Batch of {} games of {}>",
            self.games.len(),
            self.game.get().0.name
        )
    }
}

/// The exception that an opponent's function has raised, as it was; any other error as a `ValueError`.
fn raised(error: BatchError) -> PyErr {
    match error {
        BatchError::Player { game, error } => match error.downcast::<PyErr>() {
            Ok(raised) => *raised,
            Err(error) => value_error(BatchError::Player { game, error }),
        },
        error => value_error(error),
    }
}

/// Copies a stored array into one of the same length.
fn copy<T: Copy>(to: &mut [T], from: &[T]) -> PyResult<()> {
    if to.len() != from.len() {
        return Err(PyValueError::new_err(format!(
            "a stored array has {} values, not {}",
            from.len(),
            to.len()
        )));
    }
    to.copy_from_slice(from);
    Ok(())
}
