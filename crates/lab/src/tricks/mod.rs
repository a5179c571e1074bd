//! What makes and measures players of trick-taking games: the training of their policy networks, and players to measure by.

pub mod players;
pub mod training;
