//! The section of a report about results: the share of wins of each program by seat, and a table for each line-up.
//! Ratings are computed from the same data.

use super::{Program, RatingsError};
use crate::cartagena::record::Record;
use arena::ranking::shares;
use arena::rating::{self, Outcome};
use arena::report::html::{self, Escaped};
use arena::report::page::tabs;
use arena::stats::Mean;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The results of all games, by number of players.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    by_players: BTreeMap<usize, OfPlayers>,
    games: u64,
}

/// The results of all games with the same number of players.
#[derive(Clone, Debug, Default)]
struct OfPlayers {
    games: u64,
    /// Games that were stopped and drawn.
    stopped: u64,
    /// Turns of all games together.
    turns: u64,
    /// By seat, the wins of all programs together. A shared win counts in parts.
    seats: Vec<f64>,
    /// By program and seat.
    programs: BTreeMap<Program, Vec<Seat>>,
    line_ups: BTreeMap<Vec<Program>, LineUp>,
}

/// The games and wins of a program on one seat.
#[derive(Clone, Copy, Debug, Default)]
struct Seat {
    games: u64,
    wins: f64,
}

/// The games of a line-up.
#[derive(Clone, Debug, Default)]
struct LineUp {
    games: u64,
    /// The outcomes of each block, by the block's seed.
    blocks: BTreeMap<u64, Vec<Outcome>>,
}

impl Results {
    /// Adds a game. `seats` has the program of each seat.
    pub(super) fn push(&mut self, record: &Record, seats: &[Program]) {
        let shares = shares(&record.result.ranks);
        let players = self.by_players.entry(seats.len()).or_default();
        self.games += 1;
        players.games += 1;
        players.stopped += u64::from(record.result.winner.is_none());
        players.turns += u64::from(record.result.turns);
        players.seats.resize(seats.len(), 0.0);
        // Sorted, since the same programs in other seats are the same line-up.
        let mut line_up = seats.to_vec();
        line_up.sort_unstable();
        let line_up = players.line_ups.entry(line_up).or_default();
        line_up.games += 1;
        line_up
            .blocks
            .entry(record.seed)
            .or_default()
            .push(Outcome {
                seats: seats.to_vec(),
                ranks: record.result.ranks.clone(),
            });
        // A shared win counts in parts, so the shares of a game add up to 1.
        for (seat, (&program, share)) in seats.iter().zip(shares).enumerate() {
            players.seats[seat] += share;
            let seats_of = players.programs.entry(program).or_default();
            seats_of.resize(seats.len(), Seat::default());
            seats_of[seat].games += 1;
            seats_of[seat].wins += share;
        }
    }

    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// The numbers of players that occurred, in ascending order.
    pub(super) fn players(&self) -> impl Iterator<Item = usize> + '_ {
        self.by_players.keys().copied()
    }

    /// The ratings by all games and, if there are several, by number of players.
    pub(super) fn ratings(
        &self,
        labels: &[String],
        options: &rating::Options,
    ) -> Result<Vec<rating::Table>, RatingsError> {
        let mut games = rating::Games::new(labels.to_vec());
        // Games are added by blocks. The games of a block share the deal, so only blocks are independent.
        for line_up in self.by_players.values().flat_map(|of| of.line_ups.values()) {
            for block in line_up.blocks.values() {
                games.push(block)?;
            }
        }
        let counts = games.player_counts();
        let mut tables = vec![rating::rate(&games, options)?];
        if counts.len() > 1 {
            for players in counts {
                tables.push(rating::rate(&games.with_players(players), options)?);
            }
        }
        Ok(tables)
    }

    /// The section in HTML, with a tab for each number of players.
    pub(super) fn section(&self, labels: &[String]) -> String {
        let views: Vec<_> = self
            .by_players
            .iter()
            .map(|(players, of)| (format!("{players} players"), of.view(labels)))
            .collect();
        tabs("result", &views)
    }
}

impl OfPlayers {
    /// The tab of this number of players.
    fn view(&self, labels: &[String]) -> String {
        let mut text = format!(
            "<p class=\"note\">{}, {:.1} turns on average, {} stopped and drawn.</p>\n",
            html::plural(self.games, "game"),
            self.turns as f64 / self.games.max(1) as f64,
            html::count(self.stopped)
        );
        text.push_str("<h3>Wins by seat, in %</h3>\n");
        self.by_seat(&mut text, labels);
        text.push_str("<h3>By line-up</h3>\n");
        self.by_line_up(&mut text, labels);
        text
    }

    /// Writes the table of wins: a row for each program, a column for each seat.
    fn by_seat(&self, text: &mut String, labels: &[String]) {
        let seats = self.seats.len();
        text.push_str(
            "<div class=\"scroll\"><table class=\"heat\"><thead><tr><th scope=\"col\">program</th>",
        );
        for seat in 1..=seats {
            let _ = write!(text, "<th scope=\"col\" class=\"n\">seat {seat}</th>");
        }
        text.push_str("<th scope=\"col\" class=\"n\">all</th></tr></thead><tbody>\n");
        for (&program, of) in &self.programs {
            // The last column is the program's total over all seats.
            let all = of.iter().fold(Seat::default(), |all, seat| Seat {
                games: all.games + seat.games,
                wins: all.wins + seat.wins,
            });
            let _ = write!(
                text,
                "<tr><th scope=\"row\">{}</th>",
                Escaped(&labels[program])
            );
            for seat in of.iter().chain([&all]) {
                heat(text, seat.games, seat.wins, seats);
            }
            text.push_str("</tr>\n");
        }
        text.push_str("<tr class=\"total\"><th scope=\"row\">everyone</th>");
        for &wins in &self.seats {
            heat(text, self.games, wins, seats);
        }
        text.push_str("<td></td></tr>\n</tbody></table></div>\n");
    }

    /// Writes the table with a group of rows for each line-up.
    fn by_line_up(&self, text: &mut String, labels: &[String]) {
        text.push_str(
            "<div class=\"scroll\"><table class=\"line-ups\"><thead><tr><th scope=\"col\">program</th>\
             <th scope=\"col\" class=\"n\">seats</th><th scope=\"col\" class=\"n\">wins %</th>\
             <th scope=\"col\" class=\"n\">± 95 %</th><th scope=\"col\" class=\"bar-head\">against the fair share</th>\
             <th scope=\"col\" class=\"n\">mean place</th></tr></thead>\n",
        );
        for (programs, line_up) in &self.line_ups {
            let names: Vec<String> = programs
                .iter()
                .map(|&p| Escaped(&labels[p]).to_string())
                .collect();
            let _ = writeln!(
                text,
                "<tbody><tr class=\"group\"><th scope=\"rowgroup\" colspan=\"6\">{} <small>{}, {}</small></th></tr>",
                names.join(" <i>·</i> "),
                html::plural(line_up.games, "game"),
                html::plural(line_up.blocks.len() as u64, "block")
            );
            for row in line_up.rows(programs) {
                row.write(text, labels);
            }
            text.push_str("</tbody>\n");
        }
        text.push_str("</table></div>\n");
    }
}

/// Writes a cell with a share of wins, shaded by its distance from the fair share.
fn heat(text: &mut String, games: u64, wins: f64, seats: usize) {
    if games == 0 {
        text.push_str("<td class=\"n\">–</td>");
        return;
    }
    let share = wins / games as f64;
    // The strength of the shade goes from 0 % at the fair share, 1/seats, to 100 % at no wins on one side and at all
    // wins on the other. Example with 4 seats, where 25 % is fair: 40 % of wins gives (0.4 − 0.25) / 0.75 = 20 %.
    let fair = 1.0 / seats as f64;
    let (class, strength) = if share < fair {
        ("less", (fair - share) / fair)
    } else {
        ("more", (share - fair) / (1.0 - fair))
    };
    let _ = write!(
        text,
        "<td class=\"n {class}\" style=\"--s:{:.0}%\" title=\"{:.1} of {}\">{}</td>",
        100.0 * strength,
        wins,
        html::plural(games, "game"),
        html::percent(Some(share))
    );
}

/// A program in a line-up: a row of the table.
struct Row {
    program: Program,
    /// The number of its seats in each game.
    seats: usize,
    /// Its share of wins.
    share: Mean,
    /// The mean of its ranks.
    rank: f64,
    /// The share of wins if all seats won equally often.
    fair: f64,
}

impl LineUp {
    /// A row for each program, the best first. Mean and margin are over blocks, as games of a block share the deal.
    fn rows(&self, programs: &[Program]) -> Vec<Row> {
        let mut different = programs.to_vec();
        different.dedup();
        let row = |program: Program| {
            let seats = programs.iter().filter(|&&p| p == program).count();
            let mut share = Mean::default();
            let mut rank = 0.0;
            // One sample a block: the program's wins on all its seats, divided by the games of the block.
            for block in self.blocks.values() {
                let mut wins = 0.0;
                for outcome in block {
                    let shares = shares(&outcome.ranks);
                    for seat in (0..programs.len()).filter(|&s| outcome.seats[s] == program) {
                        wins += shares[seat];
                        rank += outcome.ranks[seat];
                    }
                }
                share.push(wins / block.len() as f64);
            }
            Row {
                program,
                seats,
                share,
                rank: rank / (self.games * seats as u64) as f64,
                fair: seats as f64 / programs.len() as f64,
            }
        };
        let mut rows: Vec<Row> = different.into_iter().map(row).collect();
        // Sorted by the share divided by the fair one: programs may have different numbers of seats.
        let lead = |row: &Row| row.share.mean() / row.fair;
        rows.sort_by(|a, b| lead(b).total_cmp(&lead(a)));
        rows
    }
}

impl Row {
    /// Writes the row, with a bar of the share of wins and a mark at the fair share.
    fn write(&self, text: &mut String, labels: &[String]) {
        let label = Escaped(&labels[self.program]);
        let share = self.share.mean();
        let (won, fair) = (100.0 * share.clamp(0.0, 1.0), 100.0 * self.fair);
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\">{label}</th><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"bar-cell\"><svg height=\"16\" role=\"img\" \
             aria-label=\"{label}: {won:.1} %, fair {fair:.1} %\">\
             <rect class=\"rail\" width=\"100%\" height=\"10\" y=\"3\" rx=\"3\"/>\
             <rect class=\"fill\" width=\"{won:.2}%\" height=\"10\" y=\"3\" rx=\"3\"/>\
             <line class=\"fair\" x1=\"{fair:.2}%\" x2=\"{fair:.2}%\" y1=\"0\" y2=\"16\"/></svg></td>\
             <td class=\"n\">{:.2}</td></tr>",
            self.seats,
            html::percent(Some(share)),
            html::percent(self.share.margin_of_share()),
            self.rank,
        );
    }
}
