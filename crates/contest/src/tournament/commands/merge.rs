//! `contest … merge FOLDER… --out FOLDER`: joins the shards of a tournament.

use crate::tournament::{self, TournamentGame};
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
    pub(crate) fn run<C: TournamentGame>(self) -> anyhow::Result<()> {
        let merged = tournament::merge::<C>(&self.out, &self.folders).map_err(Usage::of)?;
        line!("{} of {} games", merged.games, merged.of)?;
        if merged.games < merged.of {
            let out = shell::argument(&self.out);
            let name = C::NAME;
            engine::note!("to play the others: contest {name} tournament --out {out}");
        }
        Ok(())
    }
}
