//! `contest eights match` and `contest hearts match`.

use crate::arena::tricks::{Contest, agent, play};
use crate::cli::Usage;
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

/// Plays rounds between built-in players and says how many points each makes, and how sure that is.
///
/// Each deal is played once for every rotation of the players over the seats; the errors are over
/// deals.
#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct Args {
    /// Players, one a seat: a built-in one, or `search`, `search,time=SECONDS` or `search,nodes=N`;
    /// `search,NAME,…` plays out by another of the built-in ones
    #[arg(required = true, value_name = "PLAYER", num_args = 3..=6)]
    players: Vec<String>,
    /// Rounds to play, rounded up to whole deals
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Seed of the deals and of the players
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Rounds played at the same time [default: one a core]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Plays the match.
    ///
    /// # Errors
    /// If a player is unknown, or there are too few or too many.
    pub(in crate::cli) fn run<C: Contest>(
        self,
        contest: &C,
        seats: std::ops::RangeInclusive<usize>,
    ) -> anyhow::Result<()> {
        let count = self.players.len();
        if !seats.contains(&count) {
            let (least, most) = (seats.start(), seats.end());
            return Err(Usage::new(format!(
                "{count} players, where {} are expected",
                if least == most {
                    least.to_string()
                } else {
                    format!("{least} to {most}")
                }
            ))
            .into());
        }
        let agents = self
            .players
            .iter()
            .map(|text| agent(contest, text))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| Usage::new(error.to_string()))?;
        let deals = self.rounds.div_ceil(count as u64);
        let style = ProgressStyle::with_template("{pos} of {len} deals, {eta} left")?;
        let progress = ProgressBar::new(deals).with_style(style);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.jobs.unwrap_or(0))
            .build()?;
        let result = pool.install(|| play(contest, &agents, deals, self.seed, || progress.inc(1)));
        progress.finish_and_clear();
        if self.json {
            let rows: Vec<_> = self
                .players
                .iter()
                .zip(&result.points)
                .map(|(player, points)| {
                    json!({
                        "player": player,
                        "points": points.mean(),
                        "error": points.standard_error(),
                    })
                })
                .collect();
            line!("{}", json!({ "deals": deals, "players": rows }))?;
            return Ok(());
        }
        line!("{deals} deals, {} rounds", deals * count as u64)?;
        line!(
            "{:<28} {:>8} {:>7} {:>11}",
            "player",
            "points",
            "±",
            "longest"
        )?;
        for ((player, points), longest) in
            self.players.iter().zip(&result.points).zip(&result.longest)
        {
            line!(
                "{player:<28} {:>8.3} {:>7.3} {:>8.1} ms",
                points.mean(),
                points.standard_error().unwrap_or(f64::NAN),
                longest.as_secs_f64() * 1e3
            )?;
        }
        line!("points a round with standard errors over deals")?;
        Ok(())
    }
}
