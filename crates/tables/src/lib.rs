//! Tables in a browser: people, at one computer or several, and players play a game to its end.
//!
//! A game has two traits: [`Kind`] sets it up, and a [`TableGame`] is one under way. A browser gets the view of
//! the seat whose link it has, and nothing else. Every action is written to the table's file before anybody
//! sees it, so a table goes on after the server was killed.
//!
//! # Pages
//!
//! Scripts are ECMAScript modules with types in comments, checked by `scripts/check-pages`; browsers
//! get the files as they are. Their path is the same in the repository and on the server of tables, so
//! that an `import` means one file to both; a page that stands alone holds its modules joined
//! (`arena::report::script`). Elements, replay controls, the board and the cards are the same modules
//! on tables and in reports. A table's page (`assets`) keeps up with the server, and asks the game's
//! module to draw a position and to say what was done. It knows nothing that the server does not. Tests
//! check that a module uses only those below it, and that every text that one names exists.
//!
//! All texts for people are in `crates/tables/texts`, a folder for each language, in the syntax of Project
//! Fluent. The server sends a [`Text`], a message's name and its values, and the page shows it; a terminal
//! shows the same in English.

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
