//! What a server says along a round.

use super::protocol::{Act, Message};
use super::rules::{Round, SEATS};
use super::view::View;
use tricks::{Card, Round as _, View as _};

/// The messages of a round, in the order of its cards; who is told what follows from the message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reporter {
    /// Of the trick, or the round of takes, that is under way.
    acts: Vec<Act>,
}

impl Reporter {
    /// The deal as a seat is told it. What has happened before is forgotten.
    pub fn deal(&mut self, view: &View) -> Message {
        self.acts.clear();
        Message::StartHand {
            seat: view.seat(),
            hand: view.round().hand(view.seat()),
            pool: view.round().pool(),
        }
    }

    /// How the player whose turn it is gets asked.
    pub fn request(&self, round: &Round) -> Message {
        match round.taking() {
            true => Message::Take(self.acts.clone()),
            false => Message::Play(self.acts.clone()),
        }
    }

    /// Takes in the card of the player to act, in the round as it was before; everybody is told the
    /// message that the last of four brings.
    pub fn act(&mut self, before: &Round, card: Card) -> Option<Message> {
        self.acts.push((before.to_act()?, card));
        if self.acts.len() < SEATS {
            return None;
        }
        let acts = std::mem::take(&mut self.acts);
        Some(match before.taking() {
            true => Message::AfterTake(acts),
            false => Message::Result(acts),
        })
    }
}
