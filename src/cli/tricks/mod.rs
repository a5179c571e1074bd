//! Command lines of the trick-taking games.

mod eights;
mod explain;
mod hearts;
mod matches;
mod records;
mod replay;
mod report;

pub use eights::eights;
pub use hearts::hearts;
pub(super) use matches::Args as MatchArgs;
pub(super) use replay::Args as ReplayArgs;
pub(super) use report::Args as ReportArgs;

use crate::search::budget::Limits;
use clap::Args as ClapArgs;
use std::time::Duration;

/// Settings that both players have.
#[derive(Debug, ClapArgs)]
struct Thinking {
    /// Seconds to think about a card
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    time: f64,
    /// Rounds to play out for a card
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Seed of the sampled deals
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Show what is known and what the cards are worth, on standard error
    #[arg(long)]
    explain: bool,
}

impl Thinking {
    fn limits(&self) -> Limits {
        Limits {
            // With a number of nodes the clock has no say, so that answers repeat.
            time: self
                .nodes
                .is_none()
                .then(|| Duration::from_secs_f64(self.time)),
            nodes: self.nodes,
        }
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(time) if (0.0..=3.5).contains(&time) => Ok(time),
        _ => Err("expected a number of seconds from 0 to 3.5".to_owned()),
    }
}

/// A time in seconds, more than none.
pub(super) fn seconds_above_none(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a number of seconds above 0".to_owned())
}
