//! The messages as they are written. Unknown fields are ignored, unknown types become `Unknown`.
//!
//! The structs mirror the JSON. `convert` turns them into the game's types. A player reads a server's
//! messages with `tolerant`, which forgives more.

use super::numbers::{whole, whole_or_none};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// A message of a server. `Id` is the type of the requests' numbers.
// `Deserialize` is not derived here: `tolerant` reads these messages.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage<Id = i64> {
    /// The server does not know this address, and closes.
    Error(Refusal),
    /// The server knows the client.
    GreetingsProgram(Greeting),
    /// The server asks the player to act.
    Request(Request<Id>),
    Result(ResultMessage),
    #[serde(other)]
    Unknown,
}

/// The reason why a server refuses a client.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Refusal {
    /// The address from which the server sees the client connect.
    pub seen_host: String,
    pub message: String,
}

/// The answer of a server that knows the client.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Greeting {
    /// The team that the client plays for.
    pub team_id: u64,
    /// Games of the team that will not go on: the server was stopped in them. Not part of the contest's
    /// original protocol.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub void_games: Vec<u64>,
}

impl Greeting {
    /// The welcome to a team.
    pub fn of(team_id: u64) -> Greeting {
        Greeting {
            team_id,
            void_games: Vec::new(),
        }
    }
}

/// A request to a player to act.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Request<Id = i64> {
    /// The kind of decision that is asked for.
    pub request: RequestKind,
    /// To be copied into the answer.
    pub request_id: Id,
    /// Seconds left on the player's clock.
    pub remaining: f64,
    /// The state that the player sees.
    pub state: WireState,
}

/// The kind of decision that a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// A card, or an offer.
    RequestCard,
    /// An answer to an offer.
    ChallengeOffered,
}

/// The state that a player sees, as it is written. `docs/rules/challenge.md` explains the fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WireState {
    // Plain numbers: whether they are cards and seats is checked when the view is made.
    pub hand: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<u8>,
    // A player answers requests in which fields from here on are missing; see `tolerant`.
    pub hand_id: u32,
    pub game_id: u64,
    pub your_tricks: u8,
    pub their_tricks: u8,
    pub can_challenge: bool,
    pub in_challenge: bool,
    pub total_tricks: u8,
    pub your_points: u8,
    pub opponent_id: u64,
    pub their_points: u8,
    pub player_number: u8,
}

/// An event of the game, with its receiver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultMessage {
    pub result: WireEvent,
    /// The number of the player that receives it.
    #[serde(deserialize_with = "whole")]
    pub your_player_num: u8,
}

/// An event as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum WireEvent {
    Accepted,
    Error {
        #[serde(default)]
        reason: String,
    },
    TrickWon {
        #[serde(deserialize_with = "whole")]
        by: u8,
        // Not written if there is none; read as none if it is missing or `null`.
        #[serde(
            default,
            deserialize_with = "whole_or_none",
            skip_serializing_if = "Option::is_none"
        )]
        card: Option<u8>,
    },
    TrickTied,
    HandDone {
        #[serde(
            default,
            deserialize_with = "whole_or_none",
            skip_serializing_if = "Option::is_none"
        )]
        by: Option<u8>,
    },
    GameWon {
        #[serde(deserialize_with = "whole")]
        by: u8,
    },
    #[serde(other)]
    Unknown,
}

/// A team's secret. Its debug output does not show it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Token(String);

impl Token {
    /// The largest number of characters of a token.
    pub const LONGEST: usize = 200;

    /// A token of 1 to 200 characters.
    ///
    /// # Errors
    /// If it is empty or longer. The message does not contain it.
    pub fn new(text: &str) -> Result<Token, &'static str> {
        match text.chars().count() {
            1..=Token::LONGEST => Ok(Token(text.to_owned())),
            _ => Err("expected a token of 1 to 200 characters"),
        }
    }
}

impl FromStr for Token {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Token, &'static str> {
        Token::new(text)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // Not derived: the secret must not get into logs.
        f.write_str("Token")
    }
}

/// A message of a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientMessage<Id = i64> {
    /// The first message of a team that has a token. Not part of the contest's original protocol.
    Token { token: Token },
    /// The answer to a request.
    Move(Move<Id>),
}

/// The answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move<Id = i64> {
    pub request_id: Id,
    /// The decision of the player.
    pub response: Response,
}

/// The decision of a player, as it is written.
// Read by `TryFrom`: derived messages would speak of this type, and not of the JSON that was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", try_from = "Value")]
pub enum Response {
    // A rank; `convert` checks that a card has it.
    PlayCard { card: u8 },
    OfferChallenge,
    AcceptChallenge,
    RejectChallenge,
}

impl TryFrom<Value> for Response {
    type Error = String;

    fn try_from(value: Value) -> Result<Response, String> {
        const EXAMPLE: &str = r#"expected an object such as {"type":"play_card","card":9}"#;
        // Short, as a client may send a value of any length.
        let shown = |value: &Value| value.to_string().chars().take(40).collect::<String>();
        let kind = match &value {
            Value::Null => return Err(format!("`response` is missing: {EXAMPLE}")),
            Value::Object(fields) => fields.get("type").and_then(Value::as_str),
            _ => None,
        };
        match kind {
            Some("play_card") => {
                let card = &value["card"];
                let card = whole(card).map_err(|_: serde_json::Error| {
                    let found = shown(card);
                    format!("`card` is {found}: expected a whole number from 1 to 13")
                })?;
                Ok(Response::PlayCard { card })
            }
            Some("offer_challenge") => Ok(Response::OfferChallenge),
            Some("accept_challenge") => Ok(Response::AcceptChallenge),
            Some("reject_challenge") => Ok(Response::RejectChallenge),
            Some(kind) => Err(format!(
                "`type` is {}: expected play_card, offer_challenge, accept_challenge or reject_challenge",
                shown(&kind.into())
            )),
            None => Err(format!("`response` is {}: {EXAMPLE}", shown(&value))),
        }
    }
}

/// A message of a client, read in two steps: if the answer in it is wrong, the server still learns to which request
/// it belongs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Incoming {
    /// The first message of a team that has a token.
    Token {
        /// The team's secret, if it is a valid token.
        #[serde(default)]
        token: Value,
    },
    /// The answer to a request.
    Move {
        #[serde(deserialize_with = "whole")]
        request_id: i64,
        /// A [`Response`], if it is a valid one.
        #[serde(default)]
        response: Value,
    },
    #[serde(other)]
    Unknown,
}
