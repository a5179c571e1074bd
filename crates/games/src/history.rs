//! A game with its events so far: applies, undoes and replays actions and outcomes of chance, and shows to a seat
//! those that it saw.

use crate::game::{Game, Id, Turn, ids};
use engine::rng::{mix, stream};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// Something that happened: an action or an outcome of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The seat that acted; `None` for chance.
    #[serde(rename = "p", skip_serializing_if = "Option::is_none", default)]
    pub seat: Option<u8>,
    #[serde(rename = "i")]
    pub id: Id,
}

/// An event as a seat saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Witnessed {
    /// The seat that acted; `None` for chance.
    pub by: Option<u8>,
    /// The action or outcome; `None` if it was hidden from the seat.
    pub id: Option<Id>,
    /// Whether the seat after this one saw it as well: true for a card on the table, false for one in the own hand.
    pub open: bool,
}

/// Why an id was refused. Nothing has changed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Refused {
    /// The id is not a legal action.
    #[error("action {id} is not legal here; legal are {legal:?}")]
    Illegal { id: i64, legal: Vec<Id> },
    /// The id is not a possible outcome of chance.
    #[error("chance cannot bring {id} here, only {possible:?}")]
    Impossible { id: i64, possible: Vec<Id> },
    /// The game is over.
    #[error("the game is over")]
    Over,
}

/// How many of the first events cannot be undone. Without a seed all can.
fn fixed(events: &[Event], seed: Option<u64>) -> usize {
    match seed {
        Some(_) => events.iter().take_while(|e| e.seat.is_none()).count(),
        None => 0,
    }
}

/// A game from its start to its present state.
#[derive(Clone)]
pub struct History<G: Game> {
    game: G,
    start: Arc<G::State>,
    state: G::State,
    events: Vec<Event>,
    seed: Option<u64>,
    /// Number of the first events that cannot be undone: with a seed, the outcomes of chance before the first action.
    fixed: usize,
}

impl<G: Game> History<G> {
    /// A new game. With a seed, outcomes of chance are drawn at once, and always the same ones. Without a seed
    /// the caller applies each outcome; whatever the start itself draws (a board) is that of seed 0.
    pub fn new(game: G, seed: Option<u64>) -> History<G> {
        let start = game.start(&mut stream(seed.unwrap_or(0), 0));
        History::from(game, start, seed)
    }

    /// A game that starts at a position.
    pub fn from(game: G, start: G::State, seed: Option<u64>) -> History<G> {
        let mut history = History {
            game,
            state: start.clone(),
            start: Arc::new(start),
            events: Vec::new(),
            seed,
            fixed: 0,
        };
        history.chance();
        history.fixed = fixed(&history.events, seed);
        history
    }

    /// The same game with these events from its start on.
    ///
    /// # Errors
    /// If the rules refuse one of them: its number, from 1, and the reason. Only ids are read: the rules say whose
    /// turn it is, whatever seat an event names.
    pub fn replayed(
        &self,
        events: &[Event],
        seed: Option<u64>,
    ) -> Result<History<G>, (usize, Refused)> {
        let mut history = History {
            game: self.game.clone(),
            state: (*self.start).clone(),
            start: Arc::clone(&self.start),
            events: Vec::new(),
            seed: None,
            fixed: 0,
        };
        // The outcomes of chance are among the events, so nothing may be drawn: the seed comes after them.
        for (number, event) in (1..).zip(events) {
            let applied = history.apply(event.id);
            applied.map_err(|refused| (number, refused))?;
        }
        history.seed = seed;
        history.fixed = fixed(&history.events, seed);
        Ok(history)
    }

    pub fn game(&self) -> &G {
        &self.game
    }

    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The position at which the game started.
    pub fn start(&self) -> &G::State {
        &self.start
    }

    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The seed of chance; `None` if chance is explicit.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Takes an action, or an outcome of chance.
    ///
    /// # Errors
    /// If the id is not legal or possible, or the game is over.
    pub fn apply(&mut self, id: Id) -> Result<(), Refused> {
        self.check(id.into())?;
        self.push(id);
        self.chance();
        Ok(())
    }

    /// Whether an id can be applied.
    ///
    /// # Errors
    /// Why it cannot be applied.
    pub fn check(&self, id: i64) -> Result<(), Refused> {
        match self.game.turn(&self.state) {
            Turn::Over => Err(Refused::Over),
            Turn::Seat(_) => {
                let legal = self.game.legal(&self.state);
                match (0..64).contains(&id) && legal >> id & 1 == 1 {
                    true => Ok(()),
                    false => Err(Refused::Illegal {
                        id,
                        legal: ids(legal).collect(),
                    }),
                }
            }
            Turn::Chance => {
                let chances = self.game.chances(&self.state);
                match chances
                    .iter()
                    .any(|&(possible, _)| i64::from(possible) == id)
                {
                    true => Ok(()),
                    false => Err(Refused::Impossible {
                        id,
                        possible: chances.iter().map(|outcome| outcome.0).collect(),
                    }),
                }
            }
        }
    }

    /// Applies an id that was checked, and adds its event.
    fn push(&mut self, id: Id) {
        let seat = match self.game.turn(&self.state) {
            Turn::Seat(seat) => Some(seat as u8),
            _ => None,
        };
        self.events.push(Event { seat, id });
        self.game.apply(&mut self.state, id);
    }

    /// Draws the outcomes of chance if there is a seed. Event number n is drawn from stream n + 1 of the mixed seed;
    /// the start is drawn from stream 0 of the seed itself. No generator is part of a history, so a copied or stored
    /// game, or one after an undo, continues with the same cards.
    fn chance(&mut self) {
        let Some(seed) = self.seed else { return };
        while self.game.turn(&self.state) == Turn::Chance {
            let mut rng = stream(mix(seed), 1 + self.events.len() as u64);
            let id = self.game.draw(&self.state, &mut rng);
            self.push(id);
        }
    }

    /// Takes back the last action with the outcomes of chance after it; without a seed, the last event. Returns
    /// whether there was anything to take back.
    pub fn undo(&mut self) -> bool {
        let mut keep = self.events.len();
        if keep <= self.fixed {
            return false;
        }
        // The last event goes in any case. If chance was drawn by the seed, its outcomes go together with the
        // action before them.
        keep -= 1;
        while self.seed.is_some() && keep > self.fixed && self.events[keep].seat.is_none() {
            keep -= 1;
        }
        self.events.truncate(keep);
        // The rules have no inverse of `apply`, so the game is replayed from its start.
        self.state = (*self.start).clone();
        for event in &self.events {
            self.game.apply(&mut self.state, event.id);
        }
        true
    }

    /// The information set of a seat as text: equal for all games that look the same to the seat.
    pub fn information(&self, seat: usize) -> String {
        let own = self
            .game
            .information(&self.start, &self.events, &self.state, seat);
        own.unwrap_or_else(|| self.events_seen(seat))
    }

    /// Every event as a seat saw it, as text. Consecutive outcomes of chance are sorted by name: two hands that
    /// differ only in the order of their cards are one information set.
    fn events_seen(&self, seat: usize) -> String {
        let mut text = format!("{} {seat}:", G::NAME);
        let mut state = (*self.start).clone();
        let mut run: Vec<String> = Vec::new();
        let flush = |run: &mut Vec<String>, text: &mut String| {
            run.sort_unstable();
            for word in run.drain(..) {
                *text += " +";
                *text += &word;
            }
        };
        for event in &self.events {
            match event.seat {
                None => {
                    let told = self.game.told(&state, event.id, seat);
                    run.push(told.unwrap_or_else(|| "?".to_owned()));
                }
                Some(by) => {
                    flush(&mut run, &mut text);
                    let is_seen = self.is_seen(&state, event, seat);
                    let action = is_seen.then(|| self.game.action_text(&state, event.id));
                    text += &format!(" {by}:{}", action.as_deref().unwrap_or("?"));
                }
            }
            self.game.apply(&mut state, event.id);
        }
        flush(&mut run, &mut text);
        text
    }

    /// Whether a seat knows the action of an event by now; `then` is the state before it.
    pub(crate) fn is_seen(&self, then: &G::State, event: &Event, seat: usize) -> bool {
        let is_own = event.seat.map(usize::from) == Some(seat);
        is_own || self.game.is_open(then, &self.state, event.id, seat)
    }

    /// Every event as a seat saw it, for learners. Consecutive outcomes of chance are sorted, as in
    /// [`History::information`]. In Cartagena this is more than the information set: it shows which retreat drew
    /// which card.
    pub fn seen(&self, seat: usize) -> Vec<Witnessed> {
        let next = (seat + 1) % self.game.players();
        let mut state = (*self.start).clone();
        let mut seen: Vec<Witnessed> = Vec::with_capacity(self.events.len());
        for event in &self.events {
            let sees = |seat| match event.seat {
                None => self.game.told(&state, event.id, seat).is_some(),
                Some(_) => self.is_seen(&state, event, seat),
            };
            seen.push(Witnessed {
                by: event.seat,
                id: sees(seat).then_some(event.id),
                open: sees(next),
            });
            self.game.apply(&mut state, event.id);
        }
        for run in seen.chunk_by_mut(|one, other| one.by.is_none() && other.by.is_none()) {
            run.sort_unstable();
        }
        seen
    }

    /// A game that looks the same to a seat as this one.
    #[must_use]
    pub fn resampled(&self, seat: usize, seed: u64) -> History<G> {
        // The constant is "resample" in ASCII: it keeps this stream apart from those by which games are drawn.
        let mut rng = stream(mix(seed ^ 0x7265_7361_6d70_6c65), seat as u64);
        let (start, events) =
            self.game
                .resample(&self.start, &self.events, &self.state, seat, &mut rng);
        let mut state = start.clone();
        for event in &events {
            self.game.apply(&mut state, event.id);
        }
        History {
            game: self.game.clone(),
            start: Arc::new(start),
            state,
            fixed: fixed(&events, self.seed),
            events,
            // Later cards need another seed: by the true one the seat would learn cards that it cannot know. The new
            // seed does not depend on the true one either: `mix` can be inverted, so that one could be computed.
            seed: self.seed.map(|_| mix(seed ^ mix(self.events.len() as u64))),
        }
    }
}
