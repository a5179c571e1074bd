//! The table of ratings, which [`rate`](super::rate) returns: one row a program, to be written as JSON, CSV or text.

use super::fit::games as in_games;
use super::games::{Games, Program};
use super::interval::Estimates;
use crate::plain_text::cell;
use crate::text_table::{Column, TextTable, number, percent};
use serde::Serialize;
use std::fmt;
use std::io::Write;

/// The ratings of all programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The numbers of players of the games.
    pub players: Vec<usize>,
    pub games: u64,
    pub blocks: u64,
    /// Number of groups; no game compares programs of different groups.
    pub groups: usize,
    /// One row a program: group after group, the best first in each; programs without a rating come
    /// last.
    pub rows: Vec<Row>,
}

/// The rating of a program.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The place within the group, from 1; none if there is no rating.
    pub place: Option<usize>,
    pub label: String,
    /// In Elo points; none if no game compares the program with another.
    pub rating: Option<f64>,
    /// The lower limit of the 95 % interval of the rating; none if nothing sets one.
    pub low: Option<f64>,
    /// The upper limit, in the same way.
    pub high: Option<f64>,
    /// Games in which the program held a seat.
    pub games: u64,
    /// The blocks with these games.
    pub blocks: u64,
    /// The share of these games that one of its seats won; equals share a win.
    pub share: Option<f64>,
    /// The share if all players were equal.
    pub fair: Option<f64>,
    /// The chance that the program is stronger than the next of its group.
    pub superiority: Option<f64>,
    /// The group, from 1; ratings of different groups cannot be compared.
    pub group: usize,
    /// A reservation about the rating, if there is one.
    pub note: Option<Note>,
}

/// A reservation about a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Note {
    /// No game with another program.
    NotCompared,
    /// Never behind those it is measured against: the rating rests on the prior and may be higher.
    NeverBehind,
    /// Never ahead of those it is measured against: the rating rests on the prior and may be lower.
    NeverAhead,
    /// Never behind some and never ahead of others: the rating rests on the prior.
    Between,
}

impl Note {
    /// In words that follow the program's label.
    pub fn text(self) -> &'static str {
        match self {
            Note::NotCompared => "has not played against another program",
            Note::NeverBehind => {
                "was never behind those it is measured against; the rating may be higher"
            }
            Note::NeverAhead => {
                "was never ahead of those it is measured against; the rating may be lower"
            }
            Note::Between => {
                "was never behind some and never ahead of others; the rating is open to both sides"
            }
        }
    }
}

/// Totals of the games of one program.
#[derive(Clone, Copy, Debug, Default)]
struct Played {
    games: u64,
    blocks: u64,
    wins: u64,
    fair: f64,
}

/// Sorts the programs, and makes the row of each.
pub(super) fn table(games: &Games, estimates: &Estimates) -> Table {
    let programs = games.labels().len();
    let comparable = &estimates.comparable;
    let mut order: Vec<usize> = (0..programs).collect();
    let rating = |i: usize| estimates.rating(i).unwrap_or(f64::NEG_INFINITY);
    // Groups of one come last: their programs have no rating.
    order.sort_by(|&a, &b| {
        let key = |i| (!comparable.is_compared(i), comparable.groups[i]);
        key(a)
            .cmp(&key(b))
            .then(rating(b).total_cmp(&rating(a)))
            .then(a.cmp(&b))
    });
    let mut rows: Vec<Row> = Vec::with_capacity(programs);
    // Rows are sorted by group, so a group's number and the places in it can be counted along the
    // way.
    let (mut group, mut place) = (0, 0);
    for (at, &i) in order.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| comparable.groups[order[at]]);
        if before != Some(comparable.groups[i]) {
            (group, place) = (group + 1, 0);
        }
        place += 1;
        let next = order
            .get(at + 1)
            .filter(|&&j| comparable.groups[j] == comparable.groups[i]);
        rows.push(Row {
            group,
            superiority: next.and_then(|&j| estimates.superiority(i, j)),
            place: estimates.rating(i).map(|_| place),
            ..row(games, estimates, i)
        });
    }
    Table {
        players: games.player_counts(),
        games: games.strata.values().map(|s| s.games).sum(),
        blocks: games.strata.values().flat_map(|s| s.blocks.values()).sum(),
        groups: group,
        rows,
    }
}

/// A row without the fields that depend on other rows.
fn row(games: &Games, estimates: &Estimates, i: usize) -> Row {
    let played = played(games, i as Program);
    let (open_above, open_below) = (estimates.open_above(i), estimates.open_below(i));
    let note = match (open_above, open_below) {
        _ if !estimates.comparable.is_compared(i) => Some(Note::NotCompared),
        (true, false) => Some(Note::NeverBehind),
        (false, true) => Some(Note::NeverAhead),
        (true, true) => Some(Note::Between),
        (false, false) => None,
    };
    let rating = estimates.rating(i);
    // Without a rating there is nothing that limits could belong to.
    let limits = rating.map(|_| estimates.limits(i));
    let share = |parts: f64| (played.games > 0).then(|| parts / played.games as f64);
    Row {
        place: None,
        label: games.labels()[i].clone(),
        rating,
        low: limits.and_then(|l| l.low),
        high: limits.and_then(|l| l.high),
        games: played.games,
        blocks: played.blocks,
        share: share(in_games(played.wins)),
        fair: share(played.fair),
        superiority: None,
        group: 0,
        note,
    }
}

/// Sums up the games of one program.
fn played(games: &Games, program: Program) -> Played {
    // Games are stored by line-up, so those of a program are in the line-ups that contain it.
    let mut played = Played::default();
    for (line_up, stratum) in &games.strata {
        let seats = line_up.iter().filter(|&&p| p == program).count();
        if seats > 0 {
            played.games += stratum.games;
            played.blocks += stratum.blocks.values().sum::<u64>();
            played.wins += stratum.wins.get(&program).copied().unwrap_or(0);
            // Among equal players each seat wins `1 / players` of the games.
            played.fair += (stratum.games * seats as u64) as f64 / line_up.len() as f64;
        }
    }
    played
}

impl Row {
    /// Half the width of the 95 % interval; none if it is open to a side, or the rating is fixed.
    pub fn margin(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0).filter(|&margin| margin > 0.0)
    }
}

impl Table {
    /// Writes the rows as comma-separated values (RFC 4180). The first line has the names of the
    /// fields of [`Row`]; a missing value is an empty cell. Spreadsheets do not take labels for
    /// formulas (see [`cell`]).
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_csv(&self, out: impl Write) -> Result<(), csv::Error> {
        let mut writer = csv::Writer::from_writer(out);
        for row in &self.rows {
            writer.serialize(Row {
                label: cell(&row.label).into_owned(),
                ..row.clone()
            })?;
        }
        writer.flush()?;
        Ok(())
    }
}

/// As text, a line for each program, with notes below.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = TextTable::new([
            Column::right("place", 0),
            Column::left("program", 0),
            Column::right("Elo", 7),
            Column::right("± 95 %", 0),
            Column::right("games", 7),
            Column::right("wins %", 0),
            Column::right("fair %", 0),
            Column::right("better than next %", 0),
        ]);
        for row in &self.rows {
            table.push(row.cells());
        }
        let mut lines = table.lines().into_iter();
        writeln!(f, "{}", lines.next().unwrap_or_default())?;
        let mut group = 1;
        for (row, line) in self.rows.iter().zip(lines) {
            // A line in front of each group but the first, so that nobody compares its ratings with
            // those above.
            if row.group != group && row.rating.is_some() {
                group = row.group;
                writeln!(f, "group {group}: no game compares it with those above")?;
            }
            writeln!(f, "{line}")?;
        }
        for row in &self.rows {
            if let Some(note) = row.note {
                writeln!(f, "{} {}", row.label, note.text())?;
            }
        }
        Ok(())
    }
}

impl Row {
    /// The cells of the row in the text table.
    fn cells(&self) -> [String; 8] {
        [
            self.place.map_or("-".to_owned(), |p| p.to_string()),
            self.label.clone(),
            number(self.rating, 1),
            number(self.margin(), 1),
            self.games.to_string(),
            percent(self.share, 2),
            percent(self.fair, 2),
            percent(self.superiority, 1),
        ]
    }
}
