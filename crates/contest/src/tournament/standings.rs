//! The standings of a tournament: ratings over all games and for each number of players, Swiss points, and faults.
//!
//! A running tournament makes them from its results in memory. [`Standings::of_folder`] makes them from a folder, for
//! ratings and reports.

use super::folder::each_game;
use super::results::Results;
use super::run::TournamentError;
use super::{GAMES, Schedule, Settings, TournamentGame, settings};
use arena::rating::{self, Anchor, Options, Table};
use arena::schedule::{GameResult, ScheduledGame};
use arena::swiss;
use arena::text_table::{Column, TextTable, number};
use seats::cli::Repeated;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// The standings of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// The number of games played.
    pub games: u64,
    /// The number of games that all shards have together.
    pub of: u64,
    /// The points of a Swiss tournament, the best program first; empty for other formats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub swiss: Vec<SwissRow>,
    /// Ratings over all games.
    pub overall: Table,
    /// Ratings for each number of players, if there are several.
    pub by_players: Vec<Table>,
    /// Faults of each program that had any, by kind.
    pub faults: BTreeMap<String, BTreeMap<&'static str, u64>>,
}

/// The standing of a program in a Swiss tournament, after the last round whose games have all been played.
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
    /// The standings after these results. `anchor` fixes the zero of the ratings.
    pub(super) fn new<C: TournamentGame>(
        settings: &Settings<C>,
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
        // If all games have the same number of players, its table would repeat the overall one.
        let several = counts.len() > 1;
        let by_players = counts
            .into_iter()
            .filter(|_| several)
            .map(|players| rating::rate(&games.with_players(players), &options));
        // Points are not stored: pairing all rounds again from the results gives them.
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
                // The next round is paired by this very order.
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

    /// The standings of a tournament's folder, after a check of every game in it. A game that is repeated with the same
    /// result counts once, and its line is named on standard error. `anchor` fixes the zero of the ratings.
    ///
    /// # Errors
    /// If the folder cannot be read, a game is not of the tournament or has two results, or the anchor is not one of
    /// the programs.
    pub fn of_folder<C: TournamentGame>(
        path: &Path,
        anchor: Anchor,
    ) -> Result<Standings, TournamentError> {
        let settings = settings::<C>(path)?;
        let schedule = Schedule::new(&settings);
        let table = C::archive(&settings, schedule.names().to_vec());
        let mut results = Results::default();
        let mut again = Repeated::default();
        let take = |line, scheduled: ScheduledGame, played: GameResult| {
            let Some(known) = results.outcome(&scheduled) else {
                results.push(&scheduled, &played);
                return Ok(true);
            };
            let ranks = played.seats.iter().map(|seat| seat.rank);
            // Which of two results holds, nobody can say.
            if !ranks.eq(known.ranks.iter().copied()) {
                return Err("it is recorded a second time, with another result");
            }
            again.push(line);
            Ok(false)
        };
        each_game(path, &settings, &schedule, &table, take)?;
        again.report(&path.join(GAMES));
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
            writeln!(f, "{table}")?;
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
