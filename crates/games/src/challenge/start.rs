//! Games that do not start with a deal from their seed, but from a game of a journal, a request of the protocol, or a
//! position that people write. [`read`] makes a [`Start`] of such a text; [`begin`] checks it, and makes of it the
//! [`Begin`] that a game starts from.

pub use super::position::{Before, Begin, Position};
use super::position::{of_request, ranks, words};
use super::record::{Followed, GameLine, hand_of};
use ::challenge::protocol::ServerMessage;
use ::challenge::rules::{Decision, GameOptions, LeadAfterTie};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Start {
    /// A position in a hand.
    Position(Position),
    /// The hands of a game that has been played.
    Hands(Hands),
}

/// The hands of a game, as dealt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hands {
    pub deals: Vec<[String; 2]>,
    /// Whether the other player leads after a tied hand, instead of the one who opened it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alternate: bool,
}

/// A text that was read: the names of the players, the start, and the decisions since.
pub struct Read {
    pub names: [String; 2],
    pub start: Start,
    pub taken: Vec<Decision>,
}

/// Reads a game, a request or a position.
///
/// # Errors
/// The mistake, and the expected input.
pub fn read(text: &[u8]) -> Result<Read, String> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return Err("there is nothing to open".to_owned());
    }
    let value: Value = serde_json::from_slice(text)
        .map_err(|error| format!("neither a game, a request nor a position: {error}"))?;
    // A field shows the kind of the text, so that an error can name a field that this kind lacks.
    let has = |field: &str| value.get(field).is_some();
    if has("entries") {
        let line: GameLine = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        return of_game(&line);
    }
    if let Some(field) = ["begun", "void", "final"]
        .into_iter()
        .find(|field| has(field))
    {
        return Err(format!(
            "{field:?}: a line of a journal that is no finished game; expected one with entries"
        ));
    }
    let position = match has("request") {
        true => match serde_json::from_slice(text).map_err(|error| error.to_string())? {
            ServerMessage::Request(request) => of_request(&request)?,
            _ => return Err("type: expected request, the message with a position".to_owned()),
        },
        false => serde_json::from_slice(text)
            .map_err(|error| format!("neither a game, a request nor a position: {error}"))?,
    };
    // Begun once with any seed, to find every error now and not when somebody starts the game.
    position.begin(0)?;
    Ok(Read {
        names: ["Player 1".to_owned(), "Player 2".to_owned()],
        start: Start::Position(position),
        taken: Vec::new(),
    })
}

/// Checks a start, and draws the cards that it does not give from `seed`.
///
/// # Errors
/// The mistake, and the expected input.
pub fn begin(start: &Start, seed: u64) -> Result<Begin, String> {
    let hands = match start {
        Start::Position(position) => return position.begin(seed),
        Start::Hands(hands) => hands,
    };
    let deals = hands.deals.iter().zip(1..).map(|(deal, number)| {
        let read = |seat: usize| hand_of(ranks(&deal[seat]));
        let both = read(0).and_then(|first| Ok([first, read(1)?]));
        both.map_err(|error| format!("hand {number}: {error}"))
    });
    Ok(Begin {
        options: options(hands.alternate),
        hand: None,
        before: Before::default(),
        done: Vec::new(),
        deals: deals.collect::<Result<_, String>>()?,
    })
}

/// The usual options, with the given leader after a tied hand.
fn options(alternate: bool) -> GameOptions {
    GameOptions {
        lead_after_tie: match alternate {
            true => LeadAfterTie::Alternate,
            false => LeadAfterTie::Opener,
        },
        ..GameOptions::default()
    }
}

/// Reads a finished game. Its hands become the start, its decisions the actions to replay.
fn of_game(line: &GameLine) -> Result<Read, String> {
    let Followed {
        lead,
        deals,
        decisions,
    } = line.follow()?;
    let names = line.names.clone();
    Ok(Read {
        names: names.unwrap_or_else(|| line.teams.map(|team| format!("Team {team}"))),
        start: Start::Hands(Hands {
            deals: deals.iter().map(|hands| hands.map(words)).collect(),
            alternate: lead == LeadAfterTie::Alternate,
        }),
        taken: decisions,
    })
}
