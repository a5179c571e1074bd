//! `contest cartagena report FOLDER`: writes games into one HTML file. The page is made in `cartagena::report`.

use crate::cartagena::analysis::{self, Analysis};
use crate::cartagena::record::Record;
use crate::cartagena::report::{Facts, Keep, Report};
use crate::cartagena::tournament::{Rules, Settings};
use crate::records::Records;
use crate::tournament::commands::{anchor, usage};
use crate::tournament::{
    self, SETTINGS, Schedule, Standings, TournamentGame as _, games_file, report_file,
};
use crate::{Usage, complain};
use anyhow::Context;
use arena::progress::Steps;
use arena::rating::{self, Anchor};
use cartagena::evaluation::Evaluators;
use clap::Args as ClapArgs;
use engine::budget::Limits;
use seats::cli::Once;
use seats::cli::output::{refuse_inputs, write_file};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The default number of positions that the analysis of an action visits.
const NODES: u64 = 30_000;

/// Writes games into one HTML file: ratings, results, times, faults, and replays to step through.
///
/// The file needs nothing else: it can be opened from a disk, sent by mail or put on any server.
/// `#game=ID&action=N` after its address opens a position.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The folder of a tournament, or a file of records
    #[arg(value_name = "FOLDER|FILE")]
    results: PathBuf,
    /// Where to write [default: report.html in the folder, or beside the file with its name; report.html for
    /// standard input]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Games of each line-up to include: this many of the first ones, or `all` [default: what fits into 20
    /// MB]
    #[arg(long, value_name = "N|all")]
    games: Option<Games>,
    /// Analyses the first N games and shows the value of every action
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    analyse: u64,
    /// Positions that the search for each action visits
    #[arg(long, value_name = "N", default_value_t = NODES, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The program whose rating is fixed, at 0 or at the points given; otherwise the mean is 0
    #[arg(long, value_name = "LABEL[=ELO]")]
    anchor: Option<String>,
    /// The title of the page
    #[arg(long, default_value = "Cartagena")]
    title: String,
}

/// The value of `--games`: the number of games of each line-up that the page holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Games(Keep);

impl FromStr for Games {
    type Err = String;

    fn from_str(text: &str) -> Result<Games, String> {
        match (text, text.parse()) {
            ("all", _) => Ok(Games(Keep::All)),
            (_, Ok(games)) => Ok(Games(Keep::First(games))),
            _ => Err("expected a number or all".to_owned()),
        }
    }
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let file = games_file(&self.results);
        let out = self
            .out
            .clone()
            .unwrap_or_else(|| report_file(&self.results));
        refuse_inputs("--out", &out, &[&file, &file.with_file_name(SETTINGS)])?;
        let settings = self.settings()?;
        let report = self.read(&file, settings.as_ref())?;
        // Without games the path is probably wrong.
        if report.games() == 0 {
            refuse!("{}: no games", file.display());
        }
        let anchor = anchor(self.anchor.as_deref(), report.labels())?;
        let facts = self.facts(&report, settings.as_ref(), anchor)?;
        write_file(&out, |file| report.write(file, &facts))
            .with_context(|| format!("cannot write {}", out.display()))?;
        engine::note!("contest: wrote {}", out.display());
        Ok(())
    }

    /// The settings, if the results are a tournament's folder and not a mere file of records.
    fn settings(&self) -> anyhow::Result<Option<Settings>> {
        if !self.results.join(SETTINGS).exists() {
            return Ok(None);
        }
        let settings = tournament::settings(&self.results);
        Ok(Some(settings.map_err(Usage::of)?))
    }

    /// The title, the settings and the ratings.
    fn facts(
        &self,
        report: &Report,
        settings: Option<&Settings>,
        anchor: Anchor,
    ) -> anyhow::Result<Facts> {
        let title = self.title.clone();
        // A tournament's ratings come from its standings, which check every game against the settings.
        if let Some(settings) = settings {
            let standings = Standings::of_folder::<Rules>(&self.results, anchor).map_err(usage)?;
            let played = report.games();
            return Ok(Facts::of_tournament(title, settings, standings, played));
        }
        let options = rating::Options {
            anchor,
            ..rating::Options::default()
        };
        let ratings = report.ratings(&options);
        Ok(Facts {
            title,
            ratings: ratings.map_err(Usage::of)?,
            ..Facts::default()
        })
    }

    /// Reads all records into a report.
    fn read(&self, path: &Path, settings: Option<&Settings>) -> anyhow::Result<Report> {
        let name = path.display();
        let keep = self.games.map_or(Keep::Fitting, |games| games.0);
        let labels = settings.map(Settings::labels).unwrap_or_default();
        let mut report = Report::new(keep, &labels);
        let schedule = settings.map(Schedule::new);
        let evaluators = Evaluators::installed(complain);
        let mut once = Once::default();
        let mut records = Records::<Record>::open(Rules::NAME, path)?;
        while let Some((line, record)) = records.next()? {
            // Games beyond the settings are skipped here; reading the standings reports them as an error.
            if schedule
                .as_ref()
                .is_some_and(|schedule| schedule.scheduled(&record.id).is_none())
            {
                continue;
            }
            // A game may be in the file twice, if files were joined. It counts once.
            if !once.is_new(line, &record.id, record.seed, &record.players) {
                continue;
            }
            // Only the first games (--analyse) are analysed, since each takes long.
            let analysis = (report.games() < self.analyse)
                .then(|| self.analysed(&record, &evaluators))
                .transpose()?;
            report
                .push(&record, analysis.as_ref())
                .map_err(|error| Usage::new(format!("{name}, line {line}: {error}")))?;
        }
        // The standings of a tournament report these.
        if settings.is_none() {
            once.report(path);
        }
        Ok(report)
    }

    /// The analysis of a game.
    fn analysed(&self, record: &Record, evaluators: &Evaluators) -> anyhow::Result<Analysis> {
        let evaluator = evaluators.for_players(record.players.len());
        let options = analysis::Options {
            limits: Limits::nodes(self.nodes),
            // With a fixed seed and a limit of nodes the report is the same every time.
            seed: 1,
            allow_pass: false,
        };
        let progress = Steps::new(record.actions.len() as u64, "actions");
        let analysis = analysis::analyse(record, &**evaluator, &options, || progress.finished());
        progress.clear();
        analysis.map_err(|error| Usage::new(format!("game {}: {error}", record.id)).into())
    }
}
