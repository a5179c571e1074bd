//! Strangers: players written from books' and beginners' advice, as other participants might hand them in. Nothing that
//! trains or models players has seen them, so a match against them shows whether a change helps against anybody.

mod eights;
mod hearts;
mod sight;
#[cfg(test)]
mod tests;

pub use eights::EightsStranger;
pub use hearts::HeartsStranger;
