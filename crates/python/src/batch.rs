//! Many games at once, written into numpy's arrays.

use crate::convert::value_error;
use crate::objects::Game;
use crate::observed;
use games::batch::{AnyBatch, Rows};
use numpy::{
    AllowTypeChange, PyArray1, PyArray2, PyArrayLike1, PyArrayMethods, PyReadwriteArray1,
    PyReadwriteArray2,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Numbers of games, ids, observations, outcomes.
type AfterstateArrays<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray2<u8>>,
    Bound<'py, PyArray1<f32>>,
);

/// Many games of one kind, stepped by one call. Its arrays are written anew by every call, in place.
#[pyclass(module = "contestants")]
pub(crate) struct Batch {
    /// The game that all environments play.
    #[pyo3(get)]
    game: Py<Game>,
    games: Box<dyn AnyBatch>,
    pool: Option<ThreadPool>,
    /// What the player to move sees, a row for each game.
    #[pyo3(get)]
    observations: Py<PyArray2<u8>>,
    /// Which ids are legal.
    #[pyo3(get)]
    masks: Py<PyArray2<bool>>,
    /// The seat to move.
    #[pyo3(get)]
    seats: Py<PyArray1<i8>>,
    /// What the last step brought to each seat.
    #[pyo3(get)]
    rewards: Py<PyArray2<f32>>,
    /// Whether the last step ended the game by its rules.
    #[pyo3(get)]
    terminated: Py<PyArray1<bool>>,
    /// Whether the last step ended it as one that is stopped.
    #[pyo3(get)]
    truncated: Py<PyArray1<bool>>,
    /// The ids that `random_actions` has written, one an environment.
    #[pyo3(get)]
    actions: Py<PyArray1<i64>>,
}

/// The arrays, taken for writing.
struct Taken<'py> {
    observations: PyReadwriteArray2<'py, u8>,
    masks: PyReadwriteArray2<'py, bool>,
    seats: PyReadwriteArray1<'py, i8>,
    rewards: PyReadwriteArray2<'py, f32>,
    terminated: PyReadwriteArray1<'py, bool>,
    truncated: PyReadwriteArray1<'py, bool>,
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
        })
    }
}

impl Batch {
    fn taken<'py>(&self, py: Python<'py>) -> PyResult<Taken<'py>> {
        Ok(Taken {
            observations: self.observations.bind(py).try_readwrite()?,
            masks: self.masks.bind(py).try_readwrite()?,
            seats: self.seats.bind(py).try_readwrite()?,
            rewards: self.rewards.bind(py).try_readwrite()?,
            terminated: self.terminated.bind(py).try_readwrite()?,
            truncated: self.truncated.bind(py).try_readwrite()?,
        })
    }
}

#[pymethods]
impl Batch {
    /// So many games, all begun.
    #[new]
    #[pyo3(signature = (game, games, *, seed = 0, observation = Some("plain"), threads = 1))]
    fn new(
        py: Python<'_>,
        game: Py<Game>,
        games: usize,
        seed: u64,
        observation: Option<&str>,
        threads: usize,
    ) -> PyResult<Batch> {
        let any = &*game.get().0;
        let kind = observed::named(any, observation)?;
        if games == 0 || threads == 0 {
            return Err(PyValueError::new_err(
                "expected at least one game and one thread",
            ));
        }
        // With one thread the games run on the caller's, without a pool.
        let pool = match threads {
            1 => None,
            threads => Some(
                ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .map_err(value_error)?,
            ),
        };
        // The arrays are made once and written in place by every call: no step allocates any.
        let games_of = any.batch(games, seed, kind);
        let sizes = games_of.sizes();
        let mut batch = Batch {
            game,
            games: games_of,
            pool,
            observations: PyArray2::zeros(py, [games, sizes.observation], false).unbind(),
            masks: PyArray2::zeros(py, [games, sizes.actions], false).unbind(),
            seats: PyArray1::zeros(py, games, false).unbind(),
            rewards: PyArray2::zeros(py, [games, sizes.players], false).unbind(),
            terminated: PyArray1::zeros(py, games, false).unbind(),
            truncated: PyArray1::zeros(py, games, false).unbind(),
            actions: PyArray1::zeros(py, games, false).unbind(),
        };
        // The games begin at once, so that the arrays show the first observations.
        batch.reset(py, None)?;
        Ok(batch)
    }

    fn __len__(&self) -> usize {
        self.games.len()
    }

    /// New games everywhere; with a seed as if the batch had been made with it.
    #[pyo3(signature = (seed = None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        let mut taken = self.taken(py)?;
        let rows = taken.rows()?;
        let games = &mut self.games;
        py.detach(|| games.reset(seed, rows));
        Ok(())
    }

    /// Takes an action in every game.
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyArrayLike1<'_, i64, AllowTypeChange>,
    ) -> PyResult<()> {
        let mut taken = self.taken(py)?;
        let rows = taken.rows()?;
        let actions = actions.as_slice()?;
        let (games, pool) = (&mut self.games, self.pool.as_ref());
        // The interpreter is free for other threads meanwhile.
        py.detach(|| games.step(actions, rows, pool))
            .map_err(value_error)
    }

    /// A legal action for every game, all equally likely.
    fn random_actions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        // The same array every time: a caller that keeps the actions must copy it.
        let array = self.actions.bind(py);
        let mut taken = array.try_readwrite()?;
        let actions = taken.as_slice_mut()?;
        let games = &mut self.games;
        py.detach(|| games.random_actions(actions));
        Ok(array.clone())
    }

    /// What the player to move would see after each legal action of every game, before chance has its turn:
    /// games, ids, observations and outcomes, a row for each action. No game changes.
    #[pyo3(signature = (observation = Some("plain")))]
    fn afterstates<'py>(
        &self,
        py: Python<'py>,
        observation: Option<&str>,
    ) -> PyResult<AfterstateArrays<'py>> {
        let kind = observed::named(&*self.game.get().0, observation)?;
        let (all, pool) = (&self.games, self.pool.as_ref());
        let after = py.detach(|| all.afterstates(kind, pool));
        let (games, (ids, observations, outcomes)) = observed::arrays(py, after)?;
        Ok((games, ids, observations, outcomes))
    }

    fn __repr__(&self) -> String {
        format!(
            "<Batch of {} games of {}>",
            self.games.len(),
            self.game.get().0.name()
        )
    }
}
