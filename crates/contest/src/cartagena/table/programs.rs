//! Participants' programs at a table. They are asked as in a contest: by the text of the game so far.

use crate::cartagena::Participant;
use crate::cartagena::seat::Seat;
use arena::plain_text::printable;
use cartagena::notation::print_action;
use cartagena::player::Question;
use tables::Residents;

/// The programs that can take seats, and those that have at one table, each ready to be asked again.
pub(super) type Programs = Residents<Participant, Seat>;

/// Asks the program with this label for the action of the seat to move. With the first question it gets the seat.
///
/// # Errors
/// The reason why there is no action, as a sentence.
pub(super) fn ask(programs: &Programs, label: &str, question: &Question) -> Result<String, String> {
    let seat = question.view.seat;
    let program = programs.known(label, "")?;
    programs.with(seat, label, |place| {
        let holder = match place {
            Some(holder) => holder,
            None => {
                let made = (program.maker)(seat as u64);
                let made = made.map_err(|error| format!("{label} cannot be started: {error}"))?;
                place.insert(made)
            }
        };
        let answer = holder(question, None);
        let answer = answer.map_err(|error| format!("{label} cannot be asked: {error}"))?;
        match answer.reply {
            Ok(action) => Ok(print_action(seat, action)),
            Err(fault) => Err(printable(&fault.to_string()).into_owned()),
        }
    })
}
