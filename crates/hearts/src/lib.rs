//! Hearts Server: rules, protocol, players. See `docs/rules/hearts.md`.

pub mod pipe;
pub mod player;
pub mod program;
pub mod protocol;
pub mod rules;
pub mod view;
