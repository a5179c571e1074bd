//! Observations as numpy arrays: of the present position, and of the positions after each action.
//!
//! The classes of the Python package call these functions. Errors become `ValueError`.

use games::batch::Afterstates;
use games::ids;
use games::{AnyGame, AnyHistory, Observation, Turn, Witnessed};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::borrow::Cow;

/// The observation with this name.
///
/// # Errors
/// If no observation has the name, or it is the network's and the game has no network.
pub(crate) fn named(game: &AnyGame, name: Option<&str>) -> PyResult<Observation> {
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
    // A game gives a size for each observation that it has, and none for the others.
    match game.size_of(observation) {
        Some(_) => Ok(observation),
        None => Err(no_network(game)),
    }
}

/// The name by which [`named`] knows an observation.
pub(crate) fn name(observation: Observation) -> Option<&'static str> {
    match observation {
        Observation::Plain => Some("plain"),
        Observation::Network => Some("network"),
        Observation::Nothing => None,
    }
}

fn no_network(game: &AnyGame) -> PyErr {
    PyValueError::new_err(format!("{} has no network", game.name))
}

/// The plain observation of a seat.
pub(crate) fn plain<'py>(
    py: Python<'py>,
    game: &AnyGame,
    history: &dyn AnyHistory,
    seat: usize,
) -> Bound<'py, PyArray1<u8>> {
    let mut out = vec![0; game.observation];
    history.observe(seat, &mut out);
    out.into_pyarray(py)
}

/// The most numbers of an information tensor.
const MOST_NUMBERS: usize = 1 << 16;

/// The shape of a game's information tensors: a row for each event of the longest game. None if it would be too large.
pub(crate) fn information_shape(game: &AnyGame) -> Option<(usize, usize)> {
    let ids = game.actions.max(game.outcomes);
    let shape = (game.longest, FLAGS + game.players + ids);
    let numbers = shape.0.checked_mul(shape.1)?;
    (numbers <= MOST_NUMBERS).then_some(shape)
}

/// The numbers of an event before those of seats and ids: chance, hidden, open to the next seat as well.
const FLAGS: usize = 3;

/// All that a seat has seen, in the shape of [`information_shape`]. A row is an event: who acted (chance, or a seat
/// counted from the own one), and what it was, or that it was hidden; each a number of 0 or 1. Rows that are left
/// over are 0. `seen` has what the events do not have.
pub(crate) fn information<'py>(
    py: Python<'py>,
    game: &AnyGame,
    history: &dyn AnyHistory,
    seat: usize,
    seen: Option<&Vec<Witnessed>>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let Some((rows, width)) = information_shape(game) else {
        return Err(PyValueError::new_err(format!(
            "a game of {} can have {} events, too many for a tensor of fixed size: limit its length by an option, \
             or use `information_state`",
            game.name, game.longest
        )));
    };
    // A position that is stored is that of a game begun in its middle.
    if seen.is_none() && history.position().is_some() {
        return Err(PyValueError::new_err(format!(
            "this game of {} was resampled or began in its middle, and what the seat saw before is not in its events: \
             use `information_state`",
            game.name
        )));
    }
    let players = game.players;
    let mut out = vec![0; rows * width];
    let seen = seen.map_or_else(|| Cow::Owned(history.seen(seat)), Cow::Borrowed);
    for (event, row) in seen.iter().zip(out.chunks_exact_mut(width)) {
        match event.by {
            None => row[0] = 1,
            Some(by) => row[FLAGS + (usize::from(by) + players - seat) % players] = 1,
        }
        match event.id {
            None => row[1] = 1,
            Some(id) => row[FLAGS + players + usize::from(id)] = 1,
        }
        row[2] = event.open.into();
    }
    out.into_pyarray(py).reshape([rows, width])
}

/// Checks that a player is to move: the given seat, or any if none is given. `what` begins the error's text.
fn is_to_move(history: &dyn AnyHistory, seat: Option<usize>, what: &str) -> PyResult<()> {
    match history.turn() {
        Turn::Seat(mover) if seat.is_none_or(|seat| seat == mover) => Ok(()),
        _ => Err(PyValueError::new_err(format!(
            "{what} are those of the player to move"
        ))),
    }
}

/// The network's observation of the player to move.
///
/// # Errors
/// If the game has no network, or `seat` is given and not to move.
pub(crate) fn network<'py>(
    py: Python<'py>,
    game: &AnyGame,
    history: &dyn AnyHistory,
    seat: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let size = game.features.ok_or_else(|| no_network(game))?;
    is_to_move(history, seat, "observations of the network")?;
    let mut out = vec![0; size];
    history.observe_features(&mut out);
    Ok(out.into_pyarray(py))
}

/// One row for each afterstate: the action's id, the observation, and the outcome, NaN if the game goes on.
pub(crate) type Rows<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray2<u8>>,
    Bound<'py, PyArray1<f32>>,
);

/// The arrays of afterstates: for each row the number of its game, and its [`Rows`].
pub(crate) fn arrays(
    py: Python<'_>,
    after: Afterstates,
) -> PyResult<(Bound<'_, PyArray1<i64>>, Rows<'_>)> {
    let rows = after.ids.len();
    let observations = after.observations.into_pyarray(py);
    // One flat vector becomes a matrix; its bytes are moved, not copied.
    let observations = observations.reshape([rows, after.size])?;
    let (ids, outcomes) = (after.ids.into_pyarray(py), after.outcomes.into_pyarray(py));
    Ok((after.games.into_pyarray(py), (ids, observations, outcomes)))
}

/// The afterstates of one game, as the player to move sees them.
pub(crate) fn after<'py>(
    py: Python<'py>,
    game: &AnyGame,
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
        after
            .outcomes
            .push(ended.map_or(f32::NAN, |value| value as f32));
        after.ids.push(id.into());
    }
    Ok(arrays(py, after)?.1)
}
