//! `contest … rate FOLDER`: prints the ratings of a tournament, as text, JSON or CSV.

use super::{anchor, usage};
use crate::Usage;
use crate::tournament::{self, Standings, TournamentGame};
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// Prints the ratings of a tournament, which need not be finished.
///
/// Ratings are fitted to all games at once (Plackett and Luce); a difference of 400 points means odds of 10
/// to 1 to finish ahead. The intervals cover the true rating with a chance of 95 %.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The folder of the tournament
    folder: PathBuf,
    /// Only the games with this number of players
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// The program whose rating is fixed, at 0 or at the points given; otherwise the mean is 0
    #[arg(long, value_name = "LABEL[=ELO]")]
    anchor: Option<String>,
    /// Prints the ratings as JSON
    #[arg(long)]
    json: bool,
    /// Prints the ratings as a table for spreadsheets
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl Args {
    pub(crate) fn run<C: TournamentGame>(self) -> anyhow::Result<()> {
        let settings = tournament::settings::<C>(&self.folder);
        let labels = settings.map_err(|error| usage(error.into()))?.labels();
        let anchor = anchor(self.anchor.as_deref(), &labels)?;
        let standings = Standings::of_folder::<C>(&self.folder, anchor).map_err(usage)?;
        let table =
            // With --players only the table of that number, otherwise all tables.
            match self.players {
                None => None,
                Some(players) => Some(standings.with_players(players).ok_or_else(|| {
                    Usage::new(format!("there are no games with {players} players"))
                })?),
            };
        if self.csv {
            let table = table.unwrap_or(&standings.overall);
            table.write_csv(seats::cli::out())?;
            return Ok(());
        }
        match (table, self.json) {
            (Some(table), true) => line!("{}", serde_json::to_string_pretty(table)?)?,
            (None, true) => line!("{}", serde_json::to_string_pretty(&standings)?)?,
            (Some(table), false) => line!("{}", table.to_string().trim_end())?,
            (None, false) => line!("{}", standings.to_string().trim_end())?,
        }
        Ok(())
    }
}
