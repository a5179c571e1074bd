//! `contest eights report FILE` and `contest hearts report FILE`.

use crate::Usage;
use crate::records::Records;
use crate::tournament::commands::usage;
use crate::tournament::{SETTINGS, Standings, games_file, report_file};
use crate::tricks::report::Report;
use crate::tricks::table::WholeGame;
use crate::tricks::tournament::RoundRules;
use anyhow::Context;
use arena::rating::Anchor;
use clap::Args as ClapArgs;
use games::tricks::whole_game::RoundsLine;
use seats::cli::Once;
use seats::cli::output::{refuse_inputs, write_file};
use std::path::PathBuf;

/// Writes recorded rounds into one HTML file: standings, times, faults, and replays to step through.
///
/// The file needs nothing else. `#round=ID&card=N` after its address opens a position.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The file of records, or the folder of a tournament
    #[arg(value_name = "FOLDER|FILE")]
    file: PathBuf,
    /// Where to write [default: report.html in the folder, or beside the file with its name; report.html for
    /// standard input]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Rounds to include: this many of the first ones, and those with faults [default: what fits into 10
    /// MB]
    #[arg(long, value_name = "N")]
    rounds: Option<usize>,
    /// The page's title [default: the contest's name]
    #[arg(long)]
    title: Option<String>,
}

impl Args {
    pub(crate) fn run<C: WholeGame>(self, contest: &C) -> anyhow::Result<()> {
        let name = self.file.display();
        let mut report = Report::new(contest, self.rounds);
        let mut once = Once::default();
        let file = games_file(&self.file);
        let out = self.out.unwrap_or_else(|| report_file(&self.file));
        refuse_inputs("--out", &out, &[&file, &file.with_file_name(SETTINGS)])?;
        let mut records = Records::<RoundsLine>::open(C::NAME, &file)?;
        while let Some((line, record)) = records.next()? {
            for round in record.rounds() {
                if !once.is_new(line, &round.id, round.seed, &round.players) {
                    continue;
                }
                let pushed = report.push(&round);
                pushed.map_err(|e| Usage::new(format!("{name}: line {line}: {e}")))?;
            }
        }
        // A tournament's ratings come from its standings, which check every game against the settings.
        if self.file.join(SETTINGS).exists() {
            let standings = Standings::of_folder::<RoundRules<C>>(&self.file, Anchor::Mean);
            report.rated(&standings.map_err(usage)?);
        } else {
            // The standings of a tournament report these.
            once.report(&self.file);
        }
        if report.rounds() == 0 {
            refuse!("{name}: no rounds");
        }
        let title = self.title.as_deref().unwrap_or(C::TITLE);
        write_file(&out, |file| report.write(file, title))
            .with_context(|| format!("cannot write {}", out.display()))?;
        engine::note!("contest: wrote {}", out.display());
        Ok(())
    }
}
