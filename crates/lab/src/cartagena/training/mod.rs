//! Training of value networks by self-play (TD(λ); Tesauro 1995).
//!
//! A round is a handful of games, which the frozen network plays on all cores, and one step of the
//! optimiser on their samples. Games are numbered and each has its own stream of random numbers;
//! sums are taken in a fixed order. So the same seed and number of games give the same network on
//! any number of threads.
//!
//! Outcomes teach a network how good positions are; for two players rollouts on common cards teach it
//! how actions differ (`comparison`). Where many machines train, actors play and one learner learns
//! (`shards`). They share files in a folder alone, and waves of numbered games make the network
//! independent of who is quick.

pub mod checkpoint;
mod choice;
mod comparison;
mod game;
mod look_ahead;
mod match_play;
mod optimiser;
pub(in crate::cartagena) mod pilot;
mod setup;
pub mod shards;
mod trainer;
mod widening;

pub use comparison::Teacher;
pub use game::{Behaviour, Played};
pub use match_play::{MatchResult, Policy, play_match};
pub use optimiser::{Adam, Contrast, MOST_ACTIONS, Sample, loss_and_gradient};
pub use setup::Setups;
pub use trainer::{Budget, Config, Progress, Trainer};
pub use widening::widened;
