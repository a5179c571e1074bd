//! `challenge`, and `contest challenge …`

mod client;

pub use client::challenge;
