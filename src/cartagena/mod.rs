//! Cartagena: rules, notation, beliefs, evaluation, search and the player.

pub mod belief;
pub mod evaluation;
pub mod notation;
pub mod perft;
pub mod player;
pub mod record;
pub mod rules;
pub mod view;
pub mod world;
