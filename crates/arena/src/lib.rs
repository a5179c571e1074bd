//! The parts that all referees share: schedules of games, participants and their processes, records of games,
//! ratings, sequential tests, report pages. This crate knows no game: a contest implements [`Referee`], which plays
//! a single one.
//!
//! A *block* is one deal played in every rotation of the seats, so that the luck of the deal and
//! of the seat falls on everyone alike; it is the unit of all statistics. The results do not depend on how many
//! threads play.
//!
//! ```
//! use arena::rating::{self, Games, Outcome};
//! use arena::{GameResult, LineUp, Plan, Referee, ScheduledGame, SeatResult};
//! use std::convert::Infallible;
//! use std::ops::ControlFlow;
//!
//! /// The higher card wins, and the second program has a card up its sleeve.
//! struct HighCard;
//!
//! impl Referee for HighCard {
//!     type Error = Infallible;
//!
//!     fn play(&self, game: &ScheduledGame) -> Result<GameResult, Infallible> {
//!         let dealt = [game.block * 7 % 13, game.block * 5 % 13];
//!         let card = |seat: usize| dealt[seat] + 2 * game.seats[seat] as u64;
//!         let result = |seat: usize| {
//!             let (own, other) = (card(seat), card(1 - seat));
//!             let share = if own == other { 0.5 } else { f64::from(u8::from(own > other)) };
//!             SeatResult { share, rank: 2.0 - share, nanos: Vec::new(), faults: Vec::new() }
//!         };
//!         Ok(GameResult { seats: vec![result(0), result(1)], stopped: false, line: Vec::new() })
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let plan = Plan { line_ups: LineUp::all(2, 2), games: 100, jobs: 2 };
//! let mut blocks = Vec::new();
//! plan.run(&HighCard, |_, _| (), |block| {
//!     blocks.push(block);
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(blocks.len(), 50);
//!
//! let mut games = Games::new(vec!["honest".to_owned(), "sleeve".to_owned()]);
//! for block in &blocks {
//!     let outcome = |(game, played): &(ScheduledGame, GameResult)| Outcome {
//!         seats: game.seats.clone(),
//!         ranks: played.seats.iter().map(|seat| seat.rank).collect(),
//!     };
//!     games.push(&block.iter().map(outcome).collect::<Vec<_>>())?;
//! }
//! let ratings = rating::rate(&games, &rating::Options::default())?;
//! assert_eq!(ratings.rows[0].label, "sleeve");
//! # Ok(())
//! # }
//! ```

pub mod bracket;
pub mod fault;
pub mod games_won;
pub mod glicko;
pub mod input;
pub mod labels;
pub mod line_up;
pub mod participant;
pub mod penalty;
pub mod plain_text;
pub mod practice;
pub mod process;
pub mod progress;
pub mod ranking;
pub mod rating;
pub mod records;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod sprt;
pub mod stats;
pub mod swiss;
pub mod text_table;
pub mod wire;

pub use line_up::LineUp;
pub use schedule::{Block, GameResult, Plan, Referee, ScheduledGame, SeatResult};
