//! Tricky Eights: rules, protocol, players. See `docs/rules/eights.md`.

pub mod player;
pub mod program;
pub mod protocol;
pub mod reporter;
pub mod rules;
pub mod view;
