//! An action that a player may take.

use crate::convert;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// An action: its number, and how the contest writes it.
#[pyclass(frozen, eq, hash, module = "contestants")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Action {
    /// Its number among the game's actions.
    #[pyo3(get)]
    pub(crate) id: u8,
    /// In words, as the contest writes it.
    #[pyo3(get)]
    pub(crate) text: String,
}

#[pymethods]
impl Action {
    #[new]
    fn new(#[pyo3(from_py_with = convert::any_id)] id: u8, text: String) -> Action {
        Action { id, text }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (u8, &str)) {
        (py.get_type::<Action>(), (self.id, &self.text))
    }

    fn __repr__(&self) -> String {
        format!("Action({}, {:?})", self.id, self.text)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __int__(&self) -> u8 {
        self.id
    }

    fn __index__(&self) -> u8 {
        self.id
    }
}
