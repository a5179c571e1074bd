//! Whole games that do not begin with a deal of their seed, but with the rounds of a record or with a position that
//! people wrote. [`read`] makes a [`Start`] of a text; [`begin`] checks it and draws the cards that are not given.

use super::Contest;
use super::position::restored;
pub use super::position::{Begin, Position};
use super::record::Record;
use super::whole_game::{RoundsLine, WholeGameRecord};
use ::tricks::{Card, Round};
use arena::ranking::places;
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
    #[serde(default, skip_serializing_if = "arena::records::is_zero")]
    pub passing: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed: Vec<String>,
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

/// Rounds of records as one game.
#[derive(Default)]
struct Joined {
    names: Vec<String>,
    /// The id of the last round.
    id: String,
    deals: Vec<Dealt>,
    taken: Vec<Card>,
    totals: Vec<u32>,
    /// Whether a round was played after a player had won by the points. That happens in tournaments with a fixed number of
    /// rounds, and where a player that has forfeited the game would have won by its points.
    goes_beyond: bool,
}

impl Joined {
    /// Adds the next round.
    fn push<G: Contest>(&mut self, record: Record) -> Result<(), String> {
        let game = G::default();
        let end = record.replay(&game, |_, _, card| self.taken.push(card));
        let end = end.map_err(|error| error.to_string())?;
        self.totals.resize(end.players(), 0);
        self.goes_beyond |= game.winner(&self.totals).is_some();
        for (total, score) in self.totals.iter_mut().zip(end.scores()) {
            *total += u32::from(score);
        }
        self.deals.push(Dealt {
            first: record.round.first,
            hands: record.round.hands,
            pool: record.round.pool,
            passing: record.round.passing,
            passed: record.round.passed,
        });
        (self.names, self.id) = (record.players, record.id);
        Ok(())
    }

    /// Adds the rounds of a tournament's game.
    fn push_game<G: Contest>(&mut self, game: &WholeGameRecord) -> Result<(), String> {
        if game.rounds.is_empty() {
            return Err("the game has no rounds".to_owned());
        }
        for (record, number) in game.rounds().zip(1..) {
            let pushed = self.push::<G>(record);
            pushed.map_err(|reason| format!("round {number}: {reason}"))?;
        }
        let totals = self.totals.iter().map(|&total| i64::from(total));
        let standings = totals.map(|total| if G::LOW_IS_GOOD { -total } else { total });
        let expected = places(&standings.collect::<Vec<_>>());
        // A table counts points alone, so it would give the game of a player who has forfeited it to another.
        match game.rounds.iter().flat_map(|round| &round.faults).next() {
            _ if game.ranks == expected => Ok(()),
            Some(fault) => Err(format!(
                "player {} lost this game by a fault ({}), and a table has no faults: contest {} report shows such \
                 games",
                fault.player + 1,
                fault.kind,
                G::NAME
            )),
            None => Err(format!(
                "ranks {:?}, but the rounds come to {expected:?}",
                game.ranks
            )),
        }
    }
}

/// Reads lines of records: one round of a match, the rounds of a table's game in order, or a game of a tournament.
fn of_records<G: Contest>(text: &str) -> Result<Read, String> {
    let mut joined = Joined::default();
    let lines = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty());
    for (line, number) in lines {
        let wrong = |reason: String| format!("line {number}: {reason}");
        let line = RoundsLine::parse(line.as_bytes()).map_err(|error| wrong(error.to_string()))?;
        let (noun, id, names) = match &line {
            RoundsLine::Round(round) => ("round", &round.id, &round.players),
            RoundsLine::Game(game) => ("game", &game.id, &game.players),
        };
        // Several lines must be the rounds of one game, in order.
        let is_first = joined.deals.is_empty();
        if !is_first && (*names != joined.names || !follows(&joined.id, id)) {
            return Err(wrong(format!(
                "{noun} {id} of {} does not continue the game of round {} of {}; expected a line of a match or a \
                 tournament, or the lines of a whole game, as a table writes them",
                names.join(", "),
                joined.id,
                joined.names.join(", ")
            )));
        }
        match line {
            RoundsLine::Game(game) => joined.push_game::<G>(&game).map_err(wrong)?,
            RoundsLine::Round(round) => {
                joined.push::<G>(*round).map_err(wrong)?;
                if joined.goes_beyond {
                    return Err(wrong("the game was over before this round".to_owned()));
                }
            }
        }
    }
    // Records that do not end with the goal are a part of a game, which ends with them.
    let ends = joined.goes_beyond || G::default().winner(&joined.totals).is_none();
    Ok(Read {
        names: joined.names,
        start: Start::Rounds(RecordedRounds {
            deals: joined.deals,
            ends,
        }),
        taken: joined.taken,
    })
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
