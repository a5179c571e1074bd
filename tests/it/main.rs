//! The player through its text interface, and the laws of its rules.
// Helpers outside the test functions may unwrap too.
#![allow(clippy::unwrap_used)]

mod cartagena_rules;
mod driver;
mod runme;
