//! The record of a game of the challenge contest: a list of entries in the format of the contest's replays.
//!
//! [`Recorded`] wraps the rules' [`Game`] and writes the entries while the game is played.

mod conversion;

pub use conversion::Followed;
pub(super) use conversion::{cards_of, from_record, hand_of, record};

use ::challenge::rules::{
    Card, Cards, Decision, Event, Events, Game, GameOptions, Hand, Illegal, Seat,
};
use arena::plain_text::clean;
use arena::practice::Practice;
use arena::records::Record;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};

/// One step of a game as replays show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Entry {
    /// A hand is dealt; `next_player` leads.
    NewHand {
        player0_hand: Vec<u8>,
        player1_hand: Vec<u8>,
        next_player: Seat,
    },
    /// A player has decided, or failed to.
    PlayerMove {
        moving_player: Seat,
        #[serde(rename = "move")]
        what: Moved,
    },
    /// The cards that both players lost by a fault.
    PenaltyResult {
        penalized_player: Seat,
        player0_removed_card: u8,
        player1_removed_card: u8,
    },
    /// A trick is over; without `won_by` it was tied.
    TrickOver {
        player0_tricks: u8,
        player1_tricks: u8,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        won_by: Option<Seat>,
    },
    /// The points after a hand that did not end the game.
    NewHandScore {
        player0_score: u8,
        player1_score: u8,
    },
    /// The game is over.
    FinalGameResult {
        player0_score: u8,
        player1_score: u8,
        winner: Seat,
    },
    /// The score of the round, this game included: the games that each player has won, by seat of this game.
    NewRoundScore {
        player0_score: u32,
        player1_score: u32,
    },
}

/// A player's decision, or its fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Moved {
    PlayCard { card: u8 },
    OfferChallenge,
    AcceptChallenge,
    RejectChallenge,
    IllegalMove { reason: String },
}

impl From<Decision> for Moved {
    fn from(decision: Decision) -> Moved {
        match decision {
            Decision::Play(card) => Moved::PlayCard { card: card.rank() },
            Decision::Offer => Moved::OfferChallenge,
            Decision::Accept => Moved::AcceptChallenge,
            Decision::Reject => Moved::RejectChallenge,
        }
    }
}

/// A finished game as the journal keeps it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Its number, from 1.
    pub id: u64,
    /// Milliseconds of the contest at its end. They are not counted while no server runs.
    #[serde(default, skip_serializing_if = "arena::records::is_zero")]
    pub at: u64,
    /// The teams' names, where no teams' file gives them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<[String; 2]>,
    /// The kind of practice, if it is a practice game.
    #[serde(default, skip_serializing_if = "Practice::is_none")]
    pub practice: Practice,
    /// The teams; the first one led.
    pub teams: [u64; 2],
    /// The index of the winner in `teams`.
    pub winner: Seat,
    /// Whether it was a game of the final, which does not count for the ratings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_final: bool,
    /// Whether the loser ended the game at a table by resigning.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resigned: bool,
    /// Every step of the game.
    pub entries: Vec<Entry>,
    /// By seat, the milliseconds of its decisions, in the record of a match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<[Vec<f64>; 2]>,
}

impl Record for GameLine {
    const NOUN: &'static str = "game";

    /// Reads a game. Names and reasons come from programs: characters that could disturb a terminal or a page are
    /// removed.
    fn parse(line: &[u8]) -> serde_json::Result<GameLine> {
        let mut game: GameLine = serde_json::from_slice(line)?;
        if game.winner > 1 {
            let text = format!("winner {}: expected 0 or 1", game.winner);
            return Err(serde_json::Error::custom(text));
        }
        game.names.iter_mut().flatten().for_each(clean);
        for entry in &mut game.entries {
            if let Entry::PlayerMove {
                what: Moved::IllegalMove { reason },
                ..
            } = entry
            {
                clean(reason);
            }
        }
        Ok(game)
    }
}

/// A game that records its steps.
#[derive(Clone, Debug)]
pub struct Recorded {
    game: Game,
    entries: Vec<Entry>,
}

impl Recorded {
    /// A game before its first hand is dealt.
    pub fn new(options: GameOptions) -> Recorded {
        Recorded {
            game: Game::new(options),
            entries: Vec::new(),
        }
    }

    /// A game in the middle of a hand, without a record of its beginning. The record starts with the current cards
    /// as if they had just been dealt.
    pub fn under_way(game: Game) -> Recorded {
        // Without a hand, or if nobody is to act, there is nothing to show.
        let dealt = game.hand().zip(game.to_act());
        let entries = dealt.map(|(hand, next_player)| Entry::NewHand {
            player0_hand: descending(hand.cards(0)),
            player1_hand: descending(hand.cards(1)),
            next_player,
        });
        Recorded {
            entries: entries.into_iter().collect(),
            game,
        }
    }

    pub fn game(&self) -> &Game {
        &self.game
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// All entries. `round` is the score of the round in games, this game included; none without a round.
    pub fn into_entries(mut self, round: Option<[u32; 2]>) -> Vec<Entry> {
        if let Some([player0_score, player1_score]) = round {
            self.entries.push(Entry::NewRoundScore {
                player0_score,
                player1_score,
            });
        }
        self.entries
    }

    /// Deals a hand, and records it.
    pub fn deal(&mut self, cards: [Cards; 2]) {
        self.game.deal(cards);
        let [player0_hand, player1_hand] = cards.map(descending);
        self.entries
            .extend(self.game.to_act().map(|next_player| Entry::NewHand {
                player0_hand,
                player1_hand,
                next_player,
            }));
    }

    /// Takes a decision of the player to act, and records it with all that follows.
    ///
    /// # Errors
    /// If the decision is illegal; nothing changes then.
    pub fn decide(&mut self, decision: Decision) -> Result<Events, Illegal> {
        // A copy of the hand before the decision: the entries name who acted, and the tricks so far.
        let before = *self.game.hand().ok_or(Illegal::Over)?;
        let events = self.game.decide(decision)?;
        self.entries
            .extend(before.to_act().map(|mover| Entry::PlayerMove {
                moving_player: mover,
                what: decision.into(),
            }));
        self.follow(&before, &events);
        Ok(events)
    }

    /// Applies the penalty for a fault of the player to act, and records it. `reason` is the text in the record.
    ///
    /// # Errors
    /// If the hand is over.
    pub fn fault(&mut self, reason: &str) -> Result<Events, Illegal> {
        let before = *self.game.hand().ok_or(Illegal::Over)?;
        let events = self.game.fault()?;
        self.entries
            .extend(before.to_act().map(|offender| Entry::PlayerMove {
                moving_player: offender,
                what: Moved::IllegalMove {
                    reason: reason.to_owned(),
                },
            }));
        self.entries.extend(penalty(&before));
        self.follow(&before, &events);
        Ok(events)
    }

    /// Records the events of a decision. `before` is the hand before it.
    fn follow(&mut self, before: &Hand, events: &Events) {
        let [player0_score, player1_score] = self.game.points();
        for &event in events {
            self.entries.push(match event {
                Event::Accepted | Event::Error => continue,
                Event::TrickWon { by, .. } => trick_over(before, Some(by)),
                Event::TrickTied => trick_over(before, None),
                // At the end of a game the final result has the points, so there is no separate entry for them.
                Event::HandDone { .. } if self.game.winner().is_some() => continue,
                Event::HandDone { .. } => Entry::NewHandScore {
                    player0_score,
                    player1_score,
                },
                Event::GameWon { by } => Entry::FinalGameResult {
                    player0_score,
                    player1_score,
                    winner: by,
                },
            });
        }
    }
}

/// The ranks of cards, the highest first.
pub fn descending(cards: Cards) -> Vec<u8> {
    cards.iter().rev().map(Card::rank).collect()
}

/// The entry for the end of a trick. `before` is the hand before the decision that ended it.
fn trick_over(before: &Hand, won_by: Option<Seat>) -> Entry {
    let mut tricks = before.public().tricks;
    if let Some(by) = won_by {
        tricks[by] += 1;
    }
    Entry::TrickOver {
        player0_tricks: tricks[0],
        player1_tricks: tricks[1],
        won_by,
    }
}

/// The cards that a fault at this point removes; none if it counts as a rejection.
fn penalty(before: &Hand) -> Option<Entry> {
    let offender = before.to_act()?;
    // The rules apply the fault to a copy of the hand. The cards that are missing afterwards are the penalty.
    let mut after = *before;
    after.fault().ok()?;
    let lost = |seat: Seat| {
        let mut held = before.cards(seat);
        // A led card goes back into its hand before both lose one (see `Hand::fault`).
        if let Some(card) = before
            .public()
            .table
            .filter(|_| seat == before.public().lead)
        {
            held.insert(card);
        }
        held.minus(after.cards(seat)).lowest().map(Card::rank)
    };
    Some(Entry::PenaltyResult {
        penalized_player: offender,
        player0_removed_card: lost(0).filter(|_| !before.public().must_answer())?,
        player1_removed_card: lost(1)?,
    })
}
