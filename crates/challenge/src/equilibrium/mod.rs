//! The hand game near its equilibrium.
//!
//! A hand matters only by the score after it. So a game is 100 hand games, one for each score before a hand
//! ([`Stakes`], [`Values`]). All plays are public; the only hidden information is which cards a player still holds,
//! a distribution over multisets of ranks.
//!
//! The [`blueprint`] covers whole hands on an abstraction. Monte Carlo counterfactual regret minimisation (Lanctot
//! et al. 2009) computes it before a contest. The [`endgame`] solver takes the last three tricks without
//! abstraction, with the ranges that play leads to. It uses discounted CFR on the public tree (Brown and Sandholm
//! 2019; Johanson et al. 2011).

pub mod blueprint;
pub mod endgame;
mod history;
mod multisets;
mod removal;
mod resolving;
mod stakes;

pub use history::{History, Policy};
pub use multisets::{Multisets, ascending};
pub use removal::HandTables;
pub use resolving::{Effort, Hand, LEAST_ITERATIONS, MOST_SOLVED, Resolving, ResolvingSettings};
pub use stakes::{Stakes, Values};
