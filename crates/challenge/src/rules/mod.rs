//! The rules as pure functions: no I/O, no clock, no random numbers. The cards that are dealt are an argument.
//!
//! Five tricks are a [`Hand`], hands make a [`Game`], games a [`Round`]. The page `docs/rules/challenge.md` says
//! how the rules are read where they leave something open.

mod card;
mod decision;
mod deck;
mod event;
mod game;
mod hand;
mod public_state;
mod round;

#[cfg(test)]
pub(crate) use card::testing;
pub use card::{Card, Cards, HAND_SIZE, RANKS};
pub(crate) use decision::legal_decisions;
pub use decision::{Challenge, Decision};
pub use deck::{Deck, PACKS, PACKS_SIZE};
pub use event::{Event, Events};
pub use game::{DEFAULT_GOAL, Game, GameOptions, LeadAfterTie};
pub use hand::{Hand, Illegal, Outcome};
pub use public_state::{PublicState, trick_winner};
pub use round::Round;

/// A player's number in a game: 0 led first, the other is 1.
pub type Seat = usize;

pub const fn other(seat: Seat) -> Seat {
    1 - seat
}
