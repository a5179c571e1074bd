//! Observations as numpy's arrays: now, and after each action.

use games::batch::Afterstates;
use games::ids;
use games::{AnyGame, AnyHistory, Observation, Turn};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The observation of a name, if the game has it.
pub(crate) fn named(game: &dyn AnyGame, name: Option<&str>) -> PyResult<Observation> {
    let observation = match name {
        Some("plain") => Observation::Plain,
        Some("network") => Observation::Network,
        None => Observation::Nothing,
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "observation = {other:?}: expected \"plain\", \"network\" or None"
            )));
        }
    };
    // A size is there for each observation that the game has.
    match game.size_of(observation) {
        Some(_) => Ok(observation),
        None => Err(no_network(game)),
    }
}

fn no_network(game: &dyn AnyGame) -> PyErr {
    PyValueError::new_err(format!("{} has no network", game.name()))
}

/// The plain observation of a seat.
pub(crate) fn plain<'py>(
    py: Python<'py>,
    game: &dyn AnyGame,
    history: &dyn AnyHistory,
    seat: usize,
) -> Bound<'py, PyArray1<u8>> {
    let mut out = vec![0; game.observation()];
    history.observe(seat, &mut out);
    out.into_pyarray(py)
}

/// Fails unless the seat, or anyone if none is given, is to move.
fn is_to_move(history: &dyn AnyHistory, seat: Option<usize>, what: &str) -> PyResult<()> {
    match history.turn() {
        Turn::Seat(mover) if seat.is_none_or(|seat| seat == mover) => Ok(()),
        _ => Err(PyValueError::new_err(format!(
            "{what} are those of the player to move"
        ))),
    }
}

/// The network's observation of the player to move.
pub(crate) fn network<'py>(
    py: Python<'py>,
    game: &dyn AnyGame,
    history: &dyn AnyHistory,
    seat: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let size = game.features().ok_or_else(|| no_network(game))?;
    is_to_move(history, seat, "observations of the network")?;
    let mut out = vec![0; size];
    history.observe_features(&mut out);
    Ok(out.into_pyarray(py))
}

pub(crate) type Rows<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray2<u8>>,
    Bound<'py, PyArray1<f32>>,
);

/// The arrays of afterstates: the numbers of their games, and the rest.
pub(crate) fn arrays(
    py: Python<'_>,
    after: Afterstates,
) -> PyResult<(Bound<'_, PyArray1<i64>>, Rows<'_>)> {
    let rows = after.ids.len();
    let observations = after.observations.into_pyarray(py);
    // The bytes are moved into Python's array, not copied.
    let observations = observations.reshape([rows, after.size])?;
    let (ids, outcomes) = (after.ids.into_pyarray(py), after.outcomes.into_pyarray(py));
    Ok((after.games.into_pyarray(py), (ids, observations, outcomes)))
}

/// The afterstates of one game, as the player to move sees them.
pub(crate) fn after<'py>(
    py: Python<'py>,
    game: &dyn AnyGame,
    history: &dyn AnyHistory,
    seat: Option<usize>,
    observation: Option<&str>,
) -> PyResult<Rows<'py>> {
    let observation = named(game, observation)?;
    is_to_move(history, seat, "afterstates")?;
    let size = game.size_of(observation).unwrap_or(0);
    let mut after = Afterstates {
        size,
        ..Afterstates::default()
    };
    // A row for each legal action, ids ascending, as in a batch.
    for id in ids(history.legal()) {
        let from = after.observations.len();
        after.observations.resize(from + size, 0);
        let ended = history.observe_after(id, observation, &mut after.observations[from..]);
        after.outcomes.push(ended.unwrap_or(f32::NAN));
        after.ids.push(id.into());
    }
    Ok(arrays(py, after)?.1)
}
