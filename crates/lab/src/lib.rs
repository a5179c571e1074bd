//! What makes and measures players, and does not play in a contest itself.

pub mod cartagena;
pub mod challenge;
pub mod tricks;
