//! Games and tables of which only at run time is known of what game they are.

use crate::batch::{AnyBatch, Batch};
use crate::cartagena::{self, Cartagena};
use crate::challenge::{self, Challenge};
use crate::game::{Game, Id, Observation, OptionError, Outcomes, Returns, Turn};
use crate::rounds::{Eights, EightsOptions, Hearts, HeartsOptions, Rounds};
use crate::table::{Event, Refused, Table};
use engine::rng::stream;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::any::Any;
use thiserror::Error;

/// A table of any game; see [`Table`] and [`Game`] for what its functions do.
#[allow(missing_docs)]
pub trait Play: Send + Sync {
    fn boxed(&self) -> Box<dyn Play>;
    fn as_any(&self) -> &dyn Any;
    fn name(&self) -> &'static str;
    fn turn(&self) -> Turn;
    fn legal(&self) -> u64;
    fn chances(&self) -> Outcomes;
    fn apply(&mut self, id: Id) -> Result<(), Refused>;
    fn check(&self, id: i64) -> Result<(), Refused>;
    fn undo(&mut self) -> bool;
    fn returns(&self) -> Returns;
    fn scores(&self) -> Returns;
    fn stopped(&self) -> bool;
    fn observe(&self, seat: usize, out: &mut [u8]);
    fn observe_features(&self, out: &mut [u8]);
    fn observe_after(&self, id: Id, observation: Observation, out: &mut [u8]) -> Option<f32>;
    fn view(&self, seat: Option<usize>) -> Value;
    fn text(&self, seat: Option<usize>) -> String;
    fn picture(&self, seat: Option<usize>, action: Option<Id>) -> String;
    fn action_text(&self, id: Id) -> String;
    fn outcome_text(&self, id: Id) -> String;
    fn information(&self, seat: usize) -> String;
    fn resampled(&self, seat: usize, seed: u64) -> Box<dyn Play>;
    fn position(&self) -> Option<Value>;
    fn replayed(&self, events: &[Event], seed: Option<u64>) -> Result<Box<dyn Play>, Refused>;
    fn events(&self) -> &[Event];
    fn seed(&self) -> Option<u64>;
}

impl<G: Game> Play for Table<G> {
    fn boxed(&self) -> Box<dyn Play> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn name(&self) -> &'static str {
        G::NAME
    }

    fn turn(&self) -> Turn {
        self.game().turn(self.state())
    }

    fn legal(&self) -> u64 {
        self.game().legal(self.state())
    }

    fn chances(&self) -> Outcomes {
        self.game().chances(self.state())
    }

    fn apply(&mut self, id: Id) -> Result<(), Refused> {
        Table::apply(self, id)
    }

    fn check(&self, id: i64) -> Result<(), Refused> {
        Table::check(self, id)
    }

    fn undo(&mut self) -> bool {
        Table::undo(self)
    }

    fn returns(&self) -> Returns {
        self.game().returns(self.state())
    }

    fn scores(&self) -> Returns {
        self.game().scores(self.state())
    }

    fn stopped(&self) -> bool {
        self.game().stopped(self.state())
    }

    fn observe(&self, seat: usize, out: &mut [u8]) {
        self.game().observe(self.state(), seat, out);
    }

    fn observe_features(&self, out: &mut [u8]) {
        self.game().observe_features(self.state(), out);
    }

    fn observe_after(&self, id: Id, observation: Observation, out: &mut [u8]) -> Option<f32> {
        self.game()
            .observe_after(self.state(), id, observation, out)
    }

    fn view(&self, seat: Option<usize>) -> Value {
        self.game().view(self.state(), seat)
    }

    fn text(&self, seat: Option<usize>) -> String {
        self.game().text(self.state(), seat)
    }

    fn picture(&self, seat: Option<usize>, action: Option<Id>) -> String {
        self.game().picture(self.state(), seat, action)
    }

    fn action_text(&self, id: Id) -> String {
        self.game().action_text(self.state(), id)
    }

    fn outcome_text(&self, id: Id) -> String {
        self.game().outcome_text(id)
    }

    fn information(&self, seat: usize) -> String {
        Table::information(self, seat)
    }

    fn resampled(&self, seat: usize, seed: u64) -> Box<dyn Play> {
        Box::new(Table::resampled(self, seat, seed))
    }

    fn position(&self) -> Option<Value> {
        self.game().position(self.start())
    }

    fn replayed(&self, events: &[Event], seed: Option<u64>) -> Result<Box<dyn Play>, Refused> {
        Ok(Box::new(Table::replayed(self, events, seed)?))
    }

    fn events(&self) -> &[Event] {
        Table::events(self)
    }

    fn seed(&self) -> Option<u64> {
        Table::seed(self)
    }
}

/// One of the four games with its options.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum AnyGame {
    Cartagena(Cartagena),
    Challenge(Challenge),
    Eights(Rounds<Eights>),
    Hearts(Rounds<Hearts>),
}

/// Evaluates something for whichever game it is.
macro_rules! each {
    ($any:expr, $game:ident => $value:expr) => {
        match $any {
            AnyGame::Cartagena($game) => $value,
            AnyGame::Challenge($game) => $value,
            AnyGame::Eights($game) => $value,
            AnyGame::Hearts($game) => $value,
        }
    };
}

fn read<T: DeserializeOwned>(game: &'static str, options: Value) -> Result<T, OptionError> {
    serde_json::from_value(options).map_err(|reason| OptionError::Unreadable { game, reason })
}

impl AnyGame {
    /// Their names.
    pub const NAMES: [&'static str; 4] = [
        Cartagena::NAME,
        Challenge::NAME,
        Rounds::<Eights>::NAME,
        Rounds::<Hearts>::NAME,
    ];

    /// The game of a name, with options from an object; those that are left out are the contest's.
    ///
    /// # Errors
    /// If there is no such game, or an option is none of its, or makes no sense.
    pub fn new(name: &str, options: Value) -> Result<AnyGame, OptionError> {
        Ok(match name {
            Cartagena::NAME => {
                let options: cartagena::Options = read(Cartagena::NAME, options)?;
                AnyGame::Cartagena(Cartagena::new(options)?)
            }
            Challenge::NAME => {
                let options: challenge::Options = read(Challenge::NAME, options)?;
                AnyGame::Challenge(Challenge::new(options)?)
            }
            "eights" => {
                let options: EightsOptions = read("eights", options)?;
                AnyGame::Eights(Rounds::new(Eights::new(options)?))
            }
            "hearts" => {
                let options: HeartsOptions = read("hearts", options)?;
                AnyGame::Hearts(Rounds::new(Hearts::new(options)?))
            }
            other => return Err(OptionError::Game(other.to_owned())),
        })
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        fn name<G: Game>(_: &G) -> &'static str {
            G::NAME
        }
        each!(self, game => name(game))
    }

    /// How many play.
    pub fn players(&self) -> usize {
        each!(self, game => game.players())
    }

    /// Ids of actions are below this.
    pub fn actions(&self) -> usize {
        each!(self, game => game.actions())
    }

    /// Ids of outcomes of chance are below this.
    pub fn outcomes(&self) -> usize {
        each!(self, game => game.outcomes())
    }

    /// The most events of a game.
    pub fn longest(&self) -> usize {
        each!(self, game => game.longest())
    }

    /// The bytes of a plain observation.
    pub fn observation(&self) -> usize {
        each!(self, game => game.observation())
    }

    /// The length of the network's observation; none if the game has no network.
    pub fn features(&self) -> Option<usize> {
        each!(self, game => game.features())
    }

    /// The bytes of an observation; none if the game has no such.
    pub fn size_of(&self, observation: Observation) -> Option<usize> {
        each!(self, game => game.size_of(observation))
    }

    /// The fields of a plain observation.
    pub fn fields(&self) -> Vec<(&'static str, usize)> {
        each!(self, game => game.fields())
    }

    /// All options.
    pub fn options(&self) -> Value {
        each!(self, game => game.options())
    }

    /// A new game.
    pub fn start(&self, seed: Option<u64>) -> Box<dyn Play> {
        each!(self, game => Box::new(Table::new(game.clone(), seed)))
    }

    /// Many games at once.
    pub fn batch(&self, games: usize, seed: u64, observation: Observation) -> Box<dyn AnyBatch> {
        match self {
            AnyGame::Cartagena(game) => Box::new(Batch::new(
                game.clone().forgetful(),
                games,
                seed,
                observation,
            )),
            AnyGame::Challenge(game) => {
                Box::new(Batch::new(game.clone(), games, seed, observation))
            }
            AnyGame::Eights(game) => Box::new(Batch::new(game.clone(), games, seed, observation)),
            AnyGame::Hearts(game) => Box::new(Batch::new(game.clone(), games, seed, observation)),
        }
    }
}

/// Where a stored game starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// As every game.
    New,
    /// At the position of a contest's text, hidden cards drawn by a seed.
    Text {
        /// The text.
        text: String,
        /// The seed.
        draw: u64,
    },
    /// At a position of Cartagena.
    Position(Value),
}

/// A game as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedTable {
    /// Its name.
    pub game: String,
    /// Its options.
    pub options: Value,
    /// Where it starts.
    pub origin: Origin,
    /// What chance follows from; none if it is explicit.
    pub seed: Option<u64>,
    /// What has happened.
    pub events: Vec<Event>,
}

/// Why a stored game, or a text, makes no table.
#[derive(Debug, Error)]
pub enum LoadError {
    /// Its game.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// What has happened in it.
    #[error("event {number}: {reason}")]
    Event {
        /// Which, from 1.
        number: usize,
        /// What is wrong with it.
        reason: Refused,
    },
    /// The contest's text.
    #[error("{0}")]
    Text(::cartagena::notation::ParseError),
    /// Where it starts.
    #[error("position: {0}")]
    Position(String),
}

/// A position of a contest's text of Cartagena: the game it is of, and a table at which the cards that
/// the player to move does not see are drawn by a seed.
///
/// # Errors
/// If the text cannot be read.
pub fn of_text(
    text: &str,
    draw: u64,
    seed: Option<u64>,
) -> Result<(AnyGame, Box<dyn Play>), LoadError> {
    let read = Cartagena::of_text(text.as_bytes(), &mut stream(draw, 0));
    let (game, state) = read.map_err(LoadError::Text)?;
    let table = Table::from(game.clone(), state, seed);
    Ok((AnyGame::Cartagena(game), Box::new(table)))
}

impl SavedTable {
    /// The table.
    ///
    /// # Errors
    /// If it is none.
    pub fn load(&self) -> Result<(AnyGame, Box<dyn Play>), LoadError> {
        let (game, fresh) = match &self.origin {
            Origin::New => {
                let game = AnyGame::new(&self.game, self.options.clone())?;
                // The board follows from the seed; what chance brought is among the events.
                let fresh = game.start(self.seed);
                (game, fresh)
            }
            Origin::Text { text, draw } => of_text(text, *draw, self.seed)?,
            Origin::Position(position) => {
                let game = AnyGame::new(&self.game, self.options.clone())?;
                let AnyGame::Cartagena(rules) = &game else {
                    let reason = format!("{} starts at no position", self.game);
                    return Err(LoadError::Position(reason));
                };
                let start = rules
                    .of_position(position.clone())
                    .map_err(LoadError::Position)?;
                let fresh: Box<dyn Play> = Box::new(Table::from(rules.clone(), start, None));
                (game, fresh)
            }
        };
        let table = fresh.replayed(&self.events, self.seed);
        let table = table.map_err(|reason| LoadError::Event {
            number: self.events.len(),
            reason,
        })?;
        Ok((game, table))
    }
}
