//! Ratings: how strong programs are, estimated from games of 2 to 6 players. A referee adds the outcomes of its
//! blocks to [`Games`], and [`rate`] makes a [`Table`] of them.
//!
//! The model is that of Plackett (1975) and Luce (1959). A program of strength `s` (in logits) has
//! the worth `exp s`. The ranking of a game is a sequence of choices: among the seats that have no
//! place yet, each is the next with a probability in proportion to its worth. For two players this
//! is the Bradley-Terry model, on which Elo ratings rest. With more players, the difference of two
//! ratings is the logarithm of the odds that one *finishes before* the other; 400 points are odds
//! of 10 to 1. Seats of the same program share its worth, so their order among themselves carries
//! no information.
//!
//! Equals count as the mean of all orders in which they could stand, so a draw of two is half a win
//! and half a loss. (Efron's likelihood of ties, 1977, would count it as a whole win and a whole
//! loss; it fits the ties of rounded times, not draws.) The likelihood, with the weak prior
//! [`PRIOR_GAMES`], is concave, and Newton's method finds its maximum. Hunter (2004) treats this
//! family of models, with a slower method that needs no derivatives.
//!
//! Intervals come from a bootstrap over blocks. They need no assumption about how the games within
//! a block depend on each other.

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

/// Elo points in one logit, 173.7: strengths times this are Elo points.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The settings of [`rate`].
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The zero of the scale.
    pub anchor: Anchor,
    /// Number of bootstrap resamples, from which the intervals follow.
    pub resamples: usize,
    /// Seed of the resamples.
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

/// The zero of the scale. Games determine only differences of ratings, so it has to be chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum Anchor {
    /// The mean of the programs is 0. Programs whose rating rests on the prior (see [`Note`]) do
    /// not count.
    Mean,
    /// This program has this rating. Groups without it have the mean 0.
    Program { label: String, rating: f64 },
}

/// The reason why games cannot be rated.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RatingError {
    /// The anchor is not among the programs.
    #[error(
        "no program is called \"{label}\", whose rating is to be fixed: expected one of {known}"
    )]
    Anchor { label: String, known: String },
}

/// Rates the programs by all games. [`Games::with_players`] selects the games of one number of
/// players.
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
    // The counts are sums of whole parts in sorted order, so the order of the games cannot change a
    // bit of the result.
    let sampler = Sampler::new(games);
    let comparable = Comparable::new(games);
    let start = vec![0.0; games.labels().len()];
    let fit = sampler.model.fit(&sampler.total(), &start);
    // Each resample is fitted by the same procedure as the real games; its strengths scatter as the
    // real ones would if the match were played again.
    let samples = sampler.resample(&fit.strengths, options.resamples, options.seed);
    let estimates = Estimates::new(fit, samples, &sampler, comparable, anchor);
    Ok(table::table(games, &estimates))
}

#[cfg(test)]
mod tests;
