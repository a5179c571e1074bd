//! Contest players that win, and the tables they play at.

pub mod arena;
pub mod cartagena;
pub mod challenge;
pub mod cli;
pub mod eights;
pub mod hearts;
pub mod random;
pub mod search;
pub mod store;
pub mod tricks;
mod vectorised;
