//! `challenge`, and `contest challenge …`

mod client;
mod crowd;
mod exploit;
mod matches;
mod replay;
mod serve;
mod solve;

pub use client::challenge;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Crowd(crowd::Args),
    Exploit(exploit::Args),
    Match(matches::Args),
    Replay(replay::Args),
    Serve(serve::Args),
    /// Computes the tables the equilibrium player loads
    Solve(solve::Args),
}

/// The longest time that can be set, in seconds: a year. Sums of such times are still times.
const LONGEST: u64 = 366 * 24 * 3600;

/// A number of seconds, with parts of them.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(time) if (0.0..=LONGEST as f64).contains(&time) => Ok(time),
        _ => Err(format!("expected a number of seconds from 0 to {LONGEST}")),
    }
}

impl Command {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Crowd(args) => args.run(),
            Command::Exploit(args) => args.run(),
            Command::Match(args) => args.run(),
            Command::Replay(args) => args.run(),
            Command::Serve(args) => args.run(),
            Command::Solve(args) => args.run(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_neither_negative_nor_endless() {
        assert_eq!(seconds("5.2"), Ok(5.2));
        assert_eq!(seconds("0"), Ok(0.0));
        for wrong in ["-1", "nan", "inf", "1e19", "5s", ""] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
