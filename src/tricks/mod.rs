//! What trick-taking games share: cards, tricks, what a player knows of the hidden cards, deals
//! that fit it, and search over sampled deals.

mod agent;
pub mod card;
mod cards;
pub mod deals;
#[cfg(test)]
pub(crate) mod laws;
pub mod monte_carlo;
mod round;
mod seen;
mod trick;

pub use agent::{Agent, Decision};
pub use card::{Card, Suit};
pub use cards::Cards;
pub use deals::{Deals, Impossible};
pub use round::{Policy, Round, View};
pub use seen::Seen;
pub use trick::Trick;

/// Most players at a table.
pub const MAX_PLAYERS: usize = 6;

/// Hands by seat.
pub type Hands = [Cards; MAX_PLAYERS];
