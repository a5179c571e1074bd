//! A game that is played, with its history.

use crate::game::{Game, Id, Turn, ids};
use engine::rng::{mix, stream};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// Something that happened: an action or an outcome of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Who acted; none for chance.
    #[serde(rename = "p", skip_serializing_if = "Option::is_none", default)]
    pub seat: Option<u8>,
    #[serde(rename = "i")]
    pub id: Id,
}

/// Why an id was refused. Nothing has changed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Refused {
    /// It is no legal action.
    #[error("action {id} is not legal here; legal are {legal:?}")]
    Illegal { id: i64, legal: Vec<Id> },
    /// Chance cannot bring it.
    #[error("chance cannot bring {id} here, only {possible:?}")]
    Impossible { id: i64, possible: Vec<Id> },
    /// The game is over.
    #[error("the game is over")]
    Over,
}

/// A game from its start to where it stands.
#[derive(Clone)]
pub struct History<G: Game> {
    game: G,
    start: Arc<G::State>,
    state: G::State,
    events: Vec<Event>,
    seed: Option<u64>,
    /// Events that cannot be undone: chance before the first action.
    fixed: usize,
}

impl<G: Game> History<G> {
    /// A new game. With a seed chance has its turns at once, and always brings the same; without one
    /// somebody has to say what it brings, and what is no turn of chance is that of seed 0.
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
        history.fixed = history.events.len();
        history
    }

    /// The same game with these events from its start on.
    ///
    /// # Errors
    /// If one of them is refused, or names a player whose turn it is not.
    pub fn replayed(&self, events: &[Event], seed: Option<u64>) -> Result<History<G>, Refused> {
        let mut history = History {
            game: self.game.clone(),
            state: (*self.start).clone(),
            start: Arc::clone(&self.start),
            events: Vec::new(),
            seed: None,
            fixed: 0,
        };
        for event in events {
            history.apply(event.id)?;
        }
        history.seed = seed;
        history.fixed = match seed {
            Some(_) => history
                .events
                .iter()
                .take_while(|e| e.seat.is_none())
                .count(),
            None => 0,
        };
        Ok(history)
    }

    pub fn game(&self) -> &G {
        &self.game
    }

    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The position the game started at.
    pub fn start(&self) -> &G::State {
        &self.start
    }

    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// What chance follows from, if it is not explicit.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Takes an action, or an outcome of chance.
    ///
    /// # Errors
    /// If it cannot be.
    pub fn apply(&mut self, id: Id) -> Result<(), Refused> {
        self.check(id.into())?;
        self.push(id);
        self.chance();
        Ok(())
    }

    /// Whether an id can be applied.
    ///
    /// # Errors
    /// If not.
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

    fn push(&mut self, id: Id) {
        let seat = match self.game.turn(&self.state) {
            Turn::Seat(seat) => Some(seat as u8),
            _ => None,
        };
        self.events.push(Event { seat, id });
        self.game.apply(&mut self.state, id);
    }

    /// Gives chance its turns if it has a seed. What it brings depends on the seed and on how much has
    /// happened, so that a game that is copied or stored goes on the same.
    fn chance(&mut self) {
        let Some(seed) = self.seed else { return };
        while self.game.turn(&self.state) == Turn::Chance {
            let mut rng = stream(mix(seed), 1 + self.events.len() as u64);
            let id = self.game.draw(&self.state, &mut rng);
            self.push(id);
        }
    }

    /// Takes back the last action, with what chance brought after it, or without a seed the last event;
    /// whether there was one.
    pub fn undo(&mut self) -> bool {
        let mut keep = self.events.len();
        if keep <= self.fixed {
            return false;
        }
        keep -= 1;
        while self.seed.is_some() && keep > self.fixed && self.events[keep].seat.is_none() {
            keep -= 1;
        }
        self.events.truncate(keep);
        self.state = (*self.start).clone();
        for event in &self.events {
            self.game.apply(&mut self.state, event.id);
        }
        true
    }

    /// What a seat has seen of the game, the same for all games that look the same to it.
    pub fn information(&self, seat: usize) -> String {
        let own = self
            .game
            .information(&self.start, &self.events, &self.state, seat);
        own.unwrap_or_else(|| self.events_seen(seat))
    }

    /// Every event as a seat saw it. What chance brought in a row is in order of its names: which of
    /// two cards came first says nothing.
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
                    text += &format!(" {by}:{}", self.game.action_text(&state, event.id));
                }
            }
            self.game.apply(&mut state, event.id);
        }
        flush(&mut run, &mut text);
        text
    }

    /// A game that looks the same to a seat as this one.
    #[must_use]
    pub fn resampled(&self, seat: usize, seed: u64) -> History<G> {
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
            fixed: events.iter().take_while(|e| e.seat.is_none()).count(),
            events,
            // What comes is not what would have come: the seat does not know that.
            seed: self.seed.map(|own| mix(own ^ mix(seed))),
        }
    }
}
