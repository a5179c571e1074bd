//! The Cartagena player.
fn main() {}
