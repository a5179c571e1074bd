//! Experiments with the players of trick-taking games.

pub mod endgame;
