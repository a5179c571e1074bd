//! Rounds as one HTML file: standings, times, faults, and every round to step through.
//!
//! The command `report` makes it from a file of records, and a table from a game that is over. The
//! page's script replays rounds from the hands and the order of the cards alone, without the rules. Tests
//! compare it with the rules.

mod replay;
mod standings;

use self::replay::Rounds;
use self::standings::Standings;
use super::Contest;
use super::record::{FaultRecord, Record, ReplayError};
use crate::tournament;
use arena::report::durations::{self, Taken};
use arena::report::html::{self, Escaped};
use arena::report::page::{Page, Section};
use arena::report::script::{DOM, REPLAY_CONTROLS, Script};
use std::fmt::Write as _;
use std::io::{self, Write};

pub(super) const STYLES: [&str; 1] = [include_str!("assets/tricks.css")];
const VIEWER: &str = include_str!("assets/viewer.html");
/// Pictures and names of cards, on tables and in reports.
pub(super) const CARDS: Script = arena::script!("contest/src/tricks/report/assets/cards.js");

const SCRIPTS: [Script; 4] = [
    DOM,
    REPLAY_CONTROLS,
    CARDS,
    arena::script!("contest/src/tricks/report/assets/viewer.js"),
];

/// Faults that are listed one by one.
const LISTED: usize = 100;

/// A report in the making.
#[derive(Debug)]
pub struct Report<'a, C> {
    contest: &'a C,
    labels: Vec<String>,
    standings: Standings,
    taken: Vec<Taken>,
    faults: Vec<Listed>,
    rounds: Rounds,
    /// The points of a Swiss tournament, in HTML.
    points: Option<String>,
    /// The ratings of a tournament, in HTML.
    ratings: Option<String>,
}

/// A fault in the list, with its round and the index of the label of the player that made it.
#[derive(Debug)]
struct Listed {
    round: String,
    label: usize,
    fault: FaultRecord,
}

impl<'a, C: Contest> Report<'a, C> {
    /// An empty report. It shows the first `limit` rounds (by default as many as fit into 10 MB), and those
    /// with faults.
    pub fn new(contest: &'a C, limit: Option<usize>) -> Report<'a, C> {
        Report {
            contest,
            labels: Vec::new(),
            standings: Standings::default(),
            taken: Vec::new(),
            faults: Vec::new(),
            rounds: Rounds::new(limit),
            points: None,
            ratings: None,
        }
    }

    /// Adds a round.
    ///
    /// # Errors
    /// If it does not replay; the report is then as before.
    pub fn push(&mut self, record: &Record) -> Result<(), ReplayError> {
        // Replayed before anything is counted: a round that breaks the rules changes nothing.
        let replayed = replay::Round::of(self.contest, record)?;
        let labels = record.players.iter();
        let seats: Vec<usize> = labels.map(|label| self.index(label)).collect();
        self.standings.push::<C>(record, &seats);
        for (&seat, ms) in replayed.seats.iter().zip(&record.ms) {
            // A random stand-in has no time.
            if let Some(ms) = ms {
                self.taken[seats[seat]].wall.push(*ms);
            }
        }
        for fault in &record.faults {
            self.faults.push(Listed {
                round: record.id.clone(),
                label: seats[fault.player],
                fault: fault.clone(),
            });
        }
        self.rounds.push(record, &replayed, &seats);
        Ok(())
    }

    /// Adds the points and ratings of the tournament that the rounds are of.
    pub fn rated(&mut self, standings: &tournament::Standings) {
        self.points = standings.points();
        self.ratings = Some(standings.section());
    }

    /// How many rounds there are.
    pub fn rounds(&self) -> u64 {
        self.standings.rounds()
    }

    /// Writes the page.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, out: &mut dyn Write, title: &str) -> io::Result<()> {
        let section = |id, title, body| Section { id, title, body };
        let rounds = html::plural(self.rounds(), "round");
        let (deals, faults) = (self.standings.deals(), self.faults.len() as u64);
        // Seats of a game, not labels: a tournament may have more programs.
        let players: Vec<String> = self
            .standings
            .players()
            .iter()
            .map(usize::to_string)
            .collect();
        let ratings = self.ratings.iter();
        let ratings = ratings.map(|body| section("ratings", "Ratings", body.clone()));
        let points = self.points.iter();
        let points = points.map(|body| section("points", "Points", body.clone()));
        let times = durations::section(&self.taken, None);
        let times = times.map(|body| section("times", "Times", body));
        let standings = self.standings.section::<C>(&self.labels);
        let sections = [
            section("faults", "Faults", self.fault_section()),
            section("rounds", "Rounds", VIEWER.to_owned()),
        ];
        let page = Page {
            title,
            lead: format!(
                "<p class=\"note\">{} of {} players: {rounds} of {}, {}.</p>",
                C::TITLE,
                players.join(" and "),
                html::plural(deals, "deal"),
                html::plural(faults, "fault"),
            ),
            sections: points
                .chain(ratings)
                .chain([section("standings", "Standings", standings)])
                .chain(times)
                .chain(sections)
                .collect(),
            styles: &STYLES,
            data: vec![("rounds-data", self.rounds.json::<C>(&self.labels)?)],
            scripts: &SCRIPTS,
            ..Page::default()
        };
        page.write(out)
    }

    /// The index of a label. A new label is added.
    fn index(&mut self, label: &str) -> usize {
        if let Some(index) = self.labels.iter().position(|known| known == label) {
            return index;
        }
        // Labels and times have the same indices.
        self.labels.push(label.to_owned());
        self.taken.push(Taken {
            label: label.to_owned(),
            ..Taken::default()
        });
        self.labels.len() - 1
    }

    fn fault_section(&self) -> String {
        if self.faults.is_empty() {
            return "<p class=\"good\">No player did anything wrong.</p>\n".to_owned();
        }
        let mut text = String::new();
        // Limited, so that one broken program does not fill the page.
        if self.faults.len() > LISTED {
            let all = html::plural(self.faults.len() as u64, "fault");
            let _ = writeln!(text, "<p class=\"note\">The first {LISTED} of {all}.</p>");
        }
        text.push_str("<ol class=\"faults\">\n");
        for Listed {
            round,
            label,
            fault,
        } in self.faults.iter().take(LISTED)
        {
            let id = Escaped(round);
            let place = format!("round {id}, card {}", fault.action);
            // The link shows the position before the faulty card.
            let before = fault.action.saturating_sub(1);
            let place = match self.rounds.holds(round) {
                true => format!("<a href=\"#round={id}&amp;card={before}\">{place}</a>"),
                false => place,
            };
            let _ = writeln!(
                text,
                "<li><p><b>{}</b> <span class=\"tag\">{}</span> {place}; {}</p><p class=\"detail\">{}</p>",
                Escaped(&self.labels[*label]),
                fault.kind,
                C::SEATS[fault.player],
                Escaped(&fault.detail)
            );
            if !fault.errors.is_empty() {
                let errors = Escaped(&fault.errors);
                let _ = writeln!(
                    text,
                    "<details><summary>standard error, its end</summary><pre>{errors}</pre></details>"
                );
            }
            text.push_str("</li>\n");
        }
        text.push_str("</ol>\n");
        text
    }
}
