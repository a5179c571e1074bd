//! The referees.
fn main() {}
