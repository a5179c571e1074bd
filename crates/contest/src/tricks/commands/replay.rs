//! `contest eights replay FILE ROUND` and `contest hearts replay FILE ROUND`.

use crate::Usage;
use crate::records::Selector;
use crate::tournament::games_file;
use crate::tricks::Contest;
use crate::tricks::record::{FaultRecord, Record};
use clap::Args as ClapArgs;
use games::tricks::whole_game::RoundsLine;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use tricks::{Card, Round as _};

/// Prints a recorded round: hands, takes, tricks, points.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The file of records, or the folder of a tournament
    file: PathBuf,
    /// The round: its number in the file, from 1, or its id such as `20-3`; in a tournament's folder such as
    /// `4p1.1.2.3-7.5-2`
    round: Selector,
}

impl Args {
    pub(crate) fn run<C: Contest>(self, contest: &C) -> anyhow::Result<()> {
        let file = games_file(&self.file);
        let rounds = RoundsLine::rounds;
        let record = self
            .round
            .find_part(C::NAME, &file, rounds, |round: &Record| &round.id)?;
        let text = described(contest, &record)
            .map_err(|error| Usage::new(format!("{}: {error}", self.file.display())))?;
        seats::cli::out().write_all(text.as_bytes())?;
        Ok(())
    }
}

/// The cards from one lead to the next, taken or played.
struct Row {
    taken: bool,
    leader: usize,
    cards: Vec<Card>,
    /// Points of each seat after it.
    points: Vec<u8>,
}

/// The round as text: the hands, a line for each trick or round of takes, the faults, and the points.
fn described<C: Contest>(
    contest: &C,
    record: &Record,
) -> Result<String, crate::tricks::record::ReplayError> {
    let start = record.start(contest)?;
    let players = start.players();
    let mut rows: Vec<Row> = Vec::new();
    let end = record.replay(contest, |number, round, card| {
        // A row has one card of each player. When the next row begins, the points of the last one are known.
        if number.is_multiple_of(players) {
            if let Some(row) = rows.last_mut() {
                row.points = (0..players).map(|seat| round.points(seat)).collect();
            }
            rows.push(Row {
                taken: !round.pool().is_empty(),
                leader: round.to_act().unwrap_or(0),
                cards: Vec::new(),
                points: Vec::new(),
            });
        }
        if let Some(row) = rows.last_mut() {
            row.cards.push(card);
        }
    })?;
    // The last row has no successor; the state at the end has its points.
    if let Some(row) = rows.last_mut() {
        row.points = (0..players).map(|seat| end.points(seat)).collect();
    }
    let mut text = format!("{} round {}, seed {}\n", C::TITLE, record.id, record.seed);
    if !record.practice.is_none() {
        let _ = writeln!(text, "{}", record.practice);
    }
    for seat in 0..players {
        let (name, label) = (C::SEATS[seat], &record.players[seat]);
        let _ = writeln!(text, "{name:<5}  {label:<20}  {}", start.hand(seat));
    }
    if !start.pool().is_empty() {
        let _ = writeln!(text, "pool   {:20}  {}", "", start.pool());
    }
    let _ = write!(text, "\n{:8}", "");
    for name in &C::SEATS[..players] {
        let _ = write!(text, "{name:>7}");
    }
    text.push_str("   points\n");
    // Takes and tricks are counted apart: takes come first.
    let mut tricks = 0;
    for (number, row) in rows.iter().enumerate() {
        tricks += usize::from(!row.taken);
        let what = if row.taken { "take" } else { "trick" };
        let number = if row.taken { number + 1 } else { tricks };
        line_of(&mut text, &format!("{what} {number}"), row, players);
    }
    for fault in &record.faults {
        describe_fault::<C>(&mut text, fault);
    }
    let _ = writeln!(text, "\nthe round comes to {}", joined(&record.points));
    Ok(text)
}

/// A row with the cards below their seats; the leader's has a mark.
fn line_of(text: &mut String, name: &str, row: &Row, players: usize) {
    let _ = write!(text, "{name:<8}");
    for seat in 0..players {
        let place = (seat + players - row.leader) % players;
        let mark = if place == 0 { ">" } else { "" };
        let card = row.cards.get(place).map_or(String::new(), Card::to_string);
        let _ = write!(text, "{:>7}", format!("{mark}{card}"));
    }
    let _ = writeln!(text, "   {}", joined(&row.points));
}

fn joined(points: &[u8]) -> String {
    let points: Vec<String> = points.iter().map(u8::to_string).collect();
    points.join(" ")
}

fn describe_fault<C: Contest>(text: &mut String, fault: &FaultRecord) {
    let name = C::SEATS[fault.player];
    let _ = writeln!(
        text,
        "card {}: {name} {}; random cards from here on",
        fault.action,
        fault.in_words()
    );
}
