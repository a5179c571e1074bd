//! What a game has to say of itself.

use crate::picture::Picture;
use arrayvec::ArrayVec;
use engine::rng::{Random, below};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

/// Most players of any game.
pub const MAX_PLAYERS: usize = 6;

/// An action or an outcome of chance, as a number from 0 on; what it means depends on whose turn it is.
pub type Id = u8;

/// What a game is worth to each seat, in an order of the seats; 0 beyond the players and before the end.
pub type Returns = [f32; MAX_PLAYERS];

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    Chance,
    /// A player's, from 0.
    Seat(usize),
    /// Nobody's: the game is over.
    Over,
}

/// The eyes for which a view is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eyes {
    /// A seat's, from 0.
    Seat(usize),
    /// An onlooker's, who sees what lies open.
    Onlooker,
    /// Those of who sees all cards: when the game is over, or where nobody plays who could be told.
    All,
}

impl Eyes {
    /// Whether they see what this seat holds.
    pub fn sees(self, seat: usize) -> bool {
        match self {
            Eyes::Seat(own) => own == seat,
            Eyes::Onlooker => false,
            Eyes::All => true,
        }
    }

    /// The seat, if it is one's.
    pub fn seat(self) -> Option<usize> {
        match self {
            Eyes::Seat(seat) => Some(seat),
            Eyes::Onlooker | Eyes::All => None,
        }
    }
}

/// What chance can bring, with weights: an outcome's probability is its weight over the sum of all.
pub type Outcomes = ArrayVec<(Id, u32), 64>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observation {
    Plain,
    /// What the game's network sees, a byte of 0 or 1 for each feature.
    Network,
    Nothing,
}

/// Why a game cannot be had.
#[derive(Debug, Error)]
pub enum OptionError {
    /// An option that the game has not, or a value of the wrong type.
    #[error("options of {game}: {reason}")]
    Unreadable {
        game: &'static str,
        reason: serde_json::Error,
    },
    /// A value that makes no sense.
    #[error("{option} = {value}: expected {expected}")]
    Value {
        option: &'static str,
        value: String,
        /// What would be right.
        expected: String,
    },
    /// There is no such game.
    #[error("there is no game {0:?}; there are cartagena, challenge, eights and hearts")]
    Game(String),
}

/// The ids of a set, ascending.
pub fn ids(set: u64) -> impl Iterator<Item = Id> {
    (0..64).filter(move |id| set >> id & 1 == 1)
}

/// The options of a game that has none: an object with anything in it is an error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoOptions {}

impl OptionError {
    /// Reads a game's options from an object.
    ///
    /// # Errors
    /// If they are not such options.
    pub fn read<T: DeserializeOwned>(game: &'static str, options: Value) -> Result<T, OptionError> {
        serde_json::from_value(options).map_err(|reason| OptionError::Unreadable { game, reason })
    }

    /// An error about an option, unless it is as it should be.
    ///
    /// # Errors
    /// If it is not.
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
/// Ids that are not legal, or no possible outcomes, must not be applied; [`History`](crate::History) and
/// [`Batch`](crate::Batch) check them.
pub trait Game: Clone + Send + Sync + 'static {
    /// A position with every card in a known place or still to be drawn.
    type State: Clone + Send + Sync + 'static;

    const NAME: &'static str;

    /// The game with options from an object; those that are left out are the contest's.
    ///
    /// # Errors
    /// If an option is none of the game's, or makes no sense.
    fn new(options: Value) -> Result<Self, OptionError>;

    /// The same for who needs no memory of the moves that led to a state.
    #[must_use]
    fn forgetful(self) -> Self {
        self
    }

    fn players(&self) -> usize;
    /// Ids of actions are below this; at most 64.
    fn actions(&self) -> usize;
    /// Ids of outcomes of chance are below this; at most 64.
    fn outcomes(&self) -> usize;
    /// The most actions and outcomes of a game; none where it has no bound that is known.
    fn longest(&self) -> usize;
    /// The bytes of a plain observation.
    fn observation(&self) -> usize {
        self.fields().iter().map(|field| field.1).sum()
    }
    /// The names of the fields of a plain observation with their numbers of bytes, in order.
    fn fields(&self) -> Vec<(&'static str, usize)>;
    /// The options, for records.
    fn options(&self) -> Value;

    /// A new game before anything is dealt. What is drawn here (a board) is no turn of chance.
    fn start(&self, rng: &mut Random) -> Self::State;
    /// Whose turn it is.
    fn turn(&self, state: &Self::State) -> Turn;
    /// The legal actions as bits; 0 if it is no player's turn.
    fn legal(&self, state: &Self::State) -> u64;
    /// What chance can bring, ids ascending; empty if it is not chance's turn.
    fn chances(&self, state: &Self::State) -> Outcomes;
    /// Takes an action, or an outcome of chance.
    fn apply(&self, state: &mut Self::State, id: Id);
    /// Whether the game was stopped undecided.
    fn stopped(&self, _state: &Self::State) -> bool {
        false
    }
    /// What the game has brought, all seats together 0.
    fn returns(&self, state: &Self::State) -> Returns;
    /// By what the players of a game that is over are placed: more is better. Two with the same returns may have come
    /// farther and less far.
    fn standing(&self, state: &Self::State) -> Returns {
        self.returns(state)
    }
    /// Points or the like, as the game counts them, at any time.
    fn scores(&self, state: &Self::State) -> Returns {
        self.returns(state)
    }

    /// Writes what a seat sees into a plain observation.
    fn observe(&self, state: &Self::State, seat: usize, out: &mut [u8]);
    /// What a seat is told of an outcome of chance before it is applied; none if nothing.
    fn told(&self, state: &Self::State, outcome: Id, seat: usize) -> Option<String>;
    /// A view for these eyes, as values with names.
    fn view(&self, state: &Self::State, eyes: Eyes) -> Value;
    /// The same for people.
    fn text(&self, state: &Self::State, eyes: Eyes) -> String {
        let view = self.view(state, eyes);
        let fields = view.as_object().into_iter().flatten();
        fields
            .map(|(name, value)| format!("{name}: {value}\n"))
            .collect()
    }
    /// The same as a picture, an SVG document. An action of the player to move that is given is drawn in.
    fn picture(&self, state: &Self::State, eyes: Eyes, action: Option<Id>) -> String {
        let action = action.map(|id| format!("action: {}", self.action_text(state, id)));
        Picture::of_text(&(self.text(state, eyes) + &action.unwrap_or_default()))
    }
    /// An action in words, as the contest writes it; of the player to move.
    fn action_text(&self, state: &Self::State, id: Id) -> String;
    /// An outcome of chance in words.
    fn outcome_text(&self, id: Id) -> String;

    /// The legal action, or the possible outcome, that is written with these words.
    fn read(&self, state: &Self::State, words: &str) -> Option<Id> {
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
        let mut left = below(rng, sum as usize) as u32;
        for &(id, weight) in &outcomes {
            if left < weight {
                return id;
            }
            left -= weight;
        }
        unreachable!("the weights sum to {sum}")
    }

    /// The length of another observation than the plain one; none if the game has no such.
    fn features(&self) -> Option<usize> {
        None
    }

    /// Writes that observation for the player to move.
    fn observe_features(&self, _state: &Self::State, _out: &mut [u8]) {}

    /// Writes what the player to move will see just after a legal action, before chance has its turn, and
    /// says what the game has brought that player if the action ends it. Where a hidden card decides that, the game must
    /// not say it: whoever asks has not acted yet.
    fn observe_after(
        &self,
        state: &Self::State,
        id: Id,
        observation: Observation,
        out: &mut [u8],
    ) -> Option<f32> {
        let Turn::Seat(seat) = self.turn(state) else {
            return None;
        };
        let mut after = state.clone();
        self.apply(&mut after, id);
        match observation {
            Observation::Plain => self.observe(&after, seat, out),
            Observation::Network | Observation::Nothing => {}
        }
        (self.turn(&after) == Turn::Over).then(|| self.returns(&after)[seat])
    }

    /// The bytes of an observation; none if the game has no such.
    fn size_of(&self, observation: Observation) -> Option<usize> {
        match observation {
            Observation::Plain => Some(self.observation()),
            Observation::Network => self.features(),
            Observation::Nothing => Some(0),
        }
    }

    /// A start that is not that of every game, as it is stored.
    fn position(&self, _start: &Self::State) -> Option<Value> {
        None
    }

    /// The state of a position that was stored.
    ///
    /// # Errors
    /// If it is no position of this game.
    fn of_position(&self, _position: Value) -> Result<Self::State, String> {
        Err(format!("{} starts at no position", Self::NAME))
    }

    /// What a seat has seen of the whole game, the same for all games that look the same to it.
    fn information(
        &self,
        _start: &Self::State,
        _events: &[crate::Event],
        _state: &Self::State,
        _seat: usize,
    ) -> Option<String> {
        None
    }

    /// A game that looks the same to a seat: where it starts, and what happened since. Every such game
    /// has the chance that it has by the rules, if the others' play says nothing of their cards.
    fn resample(
        &self,
        start: &Self::State,
        events: &[crate::Event],
        state: &Self::State,
        seat: usize,
        rng: &mut Random,
    ) -> (Self::State, Vec<crate::Event>);
}
