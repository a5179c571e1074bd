//! Participants' programs at a table. They are asked as in a contest: by the text of the game so far.

use crate::cartagena::Participant;
use crate::cartagena::seat::Seat;
use arena::plain_text::printable;
use cartagena::notation::print_action;
use cartagena::player::Question;
use engine::sync::lock;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// The programs that have been asked at a table, by seat and label, each ready to be asked again.
type Seated = BTreeMap<(usize, String), Box<dyn Seat>>;

/// The programs that can take seats, and those that have at one table.
#[derive(Clone, Default)]
pub(super) struct Programs {
    /// All programs, which all tables share.
    known: Arc<Vec<Participant>>,
    /// The seats made for this table so far. Clones of the table share them.
    seated: Arc<Mutex<Seated>>,
}

impl Programs {
    pub(super) fn new(known: Vec<Participant>) -> Programs {
        Programs {
            known: Arc::new(known),
            seated: Arc::default(),
        }
    }

    /// The same programs for another table, where none has a seat yet.
    pub(super) fn for_a_table(&self) -> Programs {
        Programs {
            known: Arc::clone(&self.known),
            seated: Arc::default(),
        }
    }

    /// The labels of all programs, in their order.
    pub(super) fn labels(&self) -> Vec<String> {
        self.known
            .iter()
            .map(|program| program.label.clone())
            .collect()
    }

    /// Asks the program with this label for the action of the seat to move. With the first question it gets
    /// the seat.
    ///
    /// # Errors
    /// The reason why there is no action, as a sentence.
    pub(super) fn ask(&self, label: &str, question: &Question) -> Result<String, String> {
        let seat = question.view.seat;
        let program = self.known.iter().find(|program| program.label == label);
        let program = program.ok_or_else(|| {
            format!("no program is called {label}: start again with --program {label}=PATH")
        })?;
        // The lock is held until the answer is there: a table asks one program at a time.
        let mut seated = lock(&self.seated);
        let key = (seat, label.to_owned());
        if !seated.contains_key(&key) {
            let made = (program.maker)(seat as u64);
            let made = made.map_err(|error| format!("{label} cannot be started: {error}"))?;
            seated.insert(key.clone(), made);
        }
        let holder = seated.get_mut(&key).ok_or("its seat is empty")?;
        let answer = holder
            .ask(question)
            .map_err(|error| format!("{label} cannot be asked: {error}"))?;
        match answer.reply {
            Ok(action) => Ok(print_action(seat, action)),
            Err(fault) => Err(printable(&fault.to_string()).into_owned()),
        }
    }
}
