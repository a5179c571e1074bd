//! The classes that know each other: a game makes states, and a state has a game.

use environments::play::Origin;
use environments::{AnyGame, Play, SavedTable};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Whose turn it is when it is chance's.
pub(crate) const CHANCE: i32 = -1;
/// Whose turn it is at the end. As in OpenSpiel.
pub(crate) const TERMINAL: i32 = -4;

/// A game with its options.
#[pyclass(frozen, module = "contestants")]
#[derive(Clone)]
pub(crate) struct Game(pub(crate) Arc<AnyGame>);

/// A game that is played, with everything open.
#[pyclass(module = "contestants")]
pub(crate) struct State {
    pub(crate) game: Arc<AnyGame>,
    pub(crate) origin: Origin,
    pub(crate) table: Box<dyn Play>,
}

impl State {
    pub(crate) fn new(game: Arc<AnyGame>, origin: Origin, table: Box<dyn Play>) -> State {
        State {
            game,
            origin,
            table,
        }
    }

    pub(crate) fn duplicate(&self) -> State {
        State::new(
            Arc::clone(&self.game),
            self.origin.clone(),
            self.table.boxed(),
        )
    }

    pub(crate) fn saved(&self) -> SavedTable {
        SavedTable {
            game: self.game.name().to_owned(),
            options: self.game.options(),
            origin: self.origin.clone(),
            seed: self.table.seed(),
            events: self.table.events().to_vec(),
        }
    }

    pub(crate) fn seat(&self, seat: usize) -> PyResult<usize> {
        match seat < self.game.players() {
            true => Ok(seat),
            false => Err(PyValueError::new_err(format!(
                "there is no seat {seat}, only 0 to {}",
                self.game.players() - 1
            ))),
        }
    }

    /// A game that looks the same to a seat.
    pub(crate) fn sampled(&self, seat: usize, draw: u64) -> State {
        let table = self.table.resampled(seat, draw);
        let origin = table.position().map_or(Origin::New, Origin::Position);
        State::new(Arc::clone(&self.game), origin, table)
    }
}

/// What a seat sees of a game.
#[pyclass(frozen, module = "contestants")]
pub(crate) struct View {
    pub(crate) state: State,
    pub(crate) seat: usize,
}

impl View {
    pub(crate) fn of(game: &Arc<AnyGame>, table: &dyn Play, seat: usize) -> View {
        View {
            state: State::new(Arc::clone(game), Origin::New, table.boxed()),
            seat,
        }
    }
}
