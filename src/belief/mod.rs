//! What a seat can know of a game: the record replayed, and the worlds that are still possible.
//!
//! [`replay`] turns a record into a [`View`](super::view::View), which holds
//! everything public exactly, and a [`Belief`] about what is hidden.
//!
//! The belief rests on one assumption, that the players' choices of actions are independent of
//! their hands: cards that are unseen are exchangeable, so every way to put them into the hidden slots
//! (hands and draw pile) is equally likely. Until the first reshuffle that is one pool of cards.
//! A reshuffle splits it: cards in hands at that moment are old ones, the discards become new
//! ones, and both sets are known exactly. From then on a played card may have been old or new;
//! the belief keeps every such hypothesis with its weight, or, where they are too many, the
//! likeliest given the hand in the end. The next reshuffle finds all cards in
//! hands again, and what they are is known, so that everything before it can be forgotten.

mod binomial;
mod draws;
mod inconsistency;
mod layout;
mod pools;
mod replay;
mod sample;
mod unseen;
mod walk;

#[cfg(test)]
mod tests;

pub use draws::{DrawPool, Outcomes};
pub use inconsistency::Inconsistency;
pub use replay::{Replay, ReplayOptions, replay};
pub use sample::{Belief, Dealt};
pub use unseen::Unseen;
