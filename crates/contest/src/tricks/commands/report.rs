//! `contest eights report FILE` and `contest hearts report FILE`.

use crate::Usage;
use crate::records::Records;
use crate::tricks::Contest;
use crate::tricks::record::Record;
use crate::tricks::report::Report;
use anyhow::Context;
use clap::Args as ClapArgs;
use lab::cli::Once;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Writes recorded rounds into one HTML file: standings, times, faults, and replays to step through.
///
/// The file needs nothing else. `#round=ID&card=N` after its address opens a position.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The file of records
    file: PathBuf,
    /// Where to write [default: beside the file, with its name]
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
    pub(crate) fn run<C: Contest>(self, contest: &C) -> anyhow::Result<()> {
        let name = self.file.display();
        let mut report = Report::new(contest, self.rounds);
        let mut once = Once::default();
        let mut records = Records::<Record>::open(&self.file)?;
        while let Some((line, record)) = records.next()? {
            if !once.is_new(&record.id, record.seed, &record.players) {
                continue;
            }
            let pushed = report.push(&record);
            pushed.map_err(|e| Usage::new(format!("{name}: line {line}: {e}")))?;
        }
        once.report(&self.file);
        if report.rounds() == 0 {
            return Err(Usage::new(format!("{name}: no rounds")).into());
        }
        let out = self.out.unwrap_or_else(|| self.file.with_extension("html"));
        let title = self.title.as_deref().unwrap_or(C::TITLE);
        let write = || -> std::io::Result<()> {
            let mut file = BufWriter::new(File::create(&out)?);
            report.write(&mut file, title)?;
            file.flush()
        };
        write().with_context(|| format!("cannot write {}", out.display()))?;
        eprintln!("contest: wrote {}", out.display());
        Ok(())
    }
}
