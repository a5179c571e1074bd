//! A round of a trick-taking game as one line of JSON, and back. Matches and servers write this format; training,
//! inference, replays and reports read it.
//!
//! Cards are written by two letters (`d9`, `st`). A card is stored without its player, which follows from the rules.
//! Seats count from 0.

use super::{Contest, Rounds, card, id_of};
use crate::game::{Game, Turn};
use crate::history::History;
use crate::record::{RecordError, unsupported};
use ::tricks::{Card, Cards, Hands, Round};
use arena::fault::FaultKind;
use arena::plain_text::{clean, clean_lines};
use arena::practice::Practice;
use arena::records;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::{Deref, DerefMut};
use thiserror::Error;

/// The version of the format.
pub const VERSION: u32 = 1;

/// The record of a round. It reads as its [`RoundRecord`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The contest: `eights` or `hearts`.
    pub contest: String,
    pub version: u32,
    /// The round's id in its match: deal and rotation, from 1, such as `20-3`.
    pub id: String,
    pub seed: u64,
    /// The players' labels, by seat.
    pub players: Vec<String>,
    /// Marks a game for practice, if it is one.
    #[serde(default, skip_serializing_if = "Practice::is_none")]
    pub practice: Practice,
    #[serde(flatten)]
    pub round: RoundRecord,
}

/// The cards of a round, its times and faults, and its points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RoundRecord {
    /// The seat that acts first.
    pub first: usize,
    /// The hands before the first card is taken or played, by seat; codes with blanks between them.
    pub hands: Vec<String>,
    /// How many seats further cards were passed before that; 0 if none were.
    #[serde(default, skip_serializing_if = "arena::records::is_zero")]
    pub passing: usize,
    /// The cards that each seat has passed, which are in the hand of their receiver: in the order of the actions if the
    /// writer has it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed: Vec<String>,
    /// The cards to be taken.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pool: String,
    /// The cards taken and played, in order.
    pub cards: Vec<String>,
    /// The time of each card in milliseconds; none where a random card stood in. Empty if no time
    /// was taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ms: Vec<Option<f64>>,
    /// The faults in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultRecord>,
    /// The points of the round, by seat.
    pub points: Vec<u8>,
}

impl Deref for Record {
    type Target = RoundRecord;

    fn deref(&self) -> &RoundRecord {
        &self.round
    }
}

impl DerefMut for Record {
    fn deref_mut(&mut self) -> &mut RoundRecord {
        &mut self.round
    }
}

/// A fault. After it, random legal cards are played for the seat to the end of the sitting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The number, from 1, of the card that was asked for.
    pub action: usize,
    pub player: usize,
    pub kind: FaultKind,
    /// The finding and the expectation.
    pub detail: String,
    /// The end of the program's standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub errors: String,
}

/// Reasons why a record does not replay.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The record is of another contest or version.
    #[error("contest {found:?}, version {version}: expected {expected:?}, version {VERSION}")]
    Contest {
        found: String,
        version: u32,
        expected: &'static str,
    },
    /// A word that is no card.
    #[error("{0:?} is no card: expected a code such as d9 or st")]
    Card(String),
    /// The numbers of hands, players or points do not fit, or the hands are not one deck.
    #[error("the deal has {0}")]
    Deal(String),
    /// A card that the rules do not allow.
    #[error("card {number}: {card}, but legal are: {legal}")]
    Illegal {
        /// The card's number, from 1.
        number: usize,
        card: Card,
        legal: Cards,
    },
    /// Too few or too many cards.
    #[error("{0} cards, but the round ends with {1}")]
    Length(usize, usize),
    /// The points are not those of the round.
    #[error("points {found:?}, but the round comes to {expected:?}")]
    Points { found: Vec<u8>, expected: Vec<u8> },
}

impl FaultRecord {
    /// The fault in a line. The last line that a program wrote to standard error says more about its end than the exit
    /// status does.
    pub fn in_words(&self) -> String {
        let last = self
            .errors
            .lines()
            .rev()
            .find(|line| !line.trim().is_empty());
        match last.filter(|_| self.kind == FaultKind::Crash) {
            Some(last) => format!("{}: {}: {}", self.kind, self.detail, last.trim()),
            None => format!("{}: {}", self.kind, self.detail),
        }
    }

    /// Replaces the control characters in its messages, which may come from anybody's program.
    pub fn clean(&mut self) {
        clean(&mut self.detail);
        clean_lines(&mut self.errors);
    }
}

impl Record {
    /// The record of a round before its first card is taken or played.
    pub fn dealt<C: Contest>(start: &C::Round) -> Record {
        let hands = (0..start.players()).map(|seat| words(start.hand(seat)));
        let first = start.to_act().unwrap_or(0);
        let mut record = Record::of_deal::<C>(first, hands.collect(), words(start.pool()));
        record.passing = start.receiver(0);
        if record.passing > 0 {
            let passed = (0..start.players()).map(|seat| words(start.passed(seat)));
            record.passed = passed.collect();
        }
        record
    }

    /// A record of any hands and pool, which need not be a deal.
    pub fn of_deal<C: Contest>(first: usize, hands: Vec<String>, pool: String) -> Record {
        Record {
            contest: C::NAME.to_owned(),
            version: VERSION,
            id: String::new(),
            seed: 0,
            players: Vec::new(),
            practice: Practice::default(),
            round: RoundRecord {
                first,
                hands,
                pool,
                ..RoundRecord::default()
            },
        }
    }

    /// Replays the round. Calls `step` with every position, the card about to be played and its
    /// number from 0. Returns the round at its end.
    ///
    /// # Errors
    /// If it breaks the rules.
    pub fn replay<C: Contest>(
        &self,
        contest: &C,
        mut step: impl FnMut(usize, &C::Round, Card),
    ) -> Result<C::Round, ReplayError> {
        let mut round = self.start(contest)?;
        for (number, code) in self.cards.iter().enumerate() {
            let card = card_of(code)?;
            // The round is over, but the record has further cards.
            if round.to_act().is_none() {
                return Err(ReplayError::Length(self.cards.len(), number));
            }
            let legal = round.legal();
            if !legal.contains(card) {
                return Err(ReplayError::Illegal {
                    number: number + 1,
                    card,
                    legal,
                });
            }
            step(number, &round, card);
            round.act(card);
        }
        if round.to_act().is_some() {
            // The expected length: cards still held, and for each card of the pool one taken and
            // one more played.
            let left: usize = (0..round.players())
                .map(|seat| round.hand(seat).len())
                .sum();
            let all = self.cards.len() + left + 2 * round.pool().len();
            return Err(ReplayError::Length(self.cards.len(), all));
        }
        // Points are recomputed: a record whose points differ is of other rules, or was changed.
        let expected = round.scores()[..round.players()].to_vec();
        if self.points != expected {
            return Err(ReplayError::Points {
                found: self.points.clone(),
                expected,
            });
        }
        Ok(round)
    }

    /// The round as it was dealt.
    ///
    /// # Errors
    /// If it is no deal of this contest.
    pub fn start<C: Contest>(&self, contest: &C) -> Result<C::Round, ReplayError> {
        if (self.contest.as_str(), self.version) != (C::NAME, VERSION) {
            return Err(ReplayError::Contest {
                found: self.contest.clone(),
                version: self.version,
                expected: C::NAME,
            });
        }
        let players = self.hands.len();
        let wrong = |text: String| Err(ReplayError::Deal(text));
        if !C::COUNTS.contains(&players) || self.players.len() != players {
            return wrong(format!(
                "{players} hands for {} players",
                self.players.len()
            ));
        }
        if self.first >= players || self.faults.iter().any(|fault| fault.player >= players) {
            return wrong(format!(
                "{players} seats, and a seat that is not among them"
            ));
        }
        if self.faults.iter().any(|fault| fault.action == 0) {
            return wrong("a fault at card 0: cards count from 1".to_owned());
        }
        let mut hands = Hands::default();
        for (hand, text) in hands.iter_mut().zip(&self.hands) {
            *hand = cards(text)?;
        }
        let round = contest.restore(players, self.first, &hands, cards(&self.pool)?);
        let hands = (0..players).map(|seat| round.hand(seat));
        let all = hands.clone().fold(round.pool(), |all, hand| all | hand);
        let is_whole = all == C::deck(players) && round.pool().len() == C::POOL;
        if !is_whole
            || hands
                .into_iter()
                .any(|hand| hand.len() != C::dealt(players))
        {
            return wrong("not the whole deck in hands of the right size".to_owned());
        }
        // Most records have no passing; the hands of one that has are those after it.
        if self.passing == 0 && self.passed.is_empty() {
            return Ok(round);
        }
        let mut passed = Vec::new();
        for text in &self.passed {
            let set = cards(text)?;
            if text.split_ascii_whitespace().count() != set.len() {
                return wrong(format!("{text:?} passed, with a card twice"));
            }
            passed.push(set);
        }
        let after = contest.after_passing(round, self.passing, &passed);
        after.map_or_else(
            || wrong("passed cards that their receivers do not hold".to_owned()),
            Ok,
        )
    }
}

impl records::Record for Record {
    const NOUN: &'static str = "round";

    /// Reads a record. Its labels and messages may come from anybody's program, so control characters are replaced:
    /// they must not reach a terminal.
    fn parse(line: &[u8]) -> serde_json::Result<Record> {
        let mut record: Record = serde_json::from_slice(line)?;
        clean(&mut record.id);
        record.players.iter_mut().for_each(clean);
        record.faults.iter_mut().for_each(FaultRecord::clean);
        Ok(record)
    }
}

/// The hands as they were dealt, before any cards were passed. No card has been taken or played yet.
pub fn dealt_hands<R: Round>(round: &R) -> Vec<Cards> {
    let before = |seat: usize| {
        let (hand, giver) = (round.hand(seat), round.giver(seat));
        match round.passing() || giver == seat {
            true => hand,
            false => (hand - round.passed(giver)) | round.passed(seat),
        }
    };
    (0..round.players()).map(before).collect()
}

/// Cards as their codes, with blanks between them.
pub fn words(cards: Cards) -> String {
    let codes: Vec<String> = cards.into_iter().map(Card::code).collect();
    codes.join(" ")
}

/// Reads codes with blanks between them.
fn cards(text: &str) -> Result<Cards, ReplayError> {
    text.split_ascii_whitespace().map(card_of).collect()
}

/// Reads the code of a card.
pub(super) fn card_of(code: &str) -> Result<Card, ReplayError> {
    Card::from_code(code).ok_or_else(|| ReplayError::Card(code.to_owned()))
}

/// The record of a history that began with its deal.
pub(super) fn of_history<C: Contest>(
    history: &History<Rounds<C>>,
    players: &[String],
) -> Result<Value, RecordError> {
    let mut state = history.start().clone();
    let mut record = None;
    let mut cards = Vec::new();
    let mut passed = vec![Vec::new(); players.len()];
    for event in history.events() {
        // The deal is over with this event, and passing too: the record begins with the first card taken or played.
        let round = state.round().filter(|round| !round.passing());
        if let (None, Some(round)) = (&record, round) {
            record = Some(Record::dealt::<C>(round));
        }
        match event.seat {
            _ if record.is_some() => cards.push(card(event.id).code()),
            Some(seat) => passed[usize::from(seat)].push(card(event.id).code()),
            None => {}
        }
        history.game().apply(&mut state, event.id);
    }
    let (Some(mut record), Some(last)) = (record, state.round()) else {
        return Err(RecordError::Unfinished);
    };
    record.id = "1-1".to_owned();
    record.seed = history.seed().unwrap_or(0);
    record.players = players.to_vec();
    record.cards = cards;
    // A history may begin after somebody has passed; then only the set is known.
    for (text, codes) in record.round.passed.iter_mut().zip(passed) {
        if text.split(' ').count() == codes.len() {
            *text = codes.join(" ");
        }
    }
    record.points = last.scores()[..players.len()].to_vec();
    let replayed = record.replay(&C::default(), |_, _, _| ());
    replayed.map_err(RecordError::replay)?;
    Ok(serde_json::to_value(record)?)
}

/// The history of a record after its first `actions` cards passed, taken or played.
pub(super) fn to_history<C: Contest>(
    record: &Value,
    actions: usize,
) -> Result<History<Rounds<C>>, RecordError> {
    let record = <Record as records::Record>::parse(record.to_string().as_bytes())?;
    let mut cards = Vec::new();
    let replayed = record.replay(&C::default(), |_, _, card| cards.push(card));
    replayed.map_err(RecordError::replay)?;
    let start = record.start(&C::default()).map_err(RecordError::replay)?;
    let Some(options) = C::options_of(record.hands.len(), record.first, record.passing) else {
        return unsupported(format!("cards passed {} seats further", record.passing));
    };
    let mut history = History::new(Rounds::<C>::with(options)?, None);
    // The deal of a round as events: first the open cards, then the hands, seat by seat. Then the cards that were
    // passed, seat by seat, each seat's as they are written.
    let dealt = start
        .pool()
        .into_iter()
        .chain(dealt_hands(&start).into_iter().flatten());
    let passed = record.passed.iter();
    let passed = passed.flat_map(|text| text.split_ascii_whitespace().map(card_of));
    let passed: Vec<Card> = passed
        .collect::<Result<_, _>>()
        .map_err(RecordError::replay)?;
    for card in dealt {
        history.follow(id_of(card))?;
    }
    for &card in passed.iter().take(actions) {
        history.follow(id_of(card))?;
    }
    let Some(actions) = actions.checked_sub(passed.len()) else {
        return Ok(history);
    };
    if history.game().turn(history.state()) != Turn::Seat(record.first) {
        return unsupported("another seat leads than the cards say");
    }
    for card in cards.into_iter().take(actions) {
        history.follow(id_of(card))?;
    }
    Ok(history)
}
