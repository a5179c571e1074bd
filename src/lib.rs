//! A player of Cartagena: rules, notation, beliefs, evaluation, search.

pub mod belief;
pub mod boards;
pub mod evaluation;
pub mod notation;
pub mod perft;
pub mod picture;
pub mod player;
pub mod program;
pub mod race;
pub mod record;
pub mod rules;
pub mod search;
pub mod view;
pub mod world;
