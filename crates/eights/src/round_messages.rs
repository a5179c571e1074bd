//! The messages that a server sends in a round. The referee in `contest::eights` sends them.

use super::protocol::{Act, Message};
use super::rules::{Round, SEATS};
use tricks::{Card, Round as _, View};

/// Makes the messages of a round from its actions, in order. Each method's comment names the receiver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundMessages {
    /// The actions so far of the current trick or round of takes.
    acts: Vec<Act>,
}

impl RoundMessages {
    /// Starts a round; returns the message of the deal for the view's seat.
    pub fn deal(&mut self, view: &View<Round>) -> Message {
        self.acts.clear();
        Message::StartHand {
            seat: view.seat(),
            hand: view.round().hand(view.seat()),
            pool: view.round().pool(),
        }
    }

    /// The message that asks the player to act.
    pub fn request(&self, round: &Round) -> Message {
        match round.taking() {
            true => Message::Take(self.acts.clone()),
            false => Message::Play(self.acts.clone()),
        }
    }

    /// Adds the card of the player to act; `before` is the round before that action. After the fourth card it returns
    /// a message to everybody.
    pub fn act(&mut self, before: &Round, card: Card) -> Option<Message> {
        self.acts.push((before.to_act()?, card));
        if self.acts.len() < SEATS {
            return None;
        }
        // The list is emptied for the next trick or round of takes.
        let acts = std::mem::take(&mut self.acts);
        Some(match before.taking() {
            true => Message::AfterTake(acts),
            false => Message::Result(acts),
        })
    }
}
