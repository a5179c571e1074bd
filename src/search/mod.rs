//! What every player's search shares: when to stop, and which candidate is best.

pub mod budget;
pub mod race;
