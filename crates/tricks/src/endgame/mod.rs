//! Exact solving of rounds with all hands open.
//!
//! Two assumptions about the others are on offer: that all play against one seat ([`Paranoid`],
//! Sturtevant and Korf 2000), and that each plays for itself ([`MaxN`], Luckhardt and Irani 1986).

mod max_n;
mod paranoid;
mod position;

pub use max_n::MaxN;
pub use paranoid::Paranoid;
pub use position::distinct;
