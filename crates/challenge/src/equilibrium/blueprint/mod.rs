//! Strategies for whole hands, on an abstraction small enough to be solved and stored.

pub mod abstraction;
mod level;
mod opening;
mod strategy;
mod tables;

pub use opening::{OPENING_TRICKS, Opened, Opening, StoredOpening, Weights};
pub use strategy::{Distribution, Strategy, probability_of, sample};
pub use tables::{Blueprint, BlueprintError, HandGames, KIND, Tables};
