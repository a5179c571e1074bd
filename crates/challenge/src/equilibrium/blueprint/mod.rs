//! Strategies for whole hands, on an abstraction small enough to be solved and stored.

mod abstraction;
mod course;
mod file;
mod level;
mod play;
mod strategy;
mod sweep;
mod trainer;

pub use abstraction::{Choices, SIZE, Spot, spot};
pub use file::{Book, BookError, Games, KIND};
pub use play::Play;
pub use strategy::{Distribution, Strategy, draw};
pub use sweep::{Sweep, centres};
pub use trainer::Trainer;
