//! Tables at which people play a game to its end, with each other, built-in players and participants' programs.
//! `contest play` opens them in a browser ([`serve`]) or in a terminal ([`terminal`]).
//!
//! A game joins with one trait: a [`TableGame`] is a game in its present position. A [`Kind`] begins such games, and has a
//! [`Scene`], all that pages need to know of them. [`UnderWay`] keeps the actions, for every game alike, and goes back
//! to earlier positions. A browser gets the view of the seat whose link it has, and nothing else. Every
//! action is written to the table's file before anybody sees it, so a table goes on after the server was killed.
//!
//! # Pages
//!
//! Scripts are ECMAScript modules with types in comments, checked by `scripts/check-pages`; browsers
//! get the files as they are. A module's path below `/assets/` is its path below `crates`, so an
//! `import` names the same file in both. A page that stands alone holds its modules joined
//! (`arena::report::script`). Elements, replay controls, the board and the cards are the same modules
//! on tables and in reports. A table's page (`assets`) asks the server for changes, and the game's
//! module to draw a position and to describe actions. It knows nothing that the server does not. Tests
//! check that a module imports only from its own folder and the layers below (a game's table from its
//! reports, this crate and `arena`), and that every text that a module names exists.
//!
//! All texts for people are in `crates/tables/texts`, a folder for each language, in the syntax of Project
//! Fluent. The server sends a [`Text`], a message's name and its values, and the page shows it; a terminal
//! shows the same in English.

mod company;
pub mod connections;
mod game;
mod guard;
mod house;
mod invitation;
mod journal;
mod kind;
mod language;
mod own_games;
mod pages;
mod plain;
mod residents;
mod review;
mod secrets;
mod setup;
mod table;
pub mod terminal;
mod thinking;
mod under_way;
mod web;

pub use game::{Advice, Candidate, Choice, Eyes, TableGame, Told, Unit, distinct};
pub use house::{House, HouseError};
pub use kind::{Beginning, Kind, LARGEST, Opened, Scene};
pub use language::{Argument, Catalogue, CatalogueError, Catalogues, Language, Text, Translated};
pub use plain::plain;
pub use residents::{Residents, wait_for_leaving};
pub use secrets::RandomError;
pub use setup::{Occupant, Setup};
pub use under_way::UnderWay;
pub use web::{Door, serve};
