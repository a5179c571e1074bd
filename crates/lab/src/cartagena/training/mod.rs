//! Training of value networks by self-play (TD(λ); Tesauro 1995), called by `lab cartagena train`.
//!
//! A round is a few games and one step of the optimiser on their samples. The games are played on all cores by a
//! network that does not change meanwhile. Games are numbered and each has its own stream of random numbers;
//! sums are taken in a fixed order. So the same seed and number of games give the same network on
//! any number of threads.
//!
//! Outcomes teach a network how good positions are; for two players rollouts on common cards teach it
//! how actions differ (`comparison`). Where many machines train, actors play and one learner learns
//! (`shards`). They share only files in a folder. Games are numbered and divided into waves, so the network
//! does not depend on the speed of the machines.

pub mod checkpoint;
mod comparison;
mod game;
mod match_play;
mod optimiser;
pub mod shards;
mod trainer;
mod widening;

pub use comparison::Teacher;
pub use game::{Behaviour, Played};
pub use match_play::{MatchResult, Policy, play_match};
pub use optimiser::{Adam, Contrast, MOST_ACTIONS, Sample, loss_and_gradient};
pub use trainer::{Budget, Config, Progress, Trainer};
pub use widening::widened;
