//! Strategies for whole hands, on an abstraction small enough to be solved before a contest and stored. A player reads
//! from them until the endgame solver takes over.

pub mod abstraction;
mod level;
mod nibbles;
mod opening;
mod own_file;
mod stored;
mod strategy;
mod tables;

pub use opening::{OPENING_TRICKS, Opened, Opening, Weights};
pub use stored::{Bytes, Stored};
pub use strategy::{Distribution, Strategy, probability_of, sample};
pub use tables::{Blueprint, BlueprintError, HandGames, KIND, Tables};
