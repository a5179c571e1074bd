//! Classes that refer to each other: a game makes states, and a state has a game.

use games::any::Origin;
use games::{AnyGame, AnyHistory, SavedHistory, Witnessed};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, OnceLock};

/// The player to move if chance is to move.
pub(crate) const CHANCE: i32 = -1;
/// The player to move at the end of a game, as in OpenSpiel.
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
    pub(crate) history: Box<dyn AnyHistory>,
}

impl State {
    pub(crate) fn new(game: Arc<AnyGame>, origin: Origin, history: Box<dyn AnyHistory>) -> State {
        State {
            game,
            origin,
            history,
        }
    }

    pub(crate) fn duplicate(&self) -> State {
        State::new(
            Arc::clone(&self.game),
            self.origin.clone(),
            self.history.boxed(),
        )
    }

    pub(crate) fn saved(&self) -> SavedHistory {
        SavedHistory {
            game: self.game.name.to_owned(),
            options: self.game.options.clone(),
            origin: self.origin.clone(),
            seed: self.history.seed(),
            events: self.history.events().to_vec(),
        }
    }

    pub(crate) fn seat(&self, seat: usize) -> PyResult<usize> {
        match seat < self.game.players {
            true => Ok(seat),
            false => Err(PyValueError::new_err(format!(
                "there is no seat {seat}, only 0 to {}",
                self.game.players - 1
            ))),
        }
    }

    /// A game that looks the same to a seat.
    pub(crate) fn sampled(&self, seat: usize, draw: u64) -> State {
        let history = self.history.resampled(seat, draw);
        // The sampled game has a start with other hidden cards. Stored with it, the state can be pickled.
        let usual = || self.origin.clone();
        let origin = history.position().map_or_else(usual, Origin::Position);
        State::new(Arc::clone(&self.game), origin, history)
    }
}

/// What a seat sees of a game.
#[pyclass(frozen, module = "contestants")]
pub(crate) struct View {
    pub(crate) state: State,
    pub(crate) seat: usize,
    /// What the seat has seen, if the events of the state do not have it: in a view that was pickled.
    pub(crate) seen: OnceLock<Vec<Witnessed>>,
}

impl View {
    pub(crate) fn new(state: State, seat: usize) -> View {
        View {
            state,
            seat,
            seen: OnceLock::new(),
        }
    }

    pub(crate) fn of(game: &Arc<AnyGame>, history: &dyn AnyHistory, seat: usize) -> View {
        // The origin serves storage alone, and a view is stored as a sampled state.
        View::new(
            State::new(Arc::clone(game), Origin::New, history.boxed()),
            seat,
        )
    }
}
