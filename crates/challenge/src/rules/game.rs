//! A game: hands until a player has ten points, or wins a hand with an accepted challenge.

use super::card::Cards;
use super::decision::Decision;
use super::event::{Event, Events};
use super::hand::{Hand, Illegal, Outcome};
use super::{Seat, other};
use serde::{Deserialize, Serialize};

/// Points that win a game.
pub const DEFAULT_GOAL: u8 = 10;

/// Options for a referee where the rules leave something open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOptions {
    /// Points that win a game.
    pub goal: u8,
    /// The player who leads after a tied hand.
    pub lead_after_tie: LeadAfterTie,
}

impl Default for GameOptions {
    fn default() -> GameOptions {
        GameOptions {
            goal: DEFAULT_GOAL,
            lead_after_tie: LeadAfterTie::default(),
        }
    }
}

/// The player who leads the hand after a tied one. The rules do not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LeadAfterTie {
    /// The player who led the tied hand's first trick.
    #[default]
    Opener,
    /// The player who did not lead the tied hand's first trick.
    Alternate,
}

/// A game as it is played. Player 0 leads the first hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    options: GameOptions,
    points: [u8; 2],
    hands: u32,
    lead: Seat,
    hand: Option<Hand>,
    winner: Option<Seat>,
}

impl Game {
    /// A game before its first hand is dealt.
    pub fn new(options: GameOptions) -> Game {
        Game {
            options,
            points: [0, 0],
            hands: 0,
            lead: 0,
            hand: None,
            winner: None,
        }
    }

    /// A game in the middle of its hand `number`, counted from 1, with these points. Neither player may have won.
    pub fn under_way(options: GameOptions, points: [u8; 2], number: u32, hand: Hand) -> Game {
        debug_assert!(points.iter().all(|&points| points < options.goal));
        Game {
            points,
            hands: number,
            lead: hand.public().lead,
            hand: Some(hand),
            ..Game::new(options)
        }
    }

    /// Whether the next hand is to be dealt.
    pub fn needs_deal(&self) -> bool {
        self.winner.is_none() && self.hand.is_none()
    }

    /// Deals a hand; only when [`Game::needs_deal`].
    pub fn deal(&mut self, cards: [Cards; 2]) {
        debug_assert!(self.needs_deal());
        self.hands += 1;
        self.hand = Some(Hand::new(cards, self.lead));
    }

    /// The hand being played: none before a deal and after the end.
    pub fn hand(&self) -> Option<&Hand> {
        self.hand.as_ref()
    }

    /// The number of the hand that was dealt last, from 1.
    pub fn hand_id(&self) -> u32 {
        self.hands
    }

    /// Points of each player.
    pub fn points(&self) -> [u8; 2] {
        self.points
    }

    /// The winner, if the game is over.
    pub fn winner(&self) -> Option<Seat> {
        self.winner
    }

    /// The player to act; none before a deal and after the end.
    pub fn to_act(&self) -> Option<Seat> {
        self.hand.as_ref().and_then(Hand::to_act)
    }

    /// Carries out a decision of the player to act. An illegal decision changes nothing.
    pub fn decide(&mut self, decision: Decision) -> Result<Events, Illegal> {
        let hand = self.hand.as_mut().ok_or(Illegal::Over)?;
        let outcome = hand.decide(decision)?;
        let mut events = Events::new();
        self.record_outcome(outcome, &mut events);
        // Every legal decision is confirmed: by its effect if it has one.
        if events.is_empty() {
            events.push(Event::Accepted);
        }
        Ok(events)
    }

    /// Applies the penalty to the player to act for a wrong or missing answer (see [`Hand::fault`]).
    pub fn fault(&mut self) -> Result<Events, Illegal> {
        let hand = self.hand.as_mut().ok_or(Illegal::Over)?;
        let outcome = hand.fault()?;
        let mut events = Events::new();
        events.push(Event::Error);
        self.record_outcome(outcome, &mut events);
        Ok(events)
    }

    /// Adds the events of an outcome: those of the trick, the hand and the game.
    fn record_outcome(&mut self, outcome: Outcome, events: &mut Events) {
        match outcome {
            Outcome::Trick { by: Some(by), card } => events.push(Event::TrickWon { by, card }),
            Outcome::Trick { by: None, .. } => events.push(Event::TrickTied),
            Outcome::Continues | Outcome::Rejected => {}
        }
        // A fault or a rejection can end the hand as well as its last trick.
        if let Some(hand) = self.hand.take_if(|hand| hand.is_over()) {
            self.end_hand(&hand, events);
        }
    }

    /// Ends a hand: counts the point, names the next leader, and ends the game if it is won.
    fn end_hand(&mut self, hand: &Hand, events: &mut Events) {
        let by = hand.winner();
        events.push(Event::HandDone { by });
        // A tied hand gives no point and ends no game, even after an accepted challenge.
        let Some(by) = by else {
            self.lead = match self.options.lead_after_tie {
                LeadAfterTie::Opener => hand.public().opener,
                LeadAfterTie::Alternate => other(hand.public().opener),
            };
            return;
        };
        // The winner of a hand leads the next one.
        self.lead = by;
        self.points[by] += 1;
        if hand.public().in_challenge() || self.points[by] >= self.options.goal {
            self.winner = Some(by);
            events.push(Event::GameWon { by });
        }
    }
}

#[cfg(test)]
mod tests;
