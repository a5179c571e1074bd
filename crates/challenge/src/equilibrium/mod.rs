//! The hand game near its equilibrium.
//!
//! A hand is worth something only through the score after it, so a game is 100 hand games, one for
//! each score before a hand ([`Stakes`], [`Values`]). All plays are public: what is hidden is only
//! which cards a player still holds, a distribution over multisets of ranks.
//!
//! The [`blueprint`] covers whole hands on an abstraction; Monte Carlo counterfactual regret
//! minimisation (Lanctot et al. 2009) computes it before a contest. The [`endgame`] solver takes the
//! last two or three cards without abstraction, with the ranges that the blueprint leads to, by CFR+
//! on the public tree (Tammelin 2014; Johanson et al. 2011).

pub mod blueprint;
pub mod endgame;
mod history;
mod multisets;
mod stakes;

pub use history::{History, Policy};
pub use multisets::{Multisets, ascending};
pub use stakes::{Stakes, Values};
