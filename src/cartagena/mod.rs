//! Cartagena: rules, notation, beliefs, evaluation, search and the player.

pub mod belief;
pub mod bench;
pub mod evaluation;
pub mod notation;
pub mod perft;
pub mod picture;
pub mod player;
pub mod race;
pub mod record;
pub mod rules;
pub mod search;
pub mod solver;
pub mod training;
pub mod view;
pub mod world;
