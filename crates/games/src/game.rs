//! The trait that every game implements, and its vocabulary: ids of actions and outcomes, turns, eyes (the observer
//! of a view), observations, options. A new game needs this trait alone; everything else in the crate works with it.

use crate::picture::Picture;
use crate::{History, RecordError};
use arena::plain_text::span;
use arrayvec::ArrayVec;
use engine::rng::{Random, below};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Display;
use std::ops::RangeInclusive;
use thiserror::Error;

/// Most players of any game.
pub const MAX_PLAYERS: usize = 6;

/// An action or an outcome of chance, numbered from 0. Its meaning depends on whose turn it is.
pub type Id = u8;

/// A number for each seat: returns, scores or standings; 0 for seats beyond the players. Double precision, since
/// OpenSpiel refuses returns whose sum is wrong by about 1e-8: thirds sum to 1 within 1e-15.
pub type Returns = [f64; MAX_PLAYERS];

/// The player whose turn it is, or chance, or nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    Chance,
    /// A player's turn, by its seat from 0.
    Seat(usize),
    /// Nobody's turn: the game is over.
    Over,
}

impl Turn {
    /// The note behind a player whose turn it is, in texts and pictures.
    pub(crate) fn note(self, player: usize) -> &'static str {
        match self == Turn::Seat(player) {
            true => ", to move",
            false => "",
        }
    }
}

/// The observer for whom a view is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eyes {
    /// A player, by its seat from 0: sees its own hand and everything public.
    Seat(usize),
    /// An onlooker: sees no hand, only what is public.
    Onlooker,
    /// Sees all cards: for views after the game, or where no player could learn from them.
    All,
}

impl Eyes {
    /// Whether the observer sees the cards that this seat holds.
    pub fn sees(self, seat: usize) -> bool {
        match self {
            Eyes::Seat(own) => own == seat,
            Eyes::Onlooker => false,
            Eyes::All => true,
        }
    }

    /// The cards that a seat holds as a value; `null` if the observer does not see them.
    pub(crate) fn value(self, seat: usize, cards: impl Serialize) -> Value {
        match self.sees(seat) {
            true => json!(cards),
            false => Value::Null,
        }
    }

    /// The cards that a seat holds in words, or their number if the observer does not see them.
    pub(crate) fn words(self, seat: usize, cards: impl Display, number: usize) -> String {
        match self.sees(seat) {
            true => cards.to_string(),
            false => format!("{number} cards"),
        }
    }

    /// The name of a card that a seat holds, for pictures.
    pub(crate) fn name(self, seat: usize, card: impl Display) -> String {
        match self.sees(seat) {
            true => card.to_string(),
            false => "?".to_owned(),
        }
    }

    /// The observer's seat, if it has one.
    pub fn seat(self) -> Option<usize> {
        match self {
            Eyes::Seat(seat) => Some(seat),
            Eyes::Onlooker | Eyes::All => None,
        }
    }
}

/// The possible outcomes of chance with their weights. An outcome's probability is its weight divided by the
/// sum of all weights.
pub type Outcomes = ArrayVec<(Id, u32), 64>;

/// A field of a plain observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservationField {
    pub name: &'static str,
    /// Number of bytes of the field.
    pub size: usize,
    /// The largest value that a byte of the field can have.
    pub highest: u8,
}

impl ObservationField {
    pub const fn new(name: &'static str, size: usize, highest: u8) -> ObservationField {
        ObservationField {
            name,
            size,
            highest,
        }
    }
}

/// The kinds of observations that a learner can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observation {
    /// All that a seat sees, as the fields of [`Game::fields`].
    Plain,
    /// The features of the game's network, each a byte of 0 or 1.
    Network,
    /// No observation: rows of 0 bytes.
    Nothing,
}

impl Observation {
    /// The bytes of such an observation in a game whose plain observations and features have these sizes; `None` if the
    /// game does not have it.
    pub fn size(self, plain: usize, features: Option<usize>) -> Option<usize> {
        match self {
            Observation::Plain => Some(plain),
            Observation::Network => features,
            Observation::Nothing => Some(0),
        }
    }
}

/// Why a name and options give no game.
#[derive(Debug, Error)]
pub enum OptionError {
    /// An option that the game does not have, or a value of the wrong type.
    #[error("options of {game}: {option}{reason}")]
    Unreadable {
        game: &'static str,
        /// The option and its value, before the reason; empty if it is not known.
        option: String,
        reason: serde_json::Error,
    },
    /// A value that makes no sense.
    #[error("{option} = {value}: expected {expected}")]
    Value {
        option: &'static str,
        value: String,
        /// The values that are accepted.
        expected: String,
    },
    /// There is no such game.
    #[error("there is no game {name:?}; there are {known}")]
    Game { name: String, known: String },
}

/// The ids of a set, ascending.
pub fn ids(set: u64) -> impl Iterator<Item = Id> {
    (0..64).filter(move |id| set >> id & 1 == 1)
}

/// The options of a game without options: only an empty object can be read as it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoOptions {}

impl OptionError {
    /// Reads a game's options from an object.
    ///
    /// # Errors
    /// If an option is unknown, or its type is wrong.
    pub fn read<T: DeserializeOwned>(game: &'static str, options: Value) -> Result<T, OptionError> {
        T::deserialize(&options).map_err(|reason| {
            // The reason does not name the option: it is the first one that cannot be read alone either.
            let all = options.as_object().into_iter().flatten();
            let mut all = all.map(|(name, value)| (name, value, json!({ name.as_str(): value })));
            let found = all.find(|one| serde_json::from_value::<T>(one.2.clone()).is_err());
            let option = found.map(|(name, value, _)| format!("{name} = {value}: "));
            OptionError::Unreadable {
                game,
                option: option.unwrap_or_default(),
                reason,
            }
        })
    }

    /// Checks that an option's value is in a range.
    ///
    /// # Errors
    /// If it is not: names the option, its value and the range.
    pub fn within<T: PartialOrd + Display>(
        option: &'static str,
        value: T,
        accepted: RangeInclusive<T>,
    ) -> Result<(), OptionError> {
        OptionError::check(accepted.contains(&value), option, value, span(&accepted))
    }

    /// Checks a condition on an option's value.
    ///
    /// # Errors
    /// If `holds` is false: names the option, its value and what was expected.
    pub fn check(
        holds: bool,
        option: &'static str,
        value: impl ToString,
        expected: impl Into<String>,
    ) -> Result<(), OptionError> {
        match holds {
            true => Ok(()),
            false => Err(OptionError::Value {
                option,
                value: value.to_string(),
                expected: expected.into(),
            }),
        }
    }
}

/// A game with its options: rules as pure functions on states.
///
/// Only legal actions and possible outcomes may be applied; [`History`](crate::History) and
/// [`Batch`](crate::Batch) check them.
pub trait Game: Clone + Send + Sync + 'static {
    /// A position with every card in a known place or still to be drawn.
    type State: Clone + Send + Sync + 'static;

    /// The name that finds the game, and that stored games have.
    const NAME: &'static str;

    /// The game with options from an object; those that are left out are the contest's.
    ///
    /// # Errors
    /// If the game does not have such an option, or not with this value.
    fn new(options: Value) -> Result<Self, OptionError>;

    /// The same game for callers that need no list of the moves that led to a state.
    #[must_use]
    fn forgetful(self) -> Self {
        self
    }

    fn players(&self) -> usize;
    /// Ids of actions are below this; at most 64.
    fn actions(&self) -> usize;
    /// Ids of outcomes of chance are below this; at most 64.
    fn outcomes(&self) -> usize;
    /// An upper bound on the number of events, actions and outcomes, of a game.
    fn longest(&self) -> usize;
    /// The bytes of a plain observation.
    fn observation(&self) -> usize {
        self.fields().iter().map(|field| field.size).sum()
    }
    /// The fields of a plain observation, in order.
    fn fields(&self) -> Vec<ObservationField>;
    /// The options, for records.
    fn options(&self) -> Value;

    /// A new game before anything is dealt. The start may draw something, such as a board, from `rng`; that is not
    /// a turn of chance.
    fn start(&self, rng: &mut Random) -> Self::State;
    /// The player whose turn it is, or chance, or nobody.
    fn turn(&self, state: &Self::State) -> Turn;
    /// The legal actions as bits; 0 if it is no player's turn.
    fn legal(&self, state: &Self::State) -> u64;
    /// The possible outcomes of chance, ids ascending; empty if it is not chance's turn.
    fn chances(&self, state: &Self::State) -> Outcomes;
    /// Takes an action, or an outcome of chance.
    fn apply(&self, state: &mut Self::State, id: Id);
    /// Whether the game was stopped undecided.
    fn stopped(&self, _state: &Self::State) -> bool {
        false
    }
    /// Each seat's return at the end, 0 before. The returns of all seats sum to 0.
    fn returns(&self, state: &Self::State) -> Returns;
    /// Ranks the players of a game that is over: a higher number is a better place. It can separate players
    /// with equal returns.
    fn standing(&self, state: &Self::State) -> Returns {
        self.returns(state)
    }
    /// The score as the game counts it, such as points, at any time.
    fn scores(&self, state: &Self::State) -> Returns {
        self.returns(state)
    }

    /// Writes what a seat sees into a plain observation.
    fn observe(&self, state: &Self::State, seat: usize, out: &mut [u8]);
    /// An outcome of chance in words, as a seat sees it; `None` if the seat does not see it. `state` is the one
    /// before the outcome.
    fn told(&self, state: &Self::State, outcome: Id, seat: usize) -> Option<String>;
    /// Whether a seat knows another seat's action by now. `then` is the state before the action, `now` the present one.
    fn is_open(&self, _then: &Self::State, _now: &Self::State, _id: Id, _seat: usize) -> bool {
        // Most games have open actions alone.
        true
    }
    /// The view of an observer: all that it sees, as values with names.
    fn view(&self, state: &Self::State, eyes: Eyes) -> Value;
    /// The same view as text for people.
    fn text(&self, state: &Self::State, eyes: Eyes) -> String {
        let view = self.view(state, eyes);
        // A line for each field of the view: enough for a game that brings no text.
        let fields = view.as_object().into_iter().flatten();
        fields
            .map(|(name, value)| format!("{name}: {value}\n"))
            .collect()
    }
    /// The same view as a picture, an SVG document. If an action of the player to move is given, it is marked.
    fn picture(&self, state: &Self::State, eyes: Eyes, action: Option<Id>) -> String {
        // A page of text stands in for a game that draws nothing.
        let action = action.map(|id| format!("action: {}", self.action_text(state, id)));
        Picture::of_text(&(self.text(state, eyes) + &action.unwrap_or_default()))
    }
    /// An action of the player to move in words, as the contest writes it.
    fn action_text(&self, state: &Self::State, id: Id) -> String;
    /// An outcome of chance in words.
    fn outcome_text(&self, id: Id) -> String;

    /// The legal action, or the possible outcome of chance, that [`Game::action_text`] or [`Game::outcome_text`]
    /// writes with these words.
    fn read(&self, state: &Self::State, words: &str) -> Option<Id> {
        // Words are compared with those of every possible id: no game needs a parser, and reading cannot differ from
        // writing.
        let words = words.trim();
        match self.turn(state) {
            Turn::Over => None,
            Turn::Seat(_) => {
                ids(self.legal(state)).find(|&id| self.action_text(state, id) == words)
            }
            Turn::Chance => {
                let mut outcomes = self.chances(state).into_iter().map(|outcome| outcome.0);
                outcomes.find(|&id| self.outcome_text(id) == words)
            }
        }
    }

    /// Draws an outcome of chance.
    fn draw(&self, state: &Self::State, rng: &mut Random) -> Id {
        let outcomes = self.chances(state);
        let sum: u32 = outcomes.iter().map(|outcome| outcome.1).sum();
        // Inverse transform: `left` falls into one outcome's interval, as long as its weight. With the weights
        // 2, 1 and 3, 0 and 1 give the first outcome, 2 the second, 3 to 5 the third.
        let mut left = below(rng, sum as usize) as u32;
        for &(id, weight) in &outcomes {
            if left < weight {
                return id;
            }
            left -= weight;
        }
        unreachable!("the weights sum to {sum}")
    }

    /// The bytes of the observation for the game's network; `None` if the game has none.
    fn features(&self) -> Option<usize> {
        None
    }

    /// Writes the network's observation for the player to move.
    fn observe_features(&self, _state: &Self::State, _out: &mut [u8]) {}

    /// Writes what the player to move will see just after a legal action, before chance moves. Returns that
    /// player's return if the action ends the game. If a hidden card decides the return, this must be `None`:
    /// the caller has not acted yet, and would learn the card.
    fn observe_after(
        &self,
        state: &Self::State,
        id: Id,
        observation: Observation,
        out: &mut [u8],
    ) -> Option<f64> {
        let Turn::Seat(seat) = self.turn(state) else {
            return None;
        };
        // The chance player's turn, if it follows, is not played: its outcome is unknown when the action is
        // chosen.
        let mut after = state.clone();
        self.apply(&mut after, id);
        // The default has no network. Rows for one stay as they are.
        match observation {
            Observation::Plain => self.observe(&after, seat, out),
            Observation::Network | Observation::Nothing => {}
        }
        (self.turn(&after) == Turn::Over).then(|| self.returns(&after)[seat])
    }

    /// The start as it is stored; `None` if options and seed are enough to find it again.
    fn position(&self, _start: &Self::State) -> Option<Value> {
        None
    }

    /// The state of a stored position. Cards that it leaves open are drawn from `rng`.
    ///
    /// # Errors
    /// If the value is no position of this game.
    fn of_position(&self, _position: Value, _rng: &mut Random) -> Result<Self::State, String> {
        Err(format!("{} starts at no position", Self::NAME))
    }

    /// The record of a game that is over, in the format of the contest's referee, with the players' names by seat.
    ///
    /// # Errors
    /// If the game has no format of records, or the format no place for this game.
    fn record(&self, _over: &History<Self>, _players: &[String]) -> Result<Value, RecordError> {
        Err(RecordError::Unsupported(format!(
            "{} has no records",
            Self::NAME
        )))
    }

    /// Options that a record need not tell, since a game that is over is the same whatever they are. A game with
    /// another option that its record does not tell has none.
    const UNTOLD: &'static [&'static str] = &[];

    /// Whether a value looks like a record of this game.
    fn is_record(record: &Value) -> bool {
        record.get("contest").and_then(Value::as_str) == Some(Self::NAME)
    }

    /// The game of a record after its first `actions` actions.
    ///
    /// # Errors
    /// If the record breaks a rule, or has something that these games do not have, such as faults.
    fn from_record(_record: &Value, _actions: usize) -> Result<History<Self>, RecordError> {
        Err(RecordError::Unsupported(format!(
            "{} has no records",
            Self::NAME
        )))
    }

    /// The information set of a seat as text, equal for all games that look the same to the seat. If it is `None`,
    /// the history writes the events that the seat saw instead.
    fn information(
        &self,
        _start: &Self::State,
        _events: &[crate::Event],
        _state: &Self::State,
        _seat: usize,
    ) -> Option<String> {
        None
    }

    /// Draws a game that looks the same to a seat: its start, and the events since. Each such game has its
    /// probability by the rules alone: nothing is inferred from how the others play.
    fn resample(
        &self,
        start: &Self::State,
        events: &[crate::Event],
        state: &Self::State,
        seat: usize,
        rng: &mut Random,
    ) -> (Self::State, Vec<crate::Event>);
}
