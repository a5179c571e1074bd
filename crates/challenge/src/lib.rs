//! The challenge card game: rules, what a player knows, players, and the protocol of the contest.

pub mod client;
pub mod equilibrium;
pub mod player;
pub mod program;
pub mod protocol;
pub mod rules;
pub mod view;

pub use view::View;
