//! The challenge card game: rules, what a player knows, players, and the protocol of the contest.

pub mod equilibrium;
pub mod player;
pub mod rules;
pub mod view;

pub use view::View;
