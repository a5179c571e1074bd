//! Rounds of a report in the form that its script, `viewer.js`, reads.

use crate::tricks::Contest;
use crate::tricks::record::{Record, ReplayError};
use arena::report::html;
use serde::Serialize;
use std::io;
use tricks::Round as _;

/// Bytes of rounds in a page; pages of this size open quickly everywhere.
const FITTING: usize = 10_000_000;
/// The most rounds with faults that are kept in addition to the first ones.
const FAULTY: usize = 200;
/// The longest detail of a fault, in characters; the section on faults has all of it.
const DETAIL: usize = 300;

/// Facts about a recorded round that follow from the rules.
pub(super) struct Round {
    /// The seat that takes or plays each card.
    pub(super) seats: Vec<usize>,
    /// The points after each round of takes or trick, by seat.
    points: Vec<Vec<u8>>,
}

impl Round {
    /// Replays a record by the rules.
    pub(super) fn of<C: Contest>(contest: &C, record: &Record) -> Result<Round, ReplayError> {
        let mut seats = Vec::new();
        let mut points = Vec::new();
        let players = record.hands.len();
        let of =
            |round: &C::Round| -> Vec<u8> { (0..players).map(|seat| round.points(seat)).collect() };
        // Every `players` cards a row is complete, and its points are known.
        let end = record.replay(contest, |number, round, _| {
            if number > 0 && number.is_multiple_of(players) {
                points.push(of(round));
            }
            seats.extend(round.to_act());
        })?;
        // The last row has no successor.
        points.push(of(&end));
        Ok(Round { seats, points })
    }
}

/// The rounds of a page: the first `limit`, or as many as fit into `FITTING` bytes, and some of those with faults.
#[derive(Debug)]
pub(super) struct Rounds {
    limit: Option<usize>,
    met: usize,
    faulty: usize,
    bytes: usize,
    kept: Vec<(String, String)>,
}

/// A round; short names, as there are many.
#[derive(Serialize)]
struct Shown<'a> {
    id: &'a str,
    /// The players by seat.
    p: &'a [usize],
    hands: &'a [String],
    #[serde(skip_serializing_if = "str::is_empty")]
    pool: &'a str,
    /// The cards with blanks between them, and the seats they come from, a digit each.
    c: String,
    s: String,
    /// Points after each row of cards.
    t: &'a [Vec<u8>],
    /// The points of the round, by seat.
    w: &'a [u8],
    ms: &'a [Option<f64>],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    f: Vec<Fault<'a>>,
}

/// A fault of a round: `a` is the number of its card, from 1, and `p` the seat.
#[derive(Serialize)]
struct Fault<'a> {
    a: usize,
    p: usize,
    kind: &'a str,
    detail: String,
}

impl Rounds {
    pub(super) fn new(limit: Option<usize>) -> Rounds {
        Rounds {
            limit,
            met: 0,
            faulty: 0,
            bytes: 0,
            kept: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, record: &Record, round: &Round, seats: &[usize]) {
        let fits = match self.limit {
            Some(limit) => self.met < limit,
            None => self.bytes < FITTING,
        };
        self.met += 1;
        // Rounds with faults are kept beyond the limit: people look for them first.
        let faulty = !record.faults.is_empty() && self.faulty < FAULTY;
        if !(fits || faulty) {
            return;
        }
        self.faulty += usize::from(faulty);
        let shown = Shown {
            id: &record.id,
            p: seats,
            hands: &record.hands,
            pool: &record.pool,
            c: record.cards.join(" "),
            s: round.seats.iter().map(usize::to_string).collect(),
            t: &round.points,
            w: &record.points,
            ms: &record.ms,
            f: record
                .faults
                .iter()
                .map(|fault| Fault {
                    a: fault.action,
                    p: fault.player,
                    kind: fault.kind.name(),
                    detail: fault.detail.chars().take(DETAIL).collect(),
                })
                .collect(),
        };
        // Strings and numbers can always be written.
        let json = html::json(&shown).unwrap_or_default();
        self.bytes += json.len();
        self.kept.push((record.id.clone(), json));
    }

    /// Whether the page has the round with this id.
    pub(super) fn holds(&self, id: &str) -> bool {
        self.kept.iter().any(|(kept, _)| kept == id)
    }

    /// All of them, safe inside a script element.
    pub(super) fn json<C: Contest>(&self, labels: &[String]) -> io::Result<String> {
        let rounds: Vec<&str> = self.kept.iter().map(|(_, json)| json.as_str()).collect();
        Ok(format!(
            "{{\"players\":{},\"seats\":{},\"all\":{},\"rounds\":[{}]}}",
            html::json(&labels)?,
            html::json(&C::SEATS)?,
            self.met,
            rounds.join(",\n")
        ))
    }
}
