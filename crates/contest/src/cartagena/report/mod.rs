//! A tournament as one HTML file: ratings, results, times, faults, and every game to step through.
//!
//! [`Report::push`] takes records one by one, and keeps only the data that the page needs. The page's script
//! replays games from spaces and cards alone; tests compare its positions with the rules.

mod faults;
mod live;
mod replay;
mod results;
mod tournament;

pub use live::write_live;
pub use replay::Keep;

use self::faults::Faults;
use self::replay::Games;
use self::results::Results;
use super::analysis::Analysis;
use super::record::{Record, ReplayError};
use arena::rating::{self, OutcomeError, RatingError};
use arena::report::durations::{self, Taken};
use arena::report::html::{self, Escaped};
use arena::report::page::{Page, Section, tabs};
use arena::report::ratings;
use arena::report::script::{DOM, REPLAY_CONTROLS, Script};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};
use thiserror::Error;

const STYLES: [&str; 1] = [include_str!("assets/cartagena.css")];
const ICONS: &str = include_str!("assets/icons.html");
const VIEWER: &str = include_str!("assets/viewer.html");
const SCRIPTS: [Script; 7] = [
    DOM,
    REPLAY_CONTROLS,
    RULES,
    BOARD,
    Script {
        path: "contest/src/cartagena/report/assets/panels.js",
        text: include_str!("assets/panels.js"),
    },
    Script {
        path: "contest/src/cartagena/report/assets/list.js",
        text: include_str!("assets/list.js"),
    },
    Script {
        path: "contest/src/cartagena/report/assets/viewer.js",
        text: include_str!("assets/viewer.js"),
    },
];

/// Names of symbols, and the consequences of a recorded action.
pub(super) const RULES: Script = Script {
    path: "contest/src/cartagena/report/assets/rules.js",
    text: include_str!("assets/rules.js"),
};

/// The board as a picture.
pub(super) const BOARD: Script = Script {
    path: "contest/src/cartagena/report/assets/board.js",
    text: include_str!("assets/board.js"),
};

/// Facts that the games do not contain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    pub title: String,
    /// Settings as names and values.
    pub settings: Vec<(String, String)>,
    /// Whether all games were played.
    pub progress: Progress,
    /// The time allowed for an action, in milliseconds.
    pub limit_ms: Option<f64>,
    /// The ratings: by all games, then by number of players.
    pub ratings: Vec<rating::Table>,
}

/// The progress of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// The planned number of games is unknown.
    #[default]
    Unknown,
    /// All games were played.
    Complete,
    /// More games were planned.
    Unfinished { planned: u64 },
}

/// Why a record cannot be reported.
#[derive(Debug, Error)]
pub enum ReportError {
    /// It breaks the rules.
    #[error("game {game}: {error}")]
    Replay { game: String, error: ReplayError },
    /// It cannot be written as JSON.
    #[error("game {game}: {error}")]
    Json {
        game: String,
        error: serde_json::Error,
    },
}

/// Why there are no ratings.
#[derive(Debug, Error)]
pub enum RatingsError {
    /// The anchor is none of the programs.
    #[error(transparent)]
    Rating(#[from] RatingError),
    /// A record without a valid ranking.
    #[error(transparent)]
    Outcome(#[from] OutcomeError),
}

/// A program as its index in a report.
type Program = usize;

/// The programs of the games, in the order in which they were met.
#[derive(Clone, Debug, Default)]
struct Programs {
    labels: Vec<String>,
    index: BTreeMap<String, Program>,
}

impl Programs {
    fn of(&mut self, label: &str) -> Program {
        if let Some(&program) = self.index.get(label) {
            return program;
        }
        let program = self.labels.len();
        self.labels.push(label.to_owned());
        self.index.insert(label.to_owned(), program);
        program
    }
}

/// A report in the making.
#[derive(Clone, Debug)]
pub struct Report {
    programs: Programs,
    results: Results,
    taken: Vec<Taken>,
    faults: Faults,
    games: Games,
    actions: u64,
    deals: BTreeSet<usize>,
    boat_retreats: BTreeSet<bool>,
}

impl Report {
    /// An empty report that keeps as many games as `keep` says. Programs are shown in the order of `labels`,
    /// all others after them.
    pub fn new(keep: Keep, labels: &[String]) -> Report {
        let mut programs = Programs::default();
        for label in labels {
            programs.of(label);
        }
        Report {
            programs,
            results: Results::default(),
            taken: Vec::new(),
            faults: Faults::default(),
            games: Games::new(keep),
            actions: 0,
            deals: BTreeSet::new(),
            boat_retreats: BTreeSet::new(),
        }
    }

    /// Adds a game, with its analysis if there is one.
    ///
    /// # Errors
    /// If it does not replay; the report is then as before.
    pub fn push(
        &mut self,
        record: &Record,
        analysis: Option<&Analysis>,
    ) -> Result<(), ReportError> {
        let game = || record.id.clone();
        // Replayed before anything is counted: a record that breaks the rules changes nothing.
        record
            .replay(|_, _, _, _| ())
            .map_err(|error| ReportError::Replay {
                game: game(),
                error,
            })?;
        let labels = record.players.iter();
        let seats: Vec<Program> = labels.map(|label| self.programs.of(label)).collect();
        // Next the step that can still fail; the counts come after it.
        self.games
            .push(record, &seats, analysis)
            .map_err(|error| ReportError::Json {
                game: game(),
                error,
            })?;
        self.results.push(record, &seats);
        self.faults.push(record, &seats);
        self.time(record, &seats);
        self.actions += record.actions.len() as u64;
        self.deals.extend(record.hands.iter().map(String::len));
        self.boat_retreats.insert(record.boat_retreat);
        Ok(())
    }

    fn time(&mut self, record: &Record, seats: &[Program]) {
        // Programs may join with any record: each gets its entry when it is first seen.
        for label in &self.programs.labels[self.taken.len()..] {
            self.taken.push(Taken {
                label: label.clone(),
                ..Taken::default()
            });
        }
        // The replay has checked the numbers of the players, so the index of a seat is valid.
        for step in &record.actions {
            let taken = &mut self.taken[seats[step.player - 1]];
            taken.wall.push(step.ms);
            if let Some(ms) = step.cpu_ms {
                taken.processor.push(ms);
            }
            taken.peak_kb = taken.peak_kb.max(step.peak_kb);
        }
    }

    /// The labels of the programs, in the order of the tables.
    pub fn labels(&self) -> &[String] {
        &self.programs.labels
    }

    pub fn games(&self) -> u64 {
        self.results.games()
    }

    /// The ratings by all games and, if there are several, by number of players.
    ///
    /// # Errors
    /// If the anchor of the scale is none of the programs.
    pub fn ratings(&self, options: &rating::Options) -> Result<Vec<rating::Table>, RatingsError> {
        self.results.ratings(&self.programs.labels, options)
    }

    /// Writes the page.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, out: &mut dyn Write, facts: &Facts) -> io::Result<()> {
        let page = Page {
            title: &facts.title,
            lead: self.lead(facts),
            sections: self.sections(facts),
            styles: &STYLES,
            definitions: ICONS,
            data: vec![("games-data", self.games.json(&self.programs.labels)?)],
            scripts: &SCRIPTS,
            // The page is a file that is opened without a server, so its scripts may ask nobody.
            asks: false,
            refresh: None,
        };
        page.write(out)
    }

    fn sections(&self, facts: &Facts) -> Vec<Section> {
        let mut sections = Vec::new();
        let mut add = |id, title, body| sections.push(Section { id, title, body });
        if !facts.ratings.is_empty() {
            let heading = |table: &rating::Table| match table.players[..] {
                [players] => format!("{players} players"),
                _ => "all games".to_owned(),
            };
            let views = facts.ratings.iter();
            let views: Vec<_> = views.map(|t| (heading(t), ratings::section(t))).collect();
            add("ratings", "Ratings", tabs("rating", &views));
        }
        let labels = &self.programs.labels;
        add("games", "Games", self.viewer());
        add("results", "Results", self.results.section(labels));
        add(
            "times",
            "Time",
            durations::section(&self.taken, facts.limit_ms),
        );
        // Faults are linked to games only if the page holds them.
        let faults = self.faults.section(labels, |id| self.games.holds(id));
        add("faults", "Faults", faults);
        sections
    }

    /// The viewer, with a note if the page does not hold all games.
    fn viewer(&self) -> String {
        let (kept, all) = (self.games.kept(), self.games());
        let mut text = String::new();
        if kept < all {
            let _ = writeln!(
                text,
                "<p class=\"note\">{} of {} are in this file: the first of every line-up, and the \
                 first with faults.</p>",
                html::count(kept),
                html::plural(all, "game")
            );
        }
        text.push_str(VIEWER);
        text
    }

    fn lead(&self, facts: &Facts) -> String {
        let mut text = "<ul class=\"figures\">".to_owned();
        let mut figure = |number: &str, name: &str| {
            let _ = write!(text, "<li><b>{number}</b> {name}</li>");
        };
        let labels = &self.programs.labels;
        let players: Vec<String> = self.results.players().map(|n| n.to_string()).collect();
        let noun = |n: u64, noun: &str| format!("{noun}{}", if n == 1 { "" } else { "s" });
        let games = self.games();
        figure(
            &html::count(labels.len() as u64),
            &noun(labels.len() as u64, "program"),
        );
        figure(&html::count(games), &noun(games, "game"));
        figure(&players.join(", "), "players");
        figure(&html::count(self.actions), &noun(self.actions, "action"));
        figure(
            &html::count(self.faults.count()),
            &noun(self.faults.count(), "fault"),
        );
        let state = match facts.progress {
            Progress::Unknown => String::new(),
            Progress::Complete => "<li class=\"complete\">complete</li>".to_owned(),
            Progress::Unfinished { planned } => format!(
                "<li class=\"unfinished\">unfinished: {} of {}</li>",
                html::count(games),
                html::plural(planned, "game")
            ),
        };
        let _ = writeln!(text, "{state}</ul>");
        self.settings(&mut text, facts);
        text
    }

    fn settings(&self, text: &mut String, facts: &Facts) {
        // The tournament's own settings win over those inferred from the games.
        let mut settings = self.seen();
        settings.retain(|(name, _)| facts.settings.iter().all(|(known, _)| known != name));
        settings.extend(facts.settings.iter().cloned());
        text.push_str("<dl class=\"settings\">");
        for (name, value) in &settings {
            let _ = write!(
                text,
                "<div><dt>{}</dt><dd>{}</dd></div>",
                Escaped(name),
                Escaped(value)
            );
        }
        text.push_str("</dl>");
    }

    /// Settings that follow from the games themselves.
    fn seen(&self) -> Vec<(String, String)> {
        let mut seen = Vec::new();
        let mut add = |name: &str, value: String| seen.push((name.to_owned(), value));
        add("programs", self.programs.labels.join(", "));
        if !self.deals.is_empty() {
            // A hand is a word with a letter for each card, so lengths of words are numbers of cards.
            let deals: Vec<String> = self.deals.iter().map(usize::to_string).collect();
            add("deal", format!("{} cards", deals.join(", ")));
        }
        // In the contest pirates may leave the boat; the page mentions only the variant.
        if self.boat_retreats.contains(&false) {
            add("boat", "pirates stay on it".to_owned());
        }
        seen
    }
}
