//! Games and histories whose kind is known only at run time, behind [`AnyGame`] and [`AnyHistory`]. Tables, the
//! Python package, records and laws use them: `game` finds a game by its name, [`SavedHistory`] stores one.

use crate::batch::{AnyBatch, Batch};
use crate::cartagena::Cartagena;
use crate::challenge::Challenge;
use crate::game::{
    Eyes, Game, Id, Observation, ObservationField, OptionError, Outcomes, Returns, Turn,
};
use crate::history::{Event, History, Refused, Witnessed};
use crate::record::{RecordError, unsupported};
use crate::tricks::{Eights, Hearts, Rounds};
use engine::rng::{Random, stream};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// A history of any game. Its functions are those of [`History`], and those of [`Game`] at the history's present
/// state.
pub trait AnyHistory: Send + Sync {
    /// A copy of the history, in a box.
    fn boxed(&self) -> Box<dyn AnyHistory>;
    /// For a cast to the [`History`] of a game that the caller knows.
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
    fn standing(&self) -> Returns;
    /// An outcome of chance, drawn by its weight.
    fn draw(&self, rng: &mut Random) -> Id;
    fn stopped(&self) -> bool;
    fn observe(&self, seat: usize, out: &mut [u8]);
    fn observe_features(&self, out: &mut [u8]);
    fn observe_after(&self, id: Id, observation: Observation, out: &mut [u8]) -> Option<f64>;
    fn view(&self, eyes: Eyes) -> Value;
    fn text(&self, eyes: Eyes) -> String;
    fn picture(&self, eyes: Eyes, action: Option<Id>) -> String;
    fn action_text(&self, id: Id) -> String;
    fn outcome_text(&self, id: Id) -> String;
    fn read(&self, words: &str) -> Option<Id>;
    fn information(&self, seat: usize) -> String;
    fn seen(&self, seat: usize) -> Vec<Witnessed>;
    fn resampled(&self, seat: usize, seed: u64) -> Box<dyn AnyHistory>;
    fn position(&self) -> Option<Value>;
    fn replayed(
        &self,
        events: &[Event],
        seed: Option<u64>,
    ) -> Result<Box<dyn AnyHistory>, (usize, Refused)>;
    fn record(&self, players: &[String]) -> Result<Value, RecordError>;
    fn events(&self) -> &[Event];
    fn seed(&self) -> Option<u64>;
}

/// Functions of [`Game`] at the history's present state.
macro_rules! of_state {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(fn $name(&self $(, $argument: $type)*) -> $result {
            self.game().$name(self.state() $(, $argument)*)
        })*
    };
}

impl<G: Game> AnyHistory for History<G> {
    fn boxed(&self) -> Box<dyn AnyHistory> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn name(&self) -> &'static str {
        G::NAME
    }

    of_state! {
        turn() -> Turn;
        legal() -> u64;
        chances() -> Outcomes;
        returns() -> Returns;
        scores() -> Returns;
        standing() -> Returns;
        draw(rng: &mut Random) -> Id;
        stopped() -> bool;
        observe(seat: usize, out: &mut [u8]) -> ();
        observe_features(out: &mut [u8]) -> ();
        observe_after(id: Id, observation: Observation, out: &mut [u8]) -> Option<f64>;
        view(eyes: Eyes) -> Value;
        text(eyes: Eyes) -> String;
        picture(eyes: Eyes, action: Option<Id>) -> String;
        action_text(id: Id) -> String;
        read(words: &str) -> Option<Id>;
    }

    fn apply(&mut self, id: Id) -> Result<(), Refused> {
        History::apply(self, id)
    }

    fn check(&self, id: i64) -> Result<(), Refused> {
        History::check(self, id)
    }

    fn undo(&mut self) -> bool {
        History::undo(self)
    }

    fn outcome_text(&self, id: Id) -> String {
        self.game().outcome_text(id)
    }

    fn information(&self, seat: usize) -> String {
        History::information(self, seat)
    }

    fn seen(&self, seat: usize) -> Vec<Witnessed> {
        History::seen(self, seat)
    }

    fn resampled(&self, seat: usize, seed: u64) -> Box<dyn AnyHistory> {
        Box::new(History::resampled(self, seat, seed))
    }

    fn position(&self) -> Option<Value> {
        self.game().position(self.start())
    }

    fn replayed(
        &self,
        events: &[Event],
        seed: Option<u64>,
    ) -> Result<Box<dyn AnyHistory>, (usize, Refused)> {
        Ok(Box::new(History::replayed(self, events, seed)?))
    }

    fn record(&self, players: &[String]) -> Result<Value, RecordError> {
        History::record(self, players)
    }

    fn events(&self) -> &[Event] {
        History::events(self)
    }

    fn seed(&self) -> Option<u64> {
        History::seed(self)
    }
}

/// Any game with its options: its shape as values, and what begins it. The values are those of [`Game`]'s functions of
/// these names.
pub struct AnyGame {
    pub name: &'static str,
    pub players: usize,
    pub actions: usize,
    pub outcomes: usize,
    pub longest: usize,
    pub observation: usize,
    pub features: Option<usize>,
    pub fields: Vec<ObservationField>,
    pub options: Value,
    begin: Box<Begin>,
    batch: Box<MakeBatch>,
}

type Begin = dyn Fn(Beginning) -> Result<Box<dyn AnyHistory>, String> + Send + Sync;

type MakeBatch = dyn Fn(usize, u64, Observation, bool) -> Box<dyn AnyBatch> + Send + Sync;

/// How a game begins.
enum Beginning<'a> {
    /// A new game; chance is drawn by the seed, or explicit.
    New(Option<u64>),
    /// A start that is drawn by this seed, with explicit chance after it.
    Drawn(u64),
    /// A stored position. The seed draws the cards that it leaves open.
    Position(&'a Value, u64),
}

/// Erases the type of a game.
pub fn erased<G: Game>(game: G) -> Arc<AnyGame> {
    let begun = game.clone();
    let begin = move |beginning: Beginning| -> Result<Box<dyn AnyHistory>, String> {
        let start = match beginning {
            Beginning::New(seed) => return Ok(Box::new(History::new(begun.clone(), seed))),
            Beginning::Drawn(draw) => begun.start(&mut stream(draw, 0)),
            Beginning::Position(position, draw) => {
                begun.of_position(position.clone(), &mut stream(draw, 0))?
            }
        };
        // The seed has drawn the start alone. The history gets none, so that nothing is drawn after it: chance is
        // explicit, or the events of a stored game follow first.
        Ok(Box::new(History::from(begun.clone(), start, None)))
    };
    // A batch is asked for observations and returns alone, so its states need no list of moves.
    let played = game.clone().forgetful();
    let batch = move |games, seed, observation, finals| -> Box<dyn AnyBatch> {
        let game = played.clone();
        Box::new(Batch::new(game, games, seed, observation, finals))
    };
    Arc::new(AnyGame {
        name: G::NAME,
        players: game.players(),
        actions: game.actions(),
        outcomes: game.outcomes(),
        longest: game.longest(),
        observation: game.observation(),
        features: game.features(),
        fields: game.fields(),
        options: game.options(),
        begin: Box::new(begin),
        batch: Box::new(batch),
    })
}

impl AnyGame {
    /// A new game whose chance is drawn by the seed; without one it is explicit.
    pub fn start(&self, seed: Option<u64>) -> Box<dyn AnyHistory> {
        self.begun(Beginning::New(seed))
    }

    /// A new game with explicit chance whose start, such as a board, is drawn by a seed.
    pub fn start_by(&self, draw: u64) -> Box<dyn AnyHistory> {
        self.begun(Beginning::Drawn(draw))
    }

    fn begun(&self, beginning: Beginning) -> Box<dyn AnyHistory> {
        let begun = (self.begin)(beginning);
        begun.expect("only a position can be wrong")
    }

    /// Many games at once.
    pub fn batch(
        &self,
        games: usize,
        seed: u64,
        observation: Observation,
        finals: bool,
    ) -> Box<dyn AnyBatch> {
        (self.batch)(games, seed, observation, finals)
    }

    /// The bytes of an observation; `None` if the game does not have it.
    pub fn size_of(&self, observation: Observation) -> Option<usize> {
        observation.size(self.observation, self.features)
    }
}

/// A game's name, and the function that makes the game from options.
#[derive(Clone, Copy)]
pub struct Kind {
    pub name: &'static str,
    make: fn(Value) -> Result<Arc<AnyGame>, OptionError>,
    is_record: fn(&Value) -> bool,
    from_record: fn(&Value, usize) -> Result<Loaded, RecordError>,
}

impl Kind {
    /// The kind of a game by its type.
    pub const fn of<G: Game>() -> Kind {
        Kind {
            name: G::NAME,
            make: |options| Ok(erased(G::new(options)?)),
            is_record: G::is_record,
            from_record: |record, actions| {
                let history = G::from_record(record, actions)?;
                Ok((erased(history.game().clone()), Box::new(history)))
            },
        }
    }
}

/// The games of the four contests.
pub const CONTESTS: [Kind; 4] = [
    Kind::of::<Cartagena>(),
    Kind::of::<Challenge>(),
    Kind::of::<Rounds<Eights>>(),
    Kind::of::<Rounds<Hearts>>(),
];

/// The games of other crates, in the order in which [`bring`] received them.
static BROUGHT: Mutex<Vec<Kind>> = Mutex::new(Vec::new());

/// Makes a game of another crate known, so that `game` finds it by its name. If the name is known already, nothing
/// changes.
pub fn bring(kind: Kind) {
    // The list is whole even after a panic of another thread: it only ever grows, by `push`.
    let mut brought = BROUGHT.lock().unwrap_or_else(PoisonError::into_inner);
    if !CONTESTS
        .iter()
        .chain(&*brought)
        .any(|known| known.name == kind.name)
    {
        brought.push(kind);
    }
}

/// All kinds of games that are known, those of the contests first.
fn kinds() -> Vec<Kind> {
    let brought = BROUGHT.lock().unwrap_or_else(PoisonError::into_inner);
    CONTESTS.iter().chain(&*brought).copied().collect()
}

/// The names of all games that are known.
pub fn names() -> Vec<&'static str> {
    kinds().iter().map(|kind| kind.name).collect()
}

/// The game of a name, with options from an object; those that are left out are the contest's.
///
/// # Errors
/// If there is no such game, or it does not have such an option, or not with this value.
pub fn game(name: &str, options: Value) -> Result<Arc<AnyGame>, OptionError> {
    let kind = kinds().into_iter().find(|kind| kind.name == name);
    match kind {
        Some(kind) => (kind.make)(options),
        None => Err(OptionError::Game {
            name: name.to_owned(),
            known: names().join(", "),
        }),
    }
}

/// The game of a referee's record, and its history after the first `actions` actions.
///
/// # Errors
/// If it is no record, or breaks a rule, or has something that these games do not have, such as faults.
pub fn from_record(record: &Value, actions: usize) -> Result<Loaded, RecordError> {
    match kinds().iter().find(|kind| (kind.is_record)(record)) {
        Some(kind) => (kind.from_record)(record, actions),
        None => unsupported(format!(
            "expected a record of a referee: {}",
            names().join(", ")
        )),
    }
}

/// Where a stored game starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    New,
    /// At a start that was drawn by this seed, with explicit chance.
    Drawn(u64),
    /// At the position of a text of the Cartagena contest, with hidden cards drawn by the seed `draw`.
    Text {
        text: String,
        draw: u64,
    },
    /// At a stored position.
    Position(Value),
}

/// A game as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedHistory {
    pub game: String,
    pub options: Value,
    pub origin: Origin,
    /// The seed of chance; `None` if chance is explicit.
    pub seed: Option<u64>,
    pub events: Vec<Event>,
}

/// Why a stored game, or a text, makes no history.
#[derive(Debug, Error)]
pub enum LoadError {
    #[error(transparent)]
    Options(#[from] OptionError),
    /// An event that the rules refuse.
    #[error("event {number}: {reason}")]
    Event {
        number: usize,
        /// Why the rules refuse it.
        reason: Refused,
    },
    #[error("{0}")]
    Text(::cartagena::notation::ParseError),
    #[error("position: {0}")]
    Position(String),
}

/// A game and a history of it.
pub type Loaded = (Arc<AnyGame>, Box<dyn AnyHistory>);

/// Reads a text of the Cartagena contest. Returns the game, and a history that starts at the text's position; the
/// cards that the player to move does not see are drawn by the seed `draw`.
///
/// # Errors
/// If the text cannot be read.
pub fn of_text(text: &str, draw: u64, seed: Option<u64>) -> Result<Loaded, LoadError> {
    // Hidden cards have their own seed, so that one position can be given with several deals of them.
    let read = Cartagena::of_text(text.as_bytes(), &mut stream(draw, 0));
    let (game, state) = read.map_err(LoadError::Text)?;
    let history = History::from(game.clone(), state, seed);
    Ok((erased(game), Box::new(history)))
}

impl SavedHistory {
    /// The game and the history.
    ///
    /// # Errors
    /// If the options, the start or an event do not fit the game.
    pub fn load(&self) -> Result<Loaded, LoadError> {
        let (game, fresh) = match &self.origin {
            // The text itself gives the options: players, deal and board.
            Origin::Text { text, draw } => of_text(text, *draw, self.seed)?,
            // The seed gives the board. All other outcomes of chance are among the events.
            Origin::New => self.begun(Beginning::New(self.seed))?,
            Origin::Drawn(draw) => self.begun(Beginning::Drawn(*draw))?,
            Origin::Position(position) => {
                self.begun(Beginning::Position(position, self.seed.unwrap_or(0)))?
            }
        };
        // `fresh` may have drawn already by its seed: the replay begins at its start, before any event.
        let history = fresh.replayed(&self.events, self.seed);
        let history = history.map_err(|(number, reason)| LoadError::Event { number, reason })?;
        Ok((game, history))
    }

    /// The game, and a history of it that begins like this.
    fn begun(&self, beginning: Beginning) -> Result<Loaded, LoadError> {
        let game = game(&self.game, self.options.clone())?;
        let fresh = (game.begin)(beginning).map_err(LoadError::Position)?;
        Ok((game, fresh))
    }
}
