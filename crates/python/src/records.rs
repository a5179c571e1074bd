//! The contest's text, and the check of referees' records.

use crate::brain::at;
use crate::convert::{from_python, value_error};
use ::cartagena::notation;
use ::cartagena::rules::MAX_PIRATES;
use games::cartagena::Cartagena;
use games::{AnyHistory, Game, RecordError, Turn};
use pyo3::prelude::*;

/// The contest's text for the player to move.
pub(crate) fn contest_text(history: &dyn AnyHistory) -> Result<String, RecordError> {
    let unsupported = |what: &str| Err(RecordError::Unsupported(what.to_owned()));
    let Some(history) = at::<Cartagena>(history) else {
        return unsupported("only Cartagena has the whole game as a text");
    };
    if history.game().settings().pirates != MAX_PIRATES {
        return unsupported("the contest's text is of games with six pirates each");
    }
    match history.game().turn(history.state()) {
        Turn::Seat(_) => Ok(notation::print(&history.game().received(history.state()))),
        _ => unsupported("the text is for the player to move, and nobody is"),
    }
}

/// Checks a record as its referee's reader would.
#[pyfunction]
pub(crate) fn check_record(record: &Bound<'_, PyAny>) -> PyResult<()> {
    let record = from_python(record)?;
    games::from_record(&record, usize::MAX).map_err(value_error)?;
    Ok(())
}
