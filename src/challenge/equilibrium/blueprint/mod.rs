//! Strategies for whole hands, on an abstraction small enough to be solved and stored.

mod abstraction;
mod file;
mod strategy;
mod sweep;
mod trainer;

pub use abstraction::{Choices, SIZE, Spot, spot};
pub use file::{Book, BookError, Games, KIND};
pub use strategy::Strategy;
pub use sweep::{Sweep, centres};
pub use trainer::Trainer;
