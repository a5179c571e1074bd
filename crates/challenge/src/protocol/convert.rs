//! Conversion between the messages and the game's types: a request and a view, a response and a decision, a written
//! event and an event.

use super::message::{Request, RequestKind, Response, WireEvent, WireState};
use crate::rules::{Card, Cards, DEFAULT_GOAL, Decision, Event, HAND_SIZE, Seat};
use crate::view::{Asked, View};
use std::time::Duration;
use thiserror::Error;

/// The error for a message whose values have the right types and are out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Malformed {
    #[error("{0} is no card: expected a rank from 1 to 13")]
    Card(u8),
    /// More cards than are dealt.
    #[error("a hand of {0} cards: expected at most {HAND_SIZE}")]
    Hand(usize),
    #[error("{0} is no player's number: expected 0 or 1")]
    Player(u8),
}

/// The way in which a server shows a hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Served {
    /// A card on the table is still listed in its owner's hand, as the contest's server did.
    #[default]
    InHand,
    /// A card on the table is no longer listed in its owner's hand.
    LeftOut,
}

fn card(rank: u8) -> Result<Card, Malformed> {
    Card::new(rank).ok_or(Malformed::Card(rank))
}

fn seat(number: u8) -> Result<Seat, Malformed> {
    match number {
        0 | 1 => Ok(number.into()),
        _ => Err(Malformed::Player(number)),
    }
}

impl<Id> Request<Id> {
    /// The view that the request shows. The kind of server (see [`Served`]) follows from the number of cards in the
    /// hand.
    pub fn view(&self) -> Result<View, Malformed> {
        let state = &self.state;
        // Checked before any card is added: a multiset holds at most 15 of a rank.
        if state.hand.len() > HAND_SIZE {
            return Err(Malformed::Hand(state.hand.len()));
        }
        let asked = match self.request {
            RequestKind::RequestCard => Asked::Card,
            RequestKind::ChallengeOffered => Asked::Answer,
        };
        let mut cards = Cards::EMPTY;
        for &rank in &state.hand {
            cards.insert(card(rank)?);
        }
        let table = state.card.map(card).transpose()?;
        // A player who answers an offer while a card is on the table has led that card.
        let own_card = table.filter(|_| asked == Asked::Answer);
        if let Some(own) = own_card {
            // The cards that a leader can still hold: all but those of finished tricks and the one on the table.
            // One more means that the server lists the card on the table as well.
            let unplayed = HAND_SIZE.saturating_sub(usize::from(state.total_tricks) + 1);
            if cards.len() > unplayed {
                cards.remove(own);
            }
        }
        Ok(View {
            asked,
            cards,
            own_card,
            their_card: table.filter(|_| asked == Asked::Card),
            own_tricks: state.your_tricks,
            their_tricks: state.their_tricks,
            total_tricks: state.total_tricks,
            own_points: state.your_points,
            their_points: state.their_points,
            can_challenge: state.can_challenge,
            in_challenge: state.in_challenge,
            hand_id: state.hand_id,
            player_number: seat(state.player_number)?,
            opponent_id: state.opponent_id,
            game_id: state.game_id,
            remaining: seconds(self.remaining),
        })
    }

    /// An answer to a request that [`Request::view`] cannot read: the lowest card of the listed hand that exists, or
    /// a rejection, unless that would lose the game.
    pub fn guess(&self) -> Response {
        let cards = self.state.hand.iter().filter_map(|&rank| Card::new(rank));
        match (self.request, cards.min()) {
            (RequestKind::RequestCard, Some(card)) => Decision::Play(card).into(),
            _ if self.state.their_points >= DEFAULT_GOAL - 1 => Response::AcceptChallenge,
            _ => Response::RejectChallenge,
        }
    }
}

impl Request {
    /// The request that shows a player this view.
    pub fn of(view: &View, request_id: i64, served: Served) -> Request {
        let shown = match view.own_card {
            Some(card) if served == Served::InHand => view.cards.with(card),
            _ => view.cards,
        };
        Request {
            request: match view.asked {
                Asked::Card => RequestKind::RequestCard,
                Asked::Answer => RequestKind::ChallengeOffered,
            },
            request_id,
            remaining: view.remaining.as_secs_f64(),
            state: WireState {
                hand: shown.iter().rev().map(Card::rank).collect(),
                card: view.own_card.or(view.their_card).map(Card::rank),
                hand_id: view.hand_id,
                game_id: view.game_id,
                your_tricks: view.own_tricks,
                their_tricks: view.their_tricks,
                can_challenge: view.can_challenge,
                in_challenge: view.in_challenge,
                total_tricks: view.total_tricks,
                your_points: view.own_points,
                opponent_id: view.opponent_id,
                their_points: view.their_points,
                player_number: view.player_number as u8,
            },
        }
    }
}

/// A time from a number that may be negative, infinite or NaN.
fn seconds(number: f64) -> Duration {
    /// Seconds; longer than any clock of the game, and a valid `Duration`.
    const MOST: f64 = 1e6;
    // `clamp` keeps NaN, and a duration cannot be made from it.
    if number.is_nan() {
        return Duration::ZERO;
    }
    Duration::from_secs_f64(number.clamp(0.0, MOST))
}

impl From<Decision> for Response {
    fn from(decision: Decision) -> Response {
        match decision {
            Decision::Play(card) => Response::PlayCard { card: card.rank() },
            Decision::Offer => Response::OfferChallenge,
            Decision::Accept => Response::AcceptChallenge,
            Decision::Reject => Response::RejectChallenge,
        }
    }
}

impl TryFrom<Response> for Decision {
    type Error = Malformed;

    fn try_from(response: Response) -> Result<Decision, Malformed> {
        Ok(match response {
            Response::PlayCard { card: rank } => Decision::Play(card(rank)?),
            Response::OfferChallenge => Decision::Offer,
            Response::AcceptChallenge => Decision::Accept,
            Response::RejectChallenge => Decision::Reject,
        })
    }
}

impl WireEvent {
    /// The written form of an event; `reason` explains an error.
    pub fn of(event: Event, reason: &str) -> WireEvent {
        match event {
            Event::Accepted => WireEvent::Accepted,
            Event::Error => WireEvent::Error {
                reason: reason.to_owned(),
            },
            Event::TrickWon { by, card } => WireEvent::TrickWon {
                by: by as u8,
                card: card.map(Card::rank),
            },
            Event::TrickTied => WireEvent::TrickTied,
            Event::HandDone { by } => WireEvent::HandDone {
                by: by.map(|by| by as u8),
            },
            Event::GameWon { by } => WireEvent::GameWon { by: by as u8 },
        }
    }

    /// The event; `None` for a kind that this program does not know.
    pub fn event(&self) -> Result<Option<Event>, Malformed> {
        Ok(Some(match *self {
            WireEvent::Accepted => Event::Accepted,
            WireEvent::Error { .. } => Event::Error,
            WireEvent::TrickWon { by, card: rank } => Event::TrickWon {
                by: seat(by)?,
                card: rank.map(card).transpose()?,
            },
            WireEvent::TrickTied => Event::TrickTied,
            WireEvent::HandDone { by } => Event::HandDone {
                by: by.map(seat).transpose()?,
            },
            WireEvent::GameWon { by } => Event::GameWon { by: seat(by)? },
            WireEvent::Unknown => return Ok(None),
        }))
    }
}
