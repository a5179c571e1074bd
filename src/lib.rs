//! Contest players that win, and the tables they play at.

pub mod arena;
pub mod cartagena;
pub mod challenge;
pub mod cli;
pub mod random;
pub mod search;
pub mod store;
mod vectorised;
