//! The program as a contest calls it.
// Helpers outside the test functions may unwrap too.
#![allow(clippy::unwrap_used)]

mod belief;
mod program;
