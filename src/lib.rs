//! Contest players that win, and the tables they play at.

pub mod cartagena;
pub mod cli;
pub mod random;
pub mod store;
