//! The standings of a tournament: ratings over all games and for each number of players, and faults.

use super::folder::{Beyond, verify};
use super::results::Results;
use super::run::TournamentError;
use super::{FolderError, GAMES, Schedule, Settings, records, settings};
use arena::rating::{self, Anchor, Options, Outcome, Table};
use arena::swiss;
use arena::text_table::{Column, TextTable, number};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// How a tournament stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    pub games: u64,
    /// Games to be played, of all shards.
    pub of: u64,
    /// The points of a Swiss tournament, the best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub swiss: Vec<SwissRow>,
    /// Ratings over all games.
    pub overall: Table,
    /// Ratings for each number of players, if there are several.
    pub by_players: Vec<Table>,
    /// Faults of each program that had any, by kind.
    pub faults: BTreeMap<String, BTreeMap<&'static str, u64>>,
}

/// The standing of a program in a Swiss tournament, after the last round that all have finished.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SwissRow {
    /// The place, from 1.
    pub place: usize,
    pub label: String,
    /// A point for each meeting won and each bye, half a point for a drawn meeting.
    pub points: f64,
    /// Games won, which breaks ties.
    pub won: f64,
    /// Rounds without an opponent.
    pub byes: u32,
}

impl Standings {
    pub(super) fn new(
        settings: &Settings,
        results: &Results,
        anchor: Anchor,
    ) -> Result<Standings, TournamentError> {
        let schedule = Schedule::new(settings);
        let labels = settings.labels();
        let games = results.games(labels.clone())?;
        let options = Options {
            anchor,
            ..Options::default()
        };
        let counts = games.player_counts();
        // With one number of players its table would repeat the overall one.
        let several = counts.len() > 1;
        let by_players = counts
            .into_iter()
            .filter(|_| several)
            .map(|players| rating::rate(&games.with_players(players), &options));
        // Pairing again from the results gives the points: nothing else is stored.
        let rounds = schedule
            .swiss()
            .map(|swiss| swiss.rounds(&schedule, results));
        let points = rounds.map(|rounds| rounds.standings).unwrap_or_default();
        let row = |(i, program): (usize, usize)| SwissRow {
            place: i + 1,
            label: labels[program].clone(),
            points: points[program].score,
            won: points[program].tie_break,
            byes: points[program].byes,
        };
        Ok(Standings {
            games: results.count(),
            of: schedule.all_games(),
            swiss: swiss::order(&points)
                // The order of the rounds' own pairing, so the table agrees with who meets whom.
                .into_iter()
                .enumerate()
                .map(row)
                .collect(),
            by_players: by_players.collect::<Result<_, _>>()?,
            overall: rating::rate(&games, &options)?,
            faults: results
                .faults()
                .iter()
                .map(|(&program, kinds)| (labels[program].clone(), kinds.clone()))
                .collect(),
        })
    }

    /// The standings of a folder, read without playing.
    ///
    /// # Errors
    /// If the folder cannot be read, or the anchor is not one of the programs.
    pub fn of_folder(path: &Path, anchor: Anchor) -> Result<Standings, TournamentError> {
        let settings = settings(path)?;
        let schedule = Schedule::new(&settings);
        let mut results = Results::default();
        let mut beyond = Beyond::default();
        let file = path.join(GAMES);
        let mut records = records(&file).map_err(FolderError::from)?;
        while let Some(record) = records.next().transpose().map_err(FolderError::from)? {
            let line = records.line();
            let Some(scheduled) = schedule.scheduled(&record.id) else {
                beyond.push(&schedule, &record.id);
                continue;
            };
            // Checked as when playing, but the programs need not be there: labels identify them.
            let labels = scheduled.seats.iter().map(|&p| &settings.programs[p].label);
            let wrong = if !labels.eq(&record.players) {
                "its line-up differs from this tournament's"
            } else if results.has(&scheduled) {
                "it is recorded a second time"
            } else {
                ""
            };
            if !wrong.is_empty() {
                return Err(FolderError::Game {
                    path: file,
                    line,
                    id: record.id,
                    what: wrong.to_owned(),
                }
                .into());
            }
            verify(&record, &file, line)?;
            let outcome = Outcome {
                seats: scheduled.seats.clone(),
                ranks: record.result.ranks,
            };
            results.add(&scheduled, outcome);
            for fault in &record.faults {
                // Players count from 1. A record may name a player who does not exist: `wrapping_sub` makes 0 a
                // seat that nobody has.
                if let Some(&program) = scheduled.seats.get(fault.player.wrapping_sub(1)) {
                    results.add_fault(program, fault.kind.name());
                }
            }
        }
        beyond.check(path, &settings)?;
        Standings::new(&settings, &results, anchor)
    }

    /// The ratings of the games with this number of players.
    pub fn with_players(&self, players: usize) -> Option<&Table> {
        std::iter::once(&self.overall)
            .chain(&self.by_players)
            .find(|table| table.players == [players])
    }
}

impl fmt::Display for Standings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} of {} games", self.games, self.of)?;
        if !self.swiss.is_empty() {
            let mut table = TextTable::new([
                Column::right("place", 0),
                Column::left("program", 0),
                Column::right("points", 0),
                Column::right("games won", 0),
                Column::right("byes", 0),
            ]);
            for row in &self.swiss {
                table.push([
                    row.place.to_string(),
                    row.label.clone(),
                    number(Some(row.points), 1),
                    number(Some(row.won), 1),
                    row.byes.to_string(),
                ]);
            }
            writeln!(f)?;
            for line in table.lines() {
                writeln!(f, "{line}")?;
            }
        }
        write!(f, "\n{}", self.overall)?;
        for table in &self.by_players {
            let players: Vec<String> = table.players.iter().map(usize::to_string).collect();
            write!(f, "\n{} players\n{table}", players.join(", "))?;
        }
        if !self.faults.is_empty() {
            writeln!(f, "\nfaults")?;
        }
        for (label, kinds) in &self.faults {
            let kinds: Vec<String> = kinds.iter().map(|(k, n)| format!("{n} {k}")).collect();
            writeln!(f, "  {label}: {}", kinds.join(", "))?;
        }
        Ok(())
    }
}
