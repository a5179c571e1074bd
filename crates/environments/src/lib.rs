//! The four games for people who learn and do research: one vocabulary for all of them, and many games
//! stepped by one call.
//!
//! A [`Game`] has its options, and says everything about a state: whose [`Turn`] it is (chance is one
//! that has turns), which actions are legal, what a seat sees. Actions and outcomes of chance are small
//! numbers, so that a set of actions is a word of 64 bits. A [`Table`] is a game that is played, with its
//! history; a [`Batch`] is thousands of them, for learning.
//!
//! ```
//! use environments::cartagena::{Cartagena, Options};
//! use environments::{Game, Play, Table, Turn};
//!
//! let game = Cartagena::new(Options::default())?;
//! let mut table = Table::new(game, Some(7));
//! assert_eq!(table.turn(), Turn::Seat(0));
//! let first = table.legal().trailing_zeros() as u8;
//! println!("player 1 takes {}", table.action_text(first));
//! table.apply(first)?;
//!
//! // Without a seed chance is explicit: the first card dealt is one of six, all equally likely.
//! let game = Cartagena::new(Options { board: Some("hgkbds".repeat(6)), ..Options::default() })?;
//! let mut table = Table::new(game, None);
//! assert_eq!(table.turn(), Turn::Chance);
//! assert_eq!(table.chances().len(), 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod batch;
pub mod cartagena;
pub mod challenge;
mod game;
mod picture;
pub mod play;
pub mod rounds;
mod table;

pub use batch::{Batch, BatchError};
pub use game::{Game, Id, MAX_PLAYERS, Observation, OptionError, Outcomes, Returns, Turn};
pub use play::{AnyGame, Play, SavedTable};
pub use table::{Event, Refused, Table};
