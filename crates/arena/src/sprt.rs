//! Sequential tests: a comparison of two programs that stops as soon as it is decided. A tournament adds its blocks
//! one by one ([`Sprt::push`]) and plays on until [`Sprt::decision`] is H0 or H1.
//!
//! A generalised sequential probability ratio test over the scores of blocks (Van den Bergh, "A
//! practical introduction to the GSPRT", 2020, as in Fishtest and fastchess). A block's *score* is
//! the share of its wins that fell to the first program. A block is one deal in all rotations, so
//! its luck cancels within the score and is not mistaken for evidence. The hypotheses fix only the
//! mean of the distribution of scores; the rest of it is estimated from the scores.
//!
//! An Elo difference `d` stands for a mean score. Let the first program hold `a` seats and the
//! other `b`. Each seat of the first has the weight `w = 10^(d / 400)` and each of the other 1, so
//! the expected share is `a w / (a w + b)`. For two players this is the logistic formula of Elo,
//! for more the first choice of the Plackett-Luce model (see [`rating`](super::rating)). Line-ups
//! with different numbers of seats have separate distributions, and their log likelihood ratios add
//! up.
//!
//! Example: with `alpha = beta = 0.05` the test accepts H1 at a log likelihood ratio of
//! `ln 19 = 2.94` and H0 at −2.94. Let the differences be 0 and 20 points, which are mean scores of
//! 0.500 and 0.529. Of 200 blocks of two games the first program wins both games in 60, one in 100 and
//! none in 40. The mean score is 0.55, and the log likelihood ratio 1.65: undecided. At the same rate
//! it reaches 8.24 after 1,000 blocks, and H1 was accepted long before.

use super::rating::{Outcome, OutcomeError};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Each possible score that has not occurred counts as this many blocks, as in Fishtest: no
/// distribution is certain after a few blocks. It also makes scores reach from 0 to 1, which the
/// likelihood below relies on.
const UNSEEN: f64 = 1e-3;

/// The two differences that a test decides between, in Elo points: the first program less the
/// second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hypotheses {
    /// The difference under hypothesis H0.
    pub elo0: f64,
    pub elo1: f64,
}

/// The decision of a test so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Decision {
    /// H0: the difference is nearer to `elo0`.
    H0,
    /// H1: the difference is nearer to `elo1`.
    H1,
    /// More blocks are needed.
    #[serde(rename = "undecided")]
    Undecided,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Decision::H0 => "H0, the difference is nearer to the first",
            Decision::H1 => "H1, the difference is nearer to the second",
            Decision::Undecided => "undecided",
        })
    }
}

/// The reasons why a test cannot be made, or a block not be added.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SprtError {
    #[error("\"{0}\": expected elo0,elo1: two differences in Elo points, such as 0,10")]
    Text(String),
    #[error("elo0 {elo0}, elo1 {elo1}: expected numbers from -4000 to 4000, the first the smaller")]
    Elo { elo0: f64, elo1: f64 },
    #[error("{name} {value}: expected a chance above 0 and below 0.5")]
    Risk { name: &'static str, value: f64 },
    /// The block is empty, a game in it is no ranking, or its games have different line-ups.
    #[error(transparent)]
    Outcome(#[from] OutcomeError),
    /// All seats are the first program's, or none is: the block compares nothing.
    #[error("line-up {0:?}: expected seats of both programs")]
    OneProgram(Vec<usize>),
}

impl Hypotheses {
    /// Checks the two differences.
    ///
    /// # Errors
    /// If the first is not smaller than the second, or they are not within 4,000 of 0.
    pub fn new(elo0: f64, elo1: f64) -> Result<Hypotheses, SprtError> {
        let within = |elo: f64| elo.abs() <= 4000.0;
        if elo0 < elo1 && within(elo0) && within(elo1) {
            Ok(Hypotheses { elo0, elo1 })
        } else {
            Err(SprtError::Elo { elo0, elo1 })
        }
    }
}

impl FromStr for Hypotheses {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Hypotheses, SprtError> {
        let number = |part: &str| part.trim().parse().ok();
        let (elo0, elo1) = text
            .split_once(',')
            .and_then(|(first, second)| Some((number(first)?, number(second)?)))
            .ok_or_else(|| SprtError::Text(text.to_owned()))?;
        Hypotheses::new(elo0, elo1)
    }
}

/// The seats and games of a block. Blocks of one shape have the same possible scores, and share a
/// distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    own: usize,
    players: usize,
    games: u64,
}

/// A running test. The order of the blocks does not change its ratio. Nevertheless they must be added
/// in an order fixed beforehand: if blocks counted as soon as they end, quick games would decide when
/// the test stops.
#[derive(Clone, Debug, PartialEq)]
pub struct Sprt {
    hypotheses: Hypotheses,
    /// H0 is accepted at this log likelihood ratio or below.
    lower: f64,
    /// H1 is accepted at this log likelihood ratio or above.
    upper: f64,
    /// How often each score occurred, in parts of a win (see [`Outcome`]).
    scores: BTreeMap<Shape, BTreeMap<u64, u64>>,
}

/// The state of a test, for output.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct State {
    /// The two differences, in Elo points.
    #[serde(flatten)]
    pub hypotheses: Hypotheses,
    pub blocks: u64,
    /// The log likelihood ratio of H1 over H0.
    pub llr: f64,
    /// At or below this, H0 is accepted.
    pub lower: f64,
    /// At or above this, H1 is accepted.
    pub upper: f64,
    pub decision: Decision,
}

impl Sprt {
    /// A test that accepts H1 wrongly with a probability of about `alpha`, and H0 wrongly with
    /// about `beta` (Wald 1945).
    ///
    /// # Errors
    /// If the differences are not in order, or a chance is not above 0 and below 0.5.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let hypotheses = Hypotheses::new(elo0, elo1)?;
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Risk { name, value });
            }
        }
        Ok(Sprt {
            hypotheses,
            // Wald's bounds. Where H1 is accepted, the scores are `exp(upper)` times as likely
            // under H1 as under H0. All sequences that end there have the probability `1 - beta`
            // under H1 and `alpha` under H0, so `exp(upper) = (1 - beta) / alpha`.
            lower: (beta / (1.0 - alpha)).ln(),
            upper: ((1.0 - beta) / alpha).ln(),
            scores: BTreeMap::new(),
        })
    }

    /// Adds a block. `first` is the first program; all other seats count as the second's.
    ///
    /// # Errors
    /// If a game is no ranking of 2 to 6 players, or the programs do not both have seats, the same
    /// number in all games; nothing is added then.
    pub fn push(&mut self, block: &[Outcome], first: usize) -> Result<(), SprtError> {
        let seats = |outcome: &Outcome| {
            let own = outcome.seats.iter().filter(|&&p| p == first).count();
            (own, outcome.seats.len())
        };
        // A block of one line-up has the same seats of both programs in all its games.
        let front = block.first().ok_or(OutcomeError::Empty)?;
        let (own, players) = seats(front);
        if own == 0 || own == players {
            return Err(SprtError::OneProgram(front.seats.clone()));
        }
        // Counted in whole parts of a win, so that equal scores are the same key.
        let mut score = 0;
        for outcome in block {
            if seats(outcome) != (own, players) {
                return Err(SprtError::Outcome(OutcomeError::Mixed {
                    first: front.seats.clone(),
                    other: outcome.seats.clone(),
                }));
            }
            score += outcome.win_parts(first)?;
        }
        let shape = Shape {
            own,
            players,
            games: block.len() as u64,
        };
        let scores = self.scores.entry(shape).or_default();
        *scores.entry(score).or_default() += 1;
        Ok(())
    }

    /// The log likelihood ratio of H1 over H0.
    pub fn llr(&self) -> f64 {
        // The ratio is computed anew from the counts each time. That takes few steps, since blocks
        // of one shape and score share a count, and leaves no rounding behind from block to block.
        let Hypotheses { elo0, elo1 } = self.hypotheses;
        // The likelihood of a hypothesis is that of the best distribution with its mean. The
        // unrestricted maximum is in both terms and cancels.
        let ratio = |(shape, scores): (&Shape, &BTreeMap<u64, u64>)| {
            let scores = shape.distribution(scores);
            likelihood(&scores, shape.expected(elo1)) - likelihood(&scores, shape.expected(elo0))
        };
        self.scores.iter().map(ratio).sum()
    }

    /// The decision after the blocks so far.
    pub fn decision(&self) -> Decision {
        match self.llr() {
            llr if llr >= self.upper => Decision::H1,
            llr if llr <= self.lower => Decision::H0,
            _ => Decision::Undecided,
        }
    }

    pub fn state(&self) -> State {
        State {
            hypotheses: self.hypotheses,
            blocks: self.scores.values().flat_map(BTreeMap::values).sum(),
            llr: self.llr(),
            lower: self.lower,
            upper: self.upper,
            decision: self.decision(),
        }
    }
}

impl Shape {
    /// The expected score of an Elo difference.
    fn expected(self, elo: f64) -> f64 {
        // `a w`, then `a w / (a w + b)`. Two players, 400 points apart: 10 / 11.
        let own = self.own as f64 * 10f64.powf(elo / 400.0);
        own / (own + (self.players - self.own) as f64)
    }

    /// The scores as shares from 0 to 1, each with the number of its blocks. Scores that did not
    /// occur are included, half a game apart.
    fn distribution(self, scores: &BTreeMap<u64, u64>) -> Vec<(f64, f64)> {
        let all = self.games * Outcome::WHOLE;
        let possible = (0..=2 * self.games).map(|halves| halves * Outcome::WHOLE / 2);
        let mut times: BTreeMap<u64, f64> = possible.map(|score| (score, UNSEEN)).collect();
        // Real counts replace the small ones. A score between the halves, as when three winners
        // share a win by thirds, is added.
        times.extend(scores.iter().map(|(&score, &n)| (score, n as f64)));
        let share = |score| score as f64 / all as f64;
        times.into_iter().map(|(s, n)| (share(s), n)).collect()
    }
}

/// The greatest log likelihood of these scores under a distribution with the given mean, less that
/// under any distribution (Van den Bergh, proposition 1.1). Scores must reach from 0 to 1, and the
/// mean must lie between.
///
/// Without a restriction the likeliest chances are `p_i = n_i / N`. With the mean `m` they are
/// `p_i = (n_i / N) / (1 + x (s_i − m))`, where Lagrange's multiplier `x` solves
/// `Σ p_i (s_i − m) = 0`. The difference of the log likelihoods is `−Σ n_i ln(1 + x (s_i − m))`.
fn likelihood(scores: &[(f64, f64)], mean: f64) -> f64 {
    // `N` times the condition on the mean. It falls as `x` grows, so bisection finds its only zero.
    let excess = |x: f64| -> f64 {
        let terms = scores.iter();
        terms
            .map(|&(s, n)| n * (s - mean) / (1.0 + x * (s - mean)))
            .sum()
    };
    // All chances are positive where `1 + x (s − m) > 0`. The scores 1 and 0 are the ends of the
    // range, and give these bounds.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    loop {
        let x = (low + high) / 2.0;
        // Bisect until no number lies between: the result has no tolerance to choose, and is the
        // same everywhere.
        if x <= low || x >= high {
            break;
        }
        if excess(x) > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    let x = (low + high) / 2.0;
    let terms = scores.iter();
    -terms
        .map(|&(s, n)| n * (x * (s - mean)).ln_1p())
        .sum::<f64>()
}

#[cfg(test)]
mod tests;
