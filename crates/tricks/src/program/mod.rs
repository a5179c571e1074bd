//! What the programs of trick-taking games share: their settings, and what they say on standard error.

mod explain;

pub use explain::{say, show};

use clap::Args;
use engine::budget::Limits;
use std::time::Duration;

/// Settings that every program of the family has.
#[derive(Debug, Args)]
pub struct Thinking {
    /// Seconds to think about a card
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    time: f64,
    /// Rounds to play out for a card
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Seed of the sampled deals
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Show what is known and what the cards are worth, on standard error
    #[arg(long)]
    pub explain: bool,
}

impl Thinking {
    /// When to stop thinking about a card.
    pub fn limits(&self) -> Limits {
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
