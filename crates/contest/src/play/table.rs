//! One table: a game, who sits where, and what has happened.

use super::game::{Eyes, Kind, TableGame};
use super::journal::{Journal, Line};
use super::setup::{Occupant, Setup};
use arena::records::RecordError;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;
use tokio::sync::{Semaphore, watch};

/// Why something cannot be done at a table.
#[derive(Debug, Error)]
pub(super) enum TableError {
    /// The request came from a page that shows an earlier position.
    #[error("the game has gone on in the meantime")]
    Stale,
    /// It is somebody else's turn.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The game does not allow it.
    #[error("{0}")]
    Illegal(String),
    /// The link is not that of a seat.
    #[error("onlookers do not play")]
    Onlooker,
    /// All that can think are at work.
    #[error("others are thinking; ask again in a moment")]
    Busy,
    /// The search for advice failed.
    #[error("the advice could not be worked out")]
    NoAdvice,
    /// There is nothing to take back.
    #[error("nothing can be taken back")]
    NothingToTakeBack,
    /// It could not be written down, and so has not happened.
    #[error(transparent)]
    Unwritten(#[from] RecordError),
}

/// A table.
pub(super) struct Table {
    pub kind: Arc<dyn Kind>,
    pub setup: Setup,
    pub game: Box<dyn TableGame>,
    journal: Journal,
    /// Grows with everything that happens. Whoever listens is told.
    version: watch::Sender<u64>,
    /// Whether a built-in player is at work on the decision that is due.
    pub is_thinking: bool,
    /// Whether the built-in player that is due has failed.
    pub is_stuck: bool,
    /// One place for whoever works out advice.
    advisers: Arc<Semaphore>,
}

impl Table {
    /// Sets up a table and writes that down.
    pub(super) fn begin(
        kind: Arc<dyn Kind>,
        setup: Setup,
        path: &Path,
    ) -> Result<Table, RecordError> {
        let journal = Journal::begin(path, &setup)?;
        Ok(Table::with(kind, setup, journal))
    }

    /// Goes on with a table from its file, of which these are the lines after the first.
    pub(super) fn resume(
        kind: Arc<dyn Kind>,
        setup: Setup,
        journal: Journal,
        lines: &[Line],
    ) -> Result<Table, String> {
        let mut table = Table::with(kind, setup, journal);
        for (n, line) in lines.iter().enumerate() {
            let wrong = |reason: String| format!("line {}: {reason}", n + 2);
            match line {
                Line::Act(action) => table.game.act(action).map_err(wrong)?,
                Line::Back(actions) if *actions <= table.game.actions() => {
                    table.game.go_back(*actions)
                }
                Line::Back(actions) => {
                    let found = table.game.actions();
                    return Err(wrong(format!("goes back to {actions} actions of {found}")));
                }
                Line::Table(_) => return Err(wrong("a second table in one file".to_owned())),
            }
        }
        table.version.send_replace(lines.len() as u64);
        Ok(table)
    }

    fn with(kind: Arc<dyn Kind>, setup: Setup, journal: Journal) -> Table {
        Table {
            game: kind.begin(setup.seats.len(), setup.seed),
            kind,
            setup,
            journal,
            version: watch::Sender::new(0),
            is_thinking: false,
            is_stuck: false,
            advisers: Arc::new(Semaphore::new(1)),
        }
    }

    /// What a secret opens.
    pub(super) fn eyes(&self, secret: &str) -> Option<Eyes> {
        let holds =
            |seat: &Occupant| matches!(seat, Occupant::Person { secret: own, .. } if own == secret);
        match self.setup.seats.iter().position(holds) {
            Some(seat) => Some(Eyes::Seat(seat)),
            None => (self.setup.onlookers == secret).then_some(Eyes::Onlooker),
        }
    }

    pub(super) fn version(&self) -> u64 {
        *self.version.borrow()
    }

    pub(super) fn listen(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// The level of the built-in player whose decision is due, if it is one.
    pub(super) fn due(&self) -> Option<usize> {
        match self.setup.seats.get(self.game.to_move()?)? {
            Occupant::Player(level) => Some(*level),
            Occupant::Person { .. } => None,
        }
    }

    pub(super) fn advisers(&self) -> Arc<Semaphore> {
        Arc::clone(&self.advisers)
    }

    /// What everybody is called.
    pub(super) fn names(&self) -> Vec<String> {
        let name = |seat: &Occupant| match seat {
            Occupant::Person { name, .. } => name.clone(),
            Occupant::Player(level) => self.kind.levels()[*level].name.to_owned(),
        };
        self.setup.seats.iter().map(name).collect()
    }

    /// What a browser is sent.
    pub(super) fn shown(&self, eyes: Eyes) -> Value {
        let seat = match eyes {
            Eyes::Seat(seat) => Some(seat),
            Eyes::Onlooker => None,
        };
        let people = self
            .setup
            .seats
            .iter()
            .map(|seat| matches!(seat, Occupant::Person { .. }));
        json!({
            "version": self.version(),
            "seat": seat,
            "names": self.names(),
            "people": people.collect::<Vec<_>>(),
            "to_move": self.game.to_move(),
            "over": self.game.to_move().is_none(),
            "unit": self.kind.unit(),
            "stuck": self.is_stuck,
            "can_take_back": seat.is_some_and(|seat| self.back(seat).is_some()),
            "game": self.game.view(eyes),
        })
    }

    /// Takes an action of a seat, asked for by a page that shows this version.
    pub(super) fn act(
        &mut self,
        seat: usize,
        version: u64,
        action: &str,
    ) -> Result<(), TableError> {
        if version != self.version() {
            return Err(TableError::Stale);
        }
        if self.game.to_move() != Some(seat) {
            return Err(TableError::NotYourTurn);
        }
        let before = self.game.actions();
        self.game.act(action).map_err(TableError::Illegal)?;
        if let Err(error) = self.journal.write(&Line::Act(action.to_owned())) {
            self.game.go_back(before);
            return Err(error.into());
        }
        self.happened();
        Ok(())
    }

    /// Takes the last action of a seat back, and all after it.
    pub(super) fn take_back(&mut self, seat: usize, version: u64) -> Result<(), TableError> {
        if version != self.version() {
            return Err(TableError::Stale);
        }
        let actions = self.back(seat).ok_or(TableError::NothingToTakeBack)?;
        self.journal.write(&Line::Back(actions))?;
        self.game.go_back(actions);
        self.happened();
        Ok(())
    }

    fn back(&self, seat: usize) -> Option<usize> {
        self.game.back(seat, self.setup.freely)
    }

    fn happened(&mut self) {
        self.version.send_modify(|version| *version += 1);
    }
}
