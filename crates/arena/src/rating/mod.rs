//! How strong programs are, from games of 2 to 6 players.
//!
//! The model is that of Plackett (1975) and Luce (1959): a program of strength `s` (in logits) has
//! the worth `exp s`, and of those not placed yet each seat is the next with a chance in
//! proportion to its worth. For two players it is the Bradley-Terry model, on which Elo ratings
//! rest; with more, the difference of two ratings is the logarithm of the odds that one *finishes
//! before* the other, in units of which 400 are odds of 10 to 1. Seats of the same program share
//! its worth, so what they do among themselves says nothing.
//!
//! Equals count as the mean of all orders they could stand in, so that a draw of two is half a win
//! and half a loss. (Efron's likelihood of ties, 1977, would count it as a whole win and a whole
//! loss; that fits the ties of rounded times, not draws.) The likelihood, with the weak prior
//! [`PRIOR_GAMES`], is concave; Newton's method finds its maximum. Hunter (2004) treats this family
//! of models and a slower method without derivatives.
//!
//! Intervals come from a bootstrap over blocks, so they hold whatever chance does within a block.

mod bootstrap;
mod comparable;
mod fit;
mod games;
mod interval;
mod planned;
mod table;

pub use fit::PRIOR_GAMES;
pub use games::{Games, MAX_PLAYERS, Outcome, OutcomeError};
pub use planned::expected_margins;
pub use table::{Note, Row, Table};

use bootstrap::Sampler;
use comparable::Comparable;
use interval::Estimates;
use thiserror::Error;

/// Elo points of a logit.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Where the scale is fixed.
    pub anchor: Anchor,
    /// How often the blocks are drawn anew for the intervals.
    pub resamples: usize,
    /// The seed of these draws.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            anchor: Anchor::Mean,
            resamples: 1000,
            seed: 1,
        }
    }
}

/// Where the scale is fixed: games determine differences only.
#[derive(Clone, Debug, PartialEq)]
pub enum Anchor {
    /// The mean of the programs is 0, leaving out those that rest on the prior (see [`Note`]).
    Mean,
    /// This program has this rating; groups that it does not belong to have the mean 0.
    Program { label: String, rating: f64 },
}

/// Why there are no ratings.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RatingError {
    /// The anchor is not among the programs.
    #[error("no program \"{label}\" to fix the scale by, expected one of {known}")]
    Anchor { label: String, known: String },
}

/// The ratings by all games; [`Games::with_players`] gives those of a number of players.
///
/// The same games in another order give the same result, to the last bit.
///
/// # Errors
/// If the anchor is not one of the programs.
pub fn rate(games: &Games, options: &Options) -> Result<Table, RatingError> {
    let anchor = match &options.anchor {
        Anchor::Mean => None,
        Anchor::Program { label, rating } => {
            let found = games.labels().iter().position(|l| l == label);
            let program = found.ok_or_else(|| RatingError::Anchor {
                label: label.clone(),
                known: games.labels().join(", "),
            })?;
            Some((program, *rating))
        }
    };
    let sampler = Sampler::new(games);
    let comparable = Comparable::new(games);
    let start = vec![0.0; games.labels().len()];
    let fit = sampler.model.fit(&sampler.total(), &start);
    let samples = sampler.resample(&fit.strengths, options.resamples, options.seed);
    let estimates = Estimates::new(fit, samples, &sampler, comparable, anchor);
    Ok(table::table(games, &estimates))
}

#[cfg(test)]
mod tests;
