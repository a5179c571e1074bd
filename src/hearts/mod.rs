//! Hearts Server: rules, protocol, players. See `docs/rules/hearts.md`.

pub mod player;
pub mod protocol;
pub mod rules;
pub mod view;
