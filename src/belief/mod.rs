//! A seat's knowledge of a game: the record replayed, and the worlds that are still possible.
//!
//! [`replay`] turns a record into a [`View`](super::view::View), which holds everything public exactly, and a
//! [`Belief`] about the hidden cards. A search takes the chances of its own draws from the belief
//! ([`Belief::draw_pool`]), and samples worlds for its rollouts from it ([`Belief::sample`]).
//!
//! The belief rests on one assumption: the players choose actions independently of their hands. Then
//! unseen cards are exchangeable, and every way to put them into the hidden slots (hands and draw pile)
//! is equally likely. (`opponents` corrects this where a player's actions reveal its hand.)
//!
//! Until the first reshuffle all unseen cards are one pool. A reshuffle splits them: the cards in hands
//! at that moment are *old*, the discards become *new* ones, and both sets are known exactly. From then
//! on a played card may have been old or new. The belief keeps every such hypothesis with its weight. If they are too
//! many, it keeps those that are likeliest given the hand that the seat holds in the end.
//!
//! The next reshuffle again finds every card in a hand or among the discards, and everything before it is forgotten.
//! From the second reshuffle on that is an approximation. For example, if all hats were discards at the first one, a
//! player that has not drawn a card since then holds none, yet the belief gives it some. A second reshuffle is rare: good
//! players had one in two of six games with six seats, and in none of the games with two or four.
//!
//! | module | holds |
//! |---|---|
//! | `walk` | the public side of the record: pirates, sizes of hands and piles, turns |
//! | `pools` | the old and new cards, and the hypotheses about which were played |
//! | `layout` | the own hand in one hypothesis: how many of its cards are old |
//! | `sample` | the belief itself, and worlds drawn from it |
//! | `draws` | the chances of the next cards drawn |
//!
//! # An example
//!
//! In `tests/data/cartagena/interface-example.txt` three players have made ten moves, and player 2 is
//! to move. `1 0 4` names no card, so the card was the symbol of space 4, a gun. `1 4 3` goes back onto
//! a space with one pirate: player 1 drew one card. Player 2 played two cards, and went back to the two
//! pirates on space 3, which drew two. With a deal of 3 that leaves player 2 the three cards that it
//! holds; so the deal was 3, and every hand size and the size of the draw pile are known. The last move
//! of the history is not player 2's: its turn has just begun, and player 1 ended its own after one
//! action. The belief is one pool of 92 unseen cards. After a reshuffle it would be two.

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
