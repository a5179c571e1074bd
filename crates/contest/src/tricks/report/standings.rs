//! The section of a report with the points of all players. Standard errors are over deals.

use crate::tricks::record::Record;
use crate::tricks::{Contest, Moons};
use arena::report::html::{self, Escaped};
use arena::stats::Mean;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A player as its index in a report.
type Player = usize;

/// The results of all rounds, by line-up: points are compared only among players that met.
#[derive(Debug, Default)]
pub(super) struct Standings {
    line_ups: BTreeMap<Vec<Player>, LineUp>,
    rounds: u64,
}

#[derive(Debug, Default)]
struct LineUp {
    rounds: u64,
    /// By the match's seed and the deal: by player, the points and the seats they were made on.
    deals: BTreeMap<(u64, String), BTreeMap<Player, (f64, u64)>>,
    /// By player and seat.
    seats: BTreeMap<Player, Vec<Mean>>,
    faults: BTreeMap<Player, u64>,
    moons: BTreeMap<Player, Moons>,
}

impl Standings {
    pub(super) fn push<C: Contest>(&mut self, record: &Record, seats: &[Player]) {
        let shooter = C::MOON.and_then(|moon| moon(&record.points));
        self.rounds += 1;
        // Sorted: players on other seats are the same line-up.
        let mut key = seats.to_vec();
        key.sort_unstable();
        let line_up = self.line_ups.entry(key).or_default();
        line_up.rounds += 1;
        // The last part of an id is the rotation: those of a deal are one sample, not several. At a table that people
        // play at it is the round, and every round has another deal.
        let is_of_table = ["table-", "practice-"]
            .iter()
            .any(|stem| record.id.starts_with(stem));
        let deal = match record.id.rsplit_once('-') {
            Some((deal, _)) if !is_of_table => deal.to_owned(),
            _ => record.id.clone(),
        };
        let deal = line_up.deals.entry((record.seed, deal)).or_default();
        for (seat, (&player, &points)) in seats.iter().zip(&record.points).enumerate() {
            let sum = deal.entry(player).or_default();
            *sum = (sum.0 + f64::from(points), sum.1 + 1);
            let by_seat = line_up.seats.entry(player).or_default();
            by_seat.resize(seats.len(), Mean::default());
            by_seat[seat].push(f64::from(points));
            let moons = line_up.moons.entry(player).or_default();
            moons.push(seat, shooter);
        }
        for fault in &record.faults {
            *line_up.faults.entry(seats[fault.player]).or_default() += 1;
        }
    }

    pub(super) fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The numbers of players that occurred, in ascending order.
    pub(super) fn players(&self) -> BTreeSet<usize> {
        self.line_ups.keys().map(Vec::len).collect()
    }

    pub(super) fn deals(&self) -> u64 {
        self.line_ups.values().map(|of| of.deals.len() as u64).sum()
    }

    pub(super) fn section<C: Contest>(&self, labels: &[String]) -> String {
        let wanted = if C::LOW_IS_GOOD { "low" } else { "high" };
        let mut text = format!(
            "<p class=\"note\">Points a round, of which {wanted} ones are good, with standard errors \
             over deals. Rounds of the same deal count as one sample.</p>\n"
        );
        for (players, line_up) in &self.line_ups {
            line_up.write::<C>(&mut text, players.len(), labels);
        }
        text
    }
}

impl LineUp {
    /// Writes the table of a line-up with this number of seats.
    fn write<C: Contest>(&self, text: &mut String, seats: usize, labels: &[String]) {
        let (rounds, deals) = (self.rounds, self.deals.len() as u64);
        let _ = writeln!(
            text,
            "<div class=\"scroll\"><table class=\"standings\"><caption>{}, {}</caption><thead><tr>\
             <th scope=\"col\">player</th><th scope=\"col\" class=\"n\">points</th>\
             <th scope=\"col\" class=\"n\">±</th>",
            html::plural(rounds, "round"),
            html::plural(deals, "deal")
        );
        for name in &C::SEATS[..seats] {
            let _ = write!(text, "<th scope=\"col\" class=\"n\">{name}</th>");
        }
        if C::MOON.is_some() {
            text.push_str("<th scope=\"col\" class=\"n\">moons</th>");
            text.push_str("<th scope=\"col\" class=\"n\">others’ moons</th>");
        }
        text.push_str("<th scope=\"col\" class=\"n\">faults</th></tr></thead><tbody>\n");
        for (player, mean) in self.means::<C>() {
            let error = mean.standard_error();
            // One deal gives no estimate of the error.
            let error = error.map_or_else(|| "–".to_owned(), |error| format!("{error:.3}"));
            let _ = write!(
                text,
                "<tr><th scope=\"row\">{}</th><td class=\"n\"><b>{:.3}</b></td><td class=\"n\">{error}</td>",
                Escaped(&labels[player]),
                mean.mean()
            );
            for of_seat in self.seats.get(&player).into_iter().flatten() {
                let _ = match of_seat.count() {
                    // The player never sat there.
                    0 => write!(text, "<td class=\"n\">–</td>"),
                    _ => write!(text, "<td class=\"n\">{:.2}</td>", of_seat.mean()),
                };
            }
            if let (Some(_), Some(moons)) = (C::MOON, self.moons.get(&player)) {
                for count in [moons.shot, moons.against] {
                    let percent = 100.0 * moons.share(count);
                    let _ = write!(text, "<td class=\"n\">{percent:.2} %</td>");
                }
            }
            let faults = self.faults.get(&player).copied().unwrap_or(0);
            let class = if faults > 0 { "n bad" } else { "n none" };
            let _ = writeln!(text, "<td class=\"{class}\">{faults}</td></tr>");
        }
        text.push_str("</tbody></table></div>\n");
    }

    /// The means over deals, the best first.
    fn means<C: Contest>(&self) -> Vec<(Player, Mean)> {
        let mut means: BTreeMap<Player, Mean> = BTreeMap::new();
        // The sample is a player's mean over its seats of a deal, so luck of the seats cancels.
        for deal in self.deals.values() {
            for (&player, &(sum, seats)) in deal {
                means.entry(player).or_default().push(sum / seats as f64);
            }
        }
        let mut means: Vec<_> = means.into_iter().collect();
        // The best first, whether low or high points are good.
        let sign = if C::LOW_IS_GOOD { 1.0 } else { -1.0 };
        means.sort_by(|a, b| (sign * a.1.mean()).total_cmp(&(sign * b.1.mean())));
        means
    }
}
