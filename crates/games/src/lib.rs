//! The four games behind one interface, for everybody except search and servers: tables, records, learners, the
//! Python package, and the tests of the rules (`laws`).
//!
//! A [`Game`] has its options, and answers all questions about a state: whose [`Turn`] it is (chance has turns
//! as players do), which actions are legal, what a seat sees. Actions and outcomes of chance are small numbers,
//! so that a set of actions fits in 64 bits. A [`History`] is one game from its start to its present
//! state; a [`Batch`] is thousands of games, for learning.
//!
//! ```
//! use games::cartagena::{Cartagena, Options};
//! use games::{Game, AnyHistory, History, Turn};
//!
//! let game = Cartagena::with(Options::default())?;
//! let mut history = History::new(game, Some(7));
//! assert_eq!(history.turn(), Turn::Seat(0));
//! let first = history.legal().trailing_zeros() as u8;
//! println!("player 1 takes {}", history.action_text(first));
//! history.apply(first)?;
//!
//! // Without a seed chance is explicit: the first card dealt is one of six, all equally likely.
//! let game = Cartagena::with(Options { board: Some("hgkbds".repeat(6)), ..Options::default() })?;
//! let mut history = History::new(game, None);
//! assert_eq!(history.turn(), Turn::Chance);
//! assert_eq!(history.chances().len(), 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In Cartagena a state has the cards left in the deck, not their order. Each draw takes one of these cards, which is
//! the same game as with a shuffled pile. A history keeps the ids of all events; undo, storage and records use them.
//! [`Game::resample`] gives a game that looks the same to a seat: `laws` checks that everything a seat can ask
//! for is the same in both. A batch writes into its caller's slices. [`Game::observe_after`] observes an
//! *afterstate*: the position just after an action, before chance moves.

pub mod any;
pub mod batch;
pub mod cartagena;
pub mod challenge;
mod game;
mod history;
pub mod laws;
mod picture;
pub mod playthrough;
mod record;
pub mod tricks;

pub use any::{AnyGame, AnyHistory, Kind, SavedHistory, bring, from_record, game, names};
pub use batch::{Batch, BatchError};
pub use game::{
    Eyes, Game, Id, MAX_PLAYERS, NoOptions, Observation, ObservationField, OptionError, Outcomes,
    Returns, Turn, ids,
};
pub use history::{Event, History, Refused, Witnessed};
pub use record::RecordError;
