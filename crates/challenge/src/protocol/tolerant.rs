//! How a player reads messages: more tolerantly than a referee, for which a string in place of a number is a fault.
//!
//! From a request the player needs the kind, the hand, and the number that it copies into its answer. Anything else
//! that is missing or of another type gets a value that keeps the answer legal. Values in quotes are read as if
//! they had none. Results are read as strictly as a referee reads answers, except for the numbers of players.

use super::message::{
    Greeting, Refusal, Request, RequestKind, ResultMessage, ServerMessage, WireEvent, WireState,
};
use super::numbers::{from_float, whole};
use crate::rules::{Card, HAND_SIZE};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Number, Value};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The seconds assumed to be left if a request does not show the clock. A game begins with 2 s, and the answer must
/// come in time even if most of them are gone.
const UNTOLD: f64 = 0.5;

/// The kinds of a request, as they are written.
const REQUESTS: &[&str] = &["request_card", "challenge_offered"];

/// The number of a request. It may be any JSON value and is sent back as it came.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct RequestId(Box<RawValue>);

impl PartialEq for RequestId {
    fn eq(&self, other: &RequestId) -> bool {
        self.0.get() == other.0.get()
    }
}

/// A type that can hold the number of a request.
pub trait Identity: Sized {
    /// Reads the number from the text of a field.
    ///
    /// # Errors
    /// If it is missing, or not a value of this type.
    fn read(text: Option<&RawValue>) -> Result<Self, serde_json::Error>;
}

impl Identity for i64 {
    fn read(text: Option<&RawValue>) -> Result<i64, serde_json::Error> {
        let text = text.ok_or_else(|| serde_json::Error::missing_field("request_id"))?;
        whole(&mut serde_json::Deserializer::from_str(text.get()))
    }
}

impl Identity for RequestId {
    fn read(text: Option<&RawValue>) -> Result<RequestId, serde_json::Error> {
        Ok(RequestId(text.unwrap_or(RawValue::NULL).to_owned()))
    }
}

/// The fields of an object. If two have the same name the last one counts.
#[derive(Default, Deserialize)]
#[serde(transparent)]
struct Fields(BTreeMap<String, Box<RawValue>>);

/// The text of a value, without the quotes around it if it is a string.
fn unquoted(text: &RawValue) -> String {
    let inner: Option<String> = serde_json::from_str(text.get()).ok();
    inner.map_or_else(
        || text.get().to_owned(),
        |inner| inner.trim_ascii().to_owned(),
    )
}

impl Fields {
    /// The JSON of a field, if the object has it.
    fn text(&self, name: &str) -> Option<&RawValue> {
        self.0.get(name).map(Box::as_ref)
    }

    fn string(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.text(name)?.get()).ok()
    }

    /// The error for a field that must be a string, and is missing or something else.
    fn no_string(&self, name: &'static str) -> serde_json::Error {
        match self.text(name) {
            None => serde_json::Error::missing_field(name),
            Some(text) => {
                serde_json::Error::custom(format_args!("`{name}` is {text}, expected a string"))
            }
        }
    }

    /// A number, with or without quotes.
    fn number(&self, name: &str) -> Option<Number> {
        serde_json::from_str(&unquoted(self.text(name)?)).ok()
    }

    /// A whole number in the range of `T`, with or without quotes.
    fn whole<T: TryFrom<i128>>(&self, name: &str) -> Option<T> {
        whole_of(&self.number(name)?)
    }

    /// A number that is only compared with others. If the field is no number, it is a hash of the text, so that
    /// opponents with names, for example, differ. 0 if the field is missing.
    fn identity(&self, name: &str) -> u64 {
        // A field that is `null` counts as missing.
        let Some(text) = self.text(name).filter(|text| text.get() != "null") else {
            return 0;
        };
        self.whole(name).unwrap_or_else(|| {
            let mut hasher = DefaultHasher::new();
            unquoted(text).hash(&mut hasher);
            hasher.finish()
        })
    }

    /// Whether a field is `true` or 1, with or without quotes.
    fn is_true(&self, name: &str) -> bool {
        let value = self.text(name).map(unquoted);
        match value.and_then(|text| serde_json::from_str(&text).ok()) {
            Some(Value::Bool(value)) => value,
            Some(Value::Number(number)) => whole_of(&number) == Some(1),
            _ => false,
        }
    }

    fn object(&self, name: &str) -> Fields {
        let text = self.text(name).map(unquoted);
        text.and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    }

    /// The whole numbers in a list; other elements are left out.
    fn list(&self, name: &str) -> Vec<u8> {
        let text = self.text(name).map(unquoted);
        let list: Option<Vec<Box<RawValue>>> =
            text.and_then(|text| serde_json::from_str(&text).ok());
        let read = |text: Box<RawValue>| whole_of(&serde_json::from_str(&unquoted(&text)).ok()?);
        list.unwrap_or_default()
            .into_iter()
            .filter_map(read)
            .collect()
    }
}

/// The number as a `T`, if it is whole and in range.
fn whole_of<T: TryFrom<i128>>(number: &Number) -> Option<T> {
    let exact = number.as_i128();
    T::try_from(exact.or_else(|| from_float(number.as_f64()?))?).ok()
}

/// The number of a player, counted from 0, for one that some servers count from 1: their 2 is 0.
fn player(number: u8) -> u8 {
    match number {
        2 => 0,
        number => number,
    }
}

impl<Id: Identity> Request<Id> {
    /// Reads a request. It must have a kind, and a number if `Id` demands one.
    fn read(fields: &Fields) -> Result<Request<Id>, serde_json::Error> {
        let request = match fields.string("request").as_deref() {
            Some("request_card") => RequestKind::RequestCard,
            Some("challenge_offered") => RequestKind::ChallengeOffered,
            // No legal answer is known for another kind.
            Some(other) => return Err(serde_json::Error::unknown_variant(other, REQUESTS)),
            None => return Err(fields.no_string("request")),
        };
        let remaining = fields.number("remaining").and_then(|time| time.as_f64());
        Ok(Request {
            request,
            request_id: Id::read(fields.text("request_id"))?,
            remaining: remaining.unwrap_or(UNTOLD),
            state: WireState::read(&fields.object("state"), request),
        })
    }
}

impl WireState {
    /// Reads the state. Missing values are replaced by values that keep the answer legal.
    fn read(fields: &Fields, request: RequestKind) -> WireState {
        let hand = fields.list("hand");
        // Some servers write a number that is no card for an empty table.
        let card = fields
            .whole("card")
            .filter(|&rank| Card::new(rank).is_some());
        let player_number = fields.whole("player_number").map(player);
        let number = |name| fields.whole(name).unwrap_or(0);
        let [your_points, their_points] = ["your_points", "their_points"].map(number);
        // One trick was played for each card that is missing from the hand. If a leader is asked about an offer, its
        // card on the table may be listed in its hand as well, or not.
        let led_alone = request == RequestKind::ChallengeOffered
            && card.is_some_and(|card| !hand.contains(&card));
        let played = HAND_SIZE.saturating_sub(hand.len() + usize::from(led_alone)) as u8;
        // Every hand that was not tied has given a point, so this is at most the true number.
        let hands = u32::from(your_points) + u32::from(their_points);
        WireState {
            hand_id: fields.whole("hand_id").unwrap_or(hands + 1),
            game_id: fields.identity("game_id"),
            your_tricks: number("your_tricks"),
            their_tricks: number("their_tricks"),
            can_challenge: fields.is_true("can_challenge"),
            in_challenge: fields.is_true("in_challenge"),
            total_tricks: fields.whole("total_tricks").unwrap_or(played),
            your_points,
            opponent_id: fields.identity("opponent_id"),
            their_points,
            player_number: player_number.filter(|&number| number <= 1).unwrap_or(0),
            hand,
            card,
        }
    }
}

impl<'de, Id: Identity> Deserialize<'de> for ServerMessage<Id> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        ServerMessage::read(&text).map_err(D::Error::custom)
    }
}

impl<Id: Identity> ServerMessage<Id> {
    /// Reads a message of any type.
    fn read(text: &RawValue) -> Result<ServerMessage<Id>, serde_json::Error> {
        let fields: Fields = serde_json::from_str(text.get())?;
        Ok(match fields.string("type").as_deref() {
            Some("error") => ServerMessage::Error(Refusal {
                seen_host: fields.string("seen_host").unwrap_or_default(),
                message: fields.string("message").unwrap_or_default(),
            }),
            Some("greetings_program") => ServerMessage::GreetingsProgram(Greeting {
                team_id: fields.identity("team_id"),
                void_games: fields
                    .text("void_games")
                    .and_then(|games| serde_json::from_str(games.get()).ok())
                    .unwrap_or_default(),
            }),
            Some("result") => {
                let mut message: ResultMessage = serde_json::from_str(text.get())?;
                message.your_player_num = player(message.your_player_num);
                if let WireEvent::TrickWon { by, .. }
                | WireEvent::HandDone { by: Some(by) }
                | WireEvent::GameWon { by } = &mut message.result
                {
                    *by = player(*by);
                }
                ServerMessage::Result(message)
            }
            Some("request") => ServerMessage::Request(Request::read(&fields)?),
            // Without a type the field `request` identifies a request.
            None if fields.0.contains_key("request") => {
                ServerMessage::Request(Request::read(&fields)?)
            }
            None => return Err(fields.no_string("type")),
            Some(_) => ServerMessage::Unknown,
        })
    }
}
