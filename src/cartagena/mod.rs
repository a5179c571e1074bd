//! Cartagena: rules, notation, beliefs, evaluation, search and the player.

pub mod evaluation;
pub mod perft;
pub mod player;
pub mod record;
pub mod rules;
pub mod training;
pub mod view;
pub mod world;
