//! Programs of participants at a table, asked as the contest asks them.

use crate::cartagena::Participant;
use crate::cartagena::seat::Seat;
use arena::plain_text::printable;
use cartagena::notation::print_action;
use cartagena::player::Question;
use engine::sync::lock;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Programs at a table, by seat and label.
type Seated = BTreeMap<(usize, String), Box<dyn Seat>>;

/// The programs that can sit down.
#[derive(Clone, Default)]
pub(super) struct Programs {
    known: Arc<Vec<Participant>>,
    /// Those that have sat down at this table.
    seated: Arc<Mutex<Seated>>,
}

impl Programs {
    pub(super) fn new(known: Vec<Participant>) -> Programs {
        Programs {
            known: Arc::new(known),
            seated: Arc::default(),
        }
    }

    /// The same programs, none of which has sat down yet.
    pub(super) fn for_a_table(&self) -> Programs {
        Programs {
            known: Arc::clone(&self.known),
            seated: Arc::default(),
        }
    }

    /// The names of the programs.
    pub(super) fn labels(&self) -> Vec<String> {
        self.known
            .iter()
            .map(|program| program.label.clone())
            .collect()
    }

    /// Asks the program with this label for the action of the seat to move.
    ///
    /// # Errors
    /// The reason why there is no action, as a sentence.
    pub(super) fn ask(&self, label: &str, question: &Question) -> Result<String, String> {
        let seat = question.view.seat;
        let program = self.known.iter().find(|program| program.label == label);
        let program = program.ok_or_else(|| {
            format!("no program is called {label}: start again with --program {label}=PATH")
        })?;
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
