//! A report of games as one HTML file: ratings, results, times, faults, and games to step through.
//!
//! `contest cartagena report` adds records one by one ([`Report::push`]), and then writes the page ([`Report::write`]).
//! Between the two a report keeps only the data for the page. A table in a browser uses it for the page of a single
//! game. The page's script replays games from spaces and cards alone; tests compare its positions with the rules.

mod faults;
mod replay;
mod results;
mod tournament;

pub use replay::Keep;

use self::faults::Faults;
use self::replay::Games;
use self::results::Results;
use super::analysis::Analysis;
use super::record::{Record, ReplayError};
use arena::rating::{self, OutcomeError, RatingError};
use arena::report::durations::{self, Taken};
use arena::report::html::{self, Escaped};
use arena::report::page::{Page, Section};
use arena::report::ratings;
use arena::report::script::{DOM, REPLAY_CONTROLS, Script};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};
use thiserror::Error;

// The parts of the page, put into it as they are. Each script comes after those that it imports from.
pub(super) const STYLES: [&str; 1] = [include_str!("assets/cartagena.css")];
const ICONS: &str = include_str!("assets/icons.html");
const VIEWER: &str = include_str!("assets/viewer.html");
const SCRIPTS: [Script; 7] = [
    DOM,
    REPLAY_CONTROLS,
    RULES,
    BOARD,
    arena::script!("contest/src/cartagena/report/assets/panels.js"),
    arena::script!("contest/src/cartagena/report/assets/list.js"),
    arena::script!("contest/src/cartagena/report/assets/viewer.js"),
];

/// The script's module with the names of symbols and the consequences of a recorded action. Tables use it as well.
pub(super) const RULES: Script = arena::script!("contest/src/cartagena/report/assets/rules.js");

/// The script's module that draws the board. Tables use it as well.
pub(super) const BOARD: Script = arena::script!("contest/src/cartagena/report/assets/board.js");

/// Facts for the page that the records do not contain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    pub title: String,
    /// Settings as names and values.
    pub settings: Vec<(String, String)>,
    /// How many of the planned games were played.
    pub progress: Progress,
    /// The time allowed for an action, in milliseconds.
    pub limit_ms: Option<f64>,
    /// The points of a Swiss tournament, in HTML.
    pub points: Option<String>,
    /// The ratings: first over all games, then for each number of players if there are several.
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
    /// The record does not replay.
    #[error("game {game}: {error}")]
    Replay { game: String, error: ReplayError },
    /// The game cannot be written as JSON.
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
    /// A record has no valid ranking.
    #[error(transparent)]
    Outcome(#[from] OutcomeError),
}

/// A program: its index in [`Programs`].
type Program = usize;

/// The programs of a report, in the order of its tables.
#[derive(Clone, Debug, Default)]
struct Programs {
    labels: Vec<String>,
    /// The index of each label.
    index: BTreeMap<String, Program>,
}

impl Programs {
    /// The program with this label, which is added if it is new.
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

/// A report to which games are added.
#[derive(Clone, Debug)]
pub struct Report {
    programs: Programs,
    results: Results,
    /// The times of each program's actions.
    taken: Vec<Taken>,
    faults: Faults,
    /// The games to step through.
    games: Games,
    /// The number of all actions.
    actions: u64,
    /// The numbers of cards dealt to a player that occurred.
    deals: BTreeSet<usize>,
    /// The values of the option `boat_retreat` that occurred.
    boat_retreats: BTreeSet<bool>,
}

impl Report {
    /// An empty report, which will hold as many games to step through as `keep` says. Tables show the programs `labels`
    /// first, in this order.
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
        // The replay comes before all counting, so that a record that breaks the rules changes nothing.
        record
            .replay(|_, _, _, _| ())
            .map_err(|error| ReportError::Replay {
                game: game(),
                error,
            })?;
        let labels = record.players.iter();
        let seats: Vec<Program> = labels.map(|label| self.programs.of(label)).collect();
        // This step can still fail, so it comes before the counts, too.
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

    /// Adds the times of a game's actions.
    fn time(&mut self, record: &Record, seats: &[Program]) {
        // Any record may bring new programs; they get their entries here.
        for label in &self.programs.labels[self.taken.len()..] {
            self.taken.push(Taken {
                label: label.clone(),
                ..Taken::default()
            });
        }
        // Tables time no action, and their records have 0 ms throughout.
        let timed = record.actions.iter().any(|step| step.ms > 0.0);
        // The replay in `push` has checked the players' numbers, so the indices are valid.
        for step in record.actions.iter().filter(|_| timed) {
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

    /// The number of games that were added, kept or not.
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
            // The page is opened as a file, without a server that its scripts could ask.
            ..Page::default()
        };
        page.write(out)
    }

    /// The sections of the page, in order.
    fn sections(&self, facts: &Facts) -> Vec<Section> {
        let mut sections = Vec::new();
        let mut add = |id, title, body| sections.push(Section { id, title, body });
        if let Some(points) = &facts.points {
            add("points", "Points", points.clone());
        }
        if !facts.ratings.is_empty() {
            add("ratings", "Ratings", ratings::tables(&facts.ratings));
        }
        let labels = &self.programs.labels;
        add("games", "Games", self.viewer());
        add("results", "Results", self.results.section(labels));
        if let Some(times) = durations::section(&self.taken, facts.limit_ms) {
            add("times", "Time", times);
        }
        // Faults are linked to games only if the page holds them.
        let faults = self.faults.section(labels, |id| self.games.holds(id));
        add("faults", "Faults", faults);
        sections
    }

    /// The part of the page in which games are stepped through, with a note if the page does not hold all games.
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

    /// The head of the page in HTML: numbers of programs, games and so on, and the settings.
    fn lead(&self, facts: &Facts) -> String {
        let mut text = "<ul class=\"figures\">".to_owned();
        let players: Vec<String> = self.results.players().map(|n| n.to_string()).collect();
        let games = self.games();
        let counted = |number: u64, noun: &str| {
            let plural = if number == 1 { "" } else { "s" };
            (html::count(number), format!("{noun}{plural}"))
        };
        for (number, name) in [
            counted(self.programs.labels.len() as u64, "participant"),
            counted(games, "game"),
            (players.join(", "), "players".to_owned()),
            counted(self.actions, "action"),
            counted(self.faults.count(), "fault"),
        ] {
            let _ = write!(text, "<li><b>{number}</b> {name}</li>");
        }
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

    /// Writes the settings as names and values.
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
        // In the contest pirates may leave the boat. Only the other option is worth a mention.
        if self.boat_retreats.contains(&false) {
            add("boat", "pirates stay on it".to_owned());
        }
        seen
    }
}
