//! What trick-taking games share: cards, tricks, what a player knows of the hidden cards, deals
//! that fit it, and search over sampled deals.

mod agent;
pub mod belief;
pub mod card;
mod cards;
pub mod deals;
pub mod endgame;
pub mod laws;
mod look_ahead;
pub mod monte_carlo;
pub mod program;
mod round;
mod seen;
mod tree;
mod trick;
mod view;

pub use agent::{Agent, Decision, Method, Player};
pub use card::{Card, Suit};
pub use cards::Cards;
pub use deals::{Deals, Impossible};
pub use round::{Ending, Policy, Round};
pub use seen::Seen;
pub use trick::Trick;
pub use view::{Past, View};

/// Most players at a table.
pub const MAX_PLAYERS: usize = 6;

/// Hands by seat.
pub type Hands = [Cards; MAX_PLAYERS];
