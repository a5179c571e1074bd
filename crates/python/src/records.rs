//! The contest's text, the rounds of whole games' records, and the check of referees' records.

use crate::brain::at;
use crate::convert::{from_python, value_error};
use ::cartagena::notation;
use ::cartagena::rules::MAX_PIRATES;
use arena::records::Record as _;
use games::cartagena::Cartagena;
use games::tricks::whole_game::WholeGameRecord;
use games::{AnyHistory, Game, RecordError, Turn};
use pyo3::prelude::*;
use serde_json::Value;

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

/// The rounds of a whole game's record as records of their own; none of any other record.
fn rounds_of(record: &Value) -> Result<Option<Vec<Value>>, RecordError> {
    if record.get("rounds").is_none() {
        return Ok(None);
    }
    let game = WholeGameRecord::parse(record.to_string().as_bytes())?;
    let rounds = game.rounds().map(serde_json::to_value);
    let rounds: Vec<Value> = rounds.collect::<Result<_, _>>()?;
    match rounds.is_empty() {
        true => Err(RecordError::Unsupported(
            "a whole game without rounds".to_owned(),
        )),
        false => Ok(Some(rounds)),
    }
}

/// The round that is meant of a whole game's record, counted from 0; any other record as it is.
pub(crate) fn round_of(record: Value, round: Option<usize>) -> Result<Value, RecordError> {
    let wrong = |text: String| Err(RecordError::Unsupported(text));
    match (rounds_of(&record)?, round) {
        (None, None) => Ok(record),
        (None, Some(round)) => wrong(format!(
            "round = {round}: expected None, as the record is not that of a whole game"
        )),
        (Some(mut rounds), Some(round)) if round < rounds.len() => Ok(rounds.swap_remove(round)),
        (Some(rounds), _) => wrong(format!(
            "a whole game of {} rounds: expected round=0 to {}",
            rounds.len(),
            rounds.len() - 1
        )),
    }
}

/// Checks a record as its referee's reader would; of a whole game every round, but not its ranks.
#[pyfunction]
pub(crate) fn check_record(record: &Bound<'_, PyAny>) -> PyResult<()> {
    let record = from_python(record)?;
    let rounds = rounds_of(&record).map_err(value_error)?;
    for round in rounds.unwrap_or_else(|| vec![record]) {
        games::from_record(&round, usize::MAX).map_err(value_error)?;
    }
    Ok(())
}
