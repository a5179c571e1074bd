//! `contest cartagena merge FOLDER… --out FOLDER`: joins the shards of a tournament.

use crate::cartagena::tournament;
use crate::{Usage, shell};
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// Joins the shards of a tournament that were played apart (`tournament --shard`).
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The folders of the shards
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// The folder of the whole, which is made
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

impl Args {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let merged = tournament::merge(&self.out, &self.folders)
            .map_err(|error| Usage::new(error.to_string()))?;
        line!("{} of {} games", merged.games, merged.of)?;
        if merged.games < merged.of {
            let out = shell::argument(&self.out);
            eprintln!("to play the others: contest cartagena tournament --out {out}");
        }
        Ok(())
    }
}
