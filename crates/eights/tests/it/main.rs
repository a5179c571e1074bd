//! The program as a contest calls it.
#![allow(missing_docs)]
// Helpers outside the test functions may unwrap too.
#![allow(clippy::unwrap_used)]

mod belief;
mod program;
