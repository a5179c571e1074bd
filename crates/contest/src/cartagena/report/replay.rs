//! The games of a report in the form that the page's script reads, and the choice of games that the page holds.
//!
//! An action is a short word that begins with the player (one digit, from 1): `10.4g` is player 1's advance from 0 to 4
//! with card g, `24.3+bk` player 2's retreat from 4 to 3 that draws b and k, and `3-` player 3's pass.

use super::Program;
use crate::cartagena::analysis::{Analysis, BLUNDER, DOUBTFUL, Grade, MISTAKE};
use crate::cartagena::record::{FaultRecord, Record, StepRecord};
use arena::report::html;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;

/// The most bytes of games in a page. Pages of this size open quickly everywhere.
const FITTING: usize = 20_000_000;
/// The most games with faults that are kept in addition to the first ones.
const FAULTY: usize = 200;
/// The most characters of a fault's description in the data of its game. The section on faults has all of it.
const DETAIL: usize = 300;

/// The games that a page holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The first games of each line-up, equally many of each, so that all fit into about 20 MB.
    #[default]
    Fitting,
    /// This many first games of each line-up.
    First(usize),
    All,
}

/// The games of a page, which are added one by one.
#[derive(Clone, Debug)]
pub(super) struct Games {
    keep: Keep,
    /// The number of games that are kept of each line-up. With [`Keep::Fitting`] it shrinks when games do not fit.
    limit: usize,
    /// Games of each line-up so far, kept or not.
    met: BTreeMap<Vec<Program>, usize>,
    /// The number of games that were kept for their faults.
    faulty: usize,
    kept: Vec<Kept>,
    /// The length of all kept games' JSON.
    bytes: usize,
}

/// A game that the page holds.
#[derive(Clone, Debug)]
struct Kept {
    id: String,
    /// Its number among the games of its line-up, from 0.
    number: usize,
    /// Whether it is kept for its faults, whatever its number.
    faulty: bool,
    json: String,
}

/// A game as JSON. Names are short, since a page has many games.
#[derive(Serialize)]
struct Game<'a> {
    id: &'a str,
    /// The programs by seat.
    p: &'a [Program],
    board: &'a str,
    hands: &'a [String],
    /// The number of pirates of each player.
    n: usize,
    /// The winner, from 1, or 0.
    w: usize,
    ranks: &'a [f64],
    turns: u32,
    /// The actions as words with blanks between them.
    a: String,
    ms: Vec<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    f: Vec<Fault<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    x: Option<Judgement<'a>>,
}

/// A fault as JSON.
#[derive(Serialize)]
struct Fault<'a> {
    /// The number of the action that the player was asked for, from 1.
    a: usize,
    /// The player, from 1.
    p: usize,
    kind: &'a str,
    detail: String,
    forfeit: bool,
}

/// The analysis of a game as JSON.
#[derive(Serialize)]
struct Judgement<'a> {
    /// For each action the acting player's probability of winning after it, in thousandths.
    c: Vec<u32>,
    /// The actions with a grade: number from 1, thousandths lost, grade, better action.
    bad: Vec<(usize, u32, &'a str, &'a str)>,
}

impl Games {
    pub(super) fn new(keep: Keep) -> Games {
        Games {
            keep,
            limit: match keep {
                Keep::First(games) => games,
                Keep::Fitting | Keep::All => usize::MAX,
            },
            met: BTreeMap::new(),
            faulty: 0,
            kept: Vec::new(),
            bytes: 0,
        }
    }

    /// Adds a game; it is kept if the limit allows it, or for its faults. `seats` has the program of each seat.
    pub(super) fn push(
        &mut self,
        record: &Record,
        seats: &[Program],
        analysis: Option<&Analysis>,
    ) -> serde_json::Result<()> {
        // Sorted, since the same programs in other seats are the same line-up.
        let mut line_up = seats.to_vec();
        line_up.sort_unstable();
        let met = self.met.entry(line_up).or_default();
        let number = *met;
        *met += 1;
        // Games with faults are kept beyond the limit, as people look for them first.
        let faulty = !record.faults.is_empty() && self.faulty < FAULTY;
        if number >= self.limit && !faulty {
            return Ok(());
        }
        self.faulty += usize::from(faulty);
        let kept = Kept {
            id: record.id.clone(),
            number,
            faulty,
            json: html::json(&game(record, seats, analysis))?,
        };
        self.bytes += kept.json.len();
        self.kept.push(kept);
        self.fit();
        Ok(())
    }

    /// Lowers the limit until the games fit, if they have to.
    fn fit(&mut self) {
        while self.keep == Keep::Fitting && self.bytes > FITTING {
            // The highest number of a kept game. Those kept for their faults do not count.
            let most = self.kept.iter().filter(|k| !k.faulty).map(|k| k.number);
            let Some(most) = most.max() else { return };
            // The limit drops by a tenth at a time. If it dropped by one, the list would be filtered for almost every
            // further game.
            self.limit = most - most / 10;
            let limit = self.limit;
            self.kept.retain(|k| k.faulty || k.number < limit);
            self.bytes = self.kept.iter().map(|k| k.json.len()).sum();
        }
    }

    /// The number of games that the page holds.
    pub(super) fn kept(&self) -> u64 {
        self.kept.len() as u64
    }

    /// Whether the page holds the game with this id.
    pub(super) fn holds(&self, id: &str) -> bool {
        self.kept.iter().any(|kept| kept.id == id)
    }

    /// All games as JSON, escaped so that it can stand in a script element.
    pub(super) fn json(&self, labels: &[String]) -> io::Result<String> {
        let mut text = String::with_capacity(self.bytes + 1024);
        text.push_str("{\"programs\":");
        text.push_str(&html::json(&labels)?);
        text.push_str(",\"grades\":");
        let grades = [
            (Grade::Doubtful.name(), DOUBTFUL),
            (Grade::Mistake.name(), MISTAKE),
            (Grade::Blunder.name(), BLUNDER),
        ];
        text.push_str(&html::json(&grades)?);
        text.push_str(",\"games\":[");
        for (i, kept) in self.kept.iter().enumerate() {
            if i > 0 {
                text.push_str(",\n");
            }
            text.push_str(&kept.json);
        }
        text.push_str("]}");
        Ok(text)
    }
}

/// A game for the page's script.
fn game<'a>(record: &'a Record, seats: &'a [Program], analysis: Option<&'a Analysis>) -> Game<'a> {
    let words: Vec<String> = record.actions.iter().map(word).collect();
    Game {
        id: &record.id,
        p: seats,
        board: &record.board,
        hands: &record.hands,
        n: record.pirates,
        w: record.result.winner.unwrap_or(0),
        ranks: &record.result.ranks,
        turns: record.result.turns,
        a: words.join(" "),
        ms: record.actions.iter().map(|step| rounded(step.ms)).collect(),
        f: record.faults.iter().map(fault).collect(),
        x: analysis.map(judgement),
    }
}

/// An action as a word (see the head of this file).
fn word(step: &StepRecord) -> String {
    let player = step.player;
    let (Some(from), Some(to)) = (step.from, step.to) else {
        return format!("{player}-");
    };
    match step.card {
        Some(card) => format!("{player}{from}.{to}{card}"),
        // A retreat draws nothing if no card is left.
        None if step.drawn.is_empty() => format!("{player}{from}.{to}"),
        None => format!("{player}{from}.{to}+{}", step.drawn),
    }
}

/// A time in milliseconds, rounded: below 1 ms to microseconds, then to three digits, from 100 ms on to
/// milliseconds. Examples: 0.12345 becomes 0.123, and 12.34 becomes 12.3.
fn rounded(ms: f64) -> f64 {
    let unit = match ms {
        ..1.0 => 1e3,
        ..10.0 => 1e2,
        ..100.0 => 1e1,
        _ => 1.0,
    };
    (ms * unit).round() / unit
}

/// A fault for the page's script.
fn fault(fault: &FaultRecord) -> Fault<'_> {
    Fault {
        a: fault.action,
        p: fault.player,
        kind: fault.kind.name(),
        detail: fault.detail.chars().take(DETAIL).collect(),
        forfeit: fault.forfeit,
    }
}

/// The analysis of a game for the page's script.
fn judgement(analysis: &Analysis) -> Judgement<'_> {
    // Probabilities as whole thousandths; the page needs no more, and short numbers keep it small.
    let thousandths = |chance: f64| (1000.0 * chance).round().max(0.0) as u32;
    let bad = analysis.actions.iter().filter_map(|judged| {
        let grade = judged.grade?;
        Some((
            judged.action,
            thousandths(judged.loss),
            grade.name(),
            judged.best.as_str(),
        ))
    });
    Judgement {
        c: analysis
            .actions
            .iter()
            .map(|judged| thousandths(judged.chance))
            .collect(),
        bad: bad.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(from: Option<u8>, to: Option<u8>, card: Option<char>, drawn: &str) -> StepRecord {
        StepRecord {
            player: 3,
            from,
            to,
            card,
            drawn: drawn.to_owned(),
            ms: 0.0,
            cpu_ms: None,
            peak_kb: None,
        }
    }

    #[test]
    fn actions_as_words() {
        assert_eq!(word(&step(Some(0), Some(14), Some('g'), "")), "30.14g");
        assert_eq!(word(&step(Some(14), Some(4), None, "bk")), "314.4+bk");
        assert_eq!(word(&step(Some(14), Some(4), None, "")), "314.4");
        assert_eq!(word(&step(None, None, None, "")), "3-");
    }

    #[test]
    fn times_keep_three_digits() {
        assert_eq!(
            [0.0123, 1.2345, 12.345, 12_345.6].map(rounded),
            [0.012, 1.23, 12.3, 12_346.0]
        );
    }
}
