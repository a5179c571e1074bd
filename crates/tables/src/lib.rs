//! Tables in a browser: people, at one computer or several, and players play a game to its end.
//!
//! A game takes part through two traits: [`Kind`] sets it up, [`TableGame`] is one under way. What a
//! browser is sent is the view of the seat whose link it has, and nothing else. Every action is
//! written down before anybody is told of it, so that a table goes on after the server was killed.

pub mod connections;
mod game;
mod guard;
mod house;
mod journal;
mod language;
mod pages;
mod plain;
mod residents;
mod review;
mod secrets;
mod setup;
mod table;
pub mod terminal;
mod thinking;
mod web;

pub use game::{
    Advice, Advising, Candidate, Choice, Eyes, Kind, Opened, TableGame, Thought, Told, Unit,
    distinct,
};
pub use house::{House, HouseError};
pub use language::{Argument, Catalogue, CatalogueError, Catalogues, Language, Text};
pub use plain::Plain;
pub use residents::Residents;
pub use secrets::RandomError;
pub use setup::{Occupant, Setup};
pub use web::{Door, serve};
