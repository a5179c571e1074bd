//! Whole games that do not begin with a deal of their seed, but with the rounds of a record or with a position that
//! people wrote. [`read`] makes a [`Start`] of a text; [`begin`] checks it and draws the cards that are not given.

use super::Contest;
use super::position::restored;
pub use super::position::{Begin, Position};
use super::record::Record;
use ::tricks::{Card, MAX_PLAYERS, Round};
use arena::records::Record as _;
use serde::{Deserialize, Serialize};

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Start {
    /// A position in a round.
    Position(Position),
    /// The rounds of a record.
    Rounds(RecordedRounds),
}

/// The rounds of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedRounds {
    /// As they were dealt, in order.
    pub deals: Vec<Dealt>,
    /// Whether the game ends with the last of them: they were no whole game.
    pub ends: bool,
}

/// A deal, as records write it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dealt {
    /// The seat that acts first, from 0.
    pub first: usize,
    pub hands: Vec<String>,
    /// The cards to be taken.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pool: String,
    /// How many seats further cards were passed, and by seat the cards: those of the record.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub passing: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed: Vec<String>,
}

/// Whether nothing was passed; serde needs a function of a reference.
fn is_zero(passing: &usize) -> bool {
    *passing == 0
}

/// A text that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    pub names: Vec<String>,
    pub start: Start,
    /// The cards taken and played from there.
    pub taken: Vec<Card>,
}

/// Reads rounds of a record, a position in JSON, or another format of the game, which `messages` reads.
///
/// # Errors
/// The mistake, and the expected input.
pub fn read<G: Contest>(
    text: &[u8],
    messages: impl FnOnce(&str) -> Result<Read, String>,
) -> Result<Read, String> {
    let text = std::str::from_utf8(text).map_err(|error| format!("expected UTF-8: {error}"))?;
    let text = text.trim();
    let read = match text.chars().next() {
        None => return Err("there is nothing to open".to_owned()),
        Some('{') if is_record(text) => return of_records::<G>(text),
        Some('{') => of_position(text)?,
        Some(_) => messages(text)?,
    };
    // Begun on trial with one seed, so that a mistake is reported now, and not when the game begins.
    begin::<G>(&read.start, 0)?;
    Ok(read)
}

/// Whether the first value of a text is a record's.
fn is_record(text: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    let first = values.next().and_then(Result::ok);
    first.is_some_and(|value| value.get("contest").is_some())
}

/// Reads lines of records: one round of a match, or the rounds of a table's game in order.
fn of_records<G: Contest>(text: &str) -> Result<Read, String> {
    let game = G::default();
    let mut read: Option<Read> = None;
    let mut deals = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    let mut totals = vec![0; MAX_PLAYERS];
    let lines = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty());
    for (line, number) in lines {
        let wrong = |reason: String| format!("line {number}: {reason}");
        let record = Record::parse(line.as_bytes()).map_err(|error| wrong(error.to_string()))?;
        let mut taken = Vec::new();
        let end = record.replay(&game, |_, _, card| taken.push(card));
        let end = end.map_err(|error| wrong(error.to_string()))?;
        // Several rounds must be those of one game, in order.
        if let (Some(read), Some(last)) = (&read, ids.last()) {
            let (id, names) = (&record.id, &record.players);
            if *names != read.names || !follows(last, id) {
                return Err(wrong(format!(
                    "round {id} of {} does not continue the game of round {last} of {}; expected a line of a \
                     match, or the lines of a whole game, as a table writes them",
                    names.join(", "),
                    read.names.join(", ")
                )));
            }
        }
        if game.winner(&totals[..end.players()]).is_some() {
            return Err(wrong("the game was over before this round".to_owned()));
        }
        for (total, score) in totals.iter_mut().zip(end.scores()) {
            *total += u32::from(score);
        }
        totals.truncate(end.players());
        deals.push(Dealt {
            first: record.round.first,
            hands: record.round.hands,
            pool: record.round.pool,
            passing: record.round.passing,
            passed: record.round.passed,
        });
        ids.push(record.id);
        match &mut read {
            Some(read) => read.taken.extend(taken),
            None => {
                read = Some(Read {
                    names: record.players,
                    start: Start::Rounds(RecordedRounds {
                        deals: Vec::new(),
                        ends: false,
                    }),
                    taken,
                });
            }
        }
    }
    let mut read = read.ok_or("there is nothing to open")?;
    // Records that do not reach the goal are a part of a game, which ends with them.
    let ends = game.winner(&totals).is_none();
    read.start = Start::Rounds(RecordedRounds { deals, ends });
    Ok(read)
}

/// Whether a round's id is that of the next round of a table's game.
fn follows(last: &str, id: &str) -> bool {
    let parts = |id: &str| -> Option<(String, usize)> {
        let (game, round) = id.rsplit_once('-')?;
        Some((game.to_owned(), round.parse().ok()?))
    };
    // Ids of a match, such as 20-3, count seatings, not rounds.
    match (parts(last), parts(id)) {
        (Some((game, round)), Some((other, next))) => {
            game == other && game.contains('-') && next == round + 1
        }
        _ => false,
    }
}

/// Reads a position in JSON, with numbers in place of names.
fn of_position(text: &str) -> Result<Read, String> {
    let position: Position = serde_json::from_str(text)
        .map_err(|error| format!("neither rounds of a record nor a position: {error}"))?;
    let names = (1..=position.hands.len()).map(|n| format!("Player {n}"));
    Ok(Read {
        names: names.collect(),
        start: Start::Position(position),
        taken: Vec::new(),
    })
}

/// The checked start; chance chooses the cards that are not given.
///
/// # Errors
/// The mistake, and the expected input.
pub fn begin<G: Contest>(start: &Start, seed: u64) -> Result<Begin<G::Round>, String> {
    match start {
        Start::Position(position) => position.begin::<G>(seed),
        Start::Rounds(rounds) => {
            let dealt = rounds.deals.iter().zip(1..).map(|(deal, number)| {
                let passed = (deal.passing, &deal.passed[..]);
                let start = restored::<G>(deal.first, &deal.hands, &deal.pool, passed);
                start.map_err(|error| format!("round {number}: {error}"))
            });
            let dealt: Vec<G::Round> = dealt.collect::<Result<_, String>>()?;
            let first = dealt.first().ok_or("rounds: expected one at least")?;
            let players = first.players();
            if dealt.iter().any(|round| round.players() != players) {
                return Err(format!("rounds: expected {players} players in all of them"));
            }
            Ok(Begin {
                totals: vec![0; players],
                before: Vec::new(),
                ends: rounds.ends,
                rounds: dealt,
            })
        }
    }
}
