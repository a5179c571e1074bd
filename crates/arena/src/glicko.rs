//! Ratings that are updated after every game: Glicko (M. E. Glickman, "Parameter estimation in large
//! dynamic paired comparison experiments", Applied Statistics 48, 1999), with one game per rating period.
//! Ratings seed the final and choose opponents, so they use only operations with the same results on every
//! machine.

use engine::numerics::pow;
use std::f64::consts::{LN_10, PI};

/// A rating and how uncertain it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The strength on the scale of Elo: 400 points more are odds of ten to one.
    pub value: f64,
    /// The standard deviation of `value` as an estimate of the true strength (RD in the paper).
    pub deviation: f64,
}

impl Default for Rating {
    fn default() -> Rating {
        // The paper's values for a player without games.
        Rating {
            value: 1500.0,
            deviation: 350.0,
        }
    }
}

/// The least deviation. Without it a rating would hardly move after many games, but a team may replace
/// its program.
const LEAST_DEVIATION: f64 = 30.0;
/// The paper's q: the natural logarithm of the odds that one point of rating is worth.
const Q: f64 = LN_10 / 400.0;

/// The factor g ≤ 1 by which a result counts less if the opponent's rating is uncertain: g = 1 / sqrt(1 +
/// 3 q² RD² / π²), with RD the opponent's deviation. It is 1 for RD = 0 and 0.669 for RD = 350.
fn damping(deviation: f64) -> f64 {
    let ratio = Q * deviation / PI;
    1.0 / (1.0 + 3.0 * ratio * ratio).sqrt()
}

impl Rating {
    /// The probability of winning against an opponent: E = 1 / (1 + 10^(−g (r − r_opponent) / 400)).
    pub fn expected(&self, opponent: &Rating) -> f64 {
        let g = damping(opponent.deviation);
        1.0 / (1.0 + pow(10.0, -g * (self.value - opponent.value) / 400.0))
    }

    /// The rating after a game against an opponent; `score` is 1 for a win and 0 for a loss. Two new
    /// ratings, 1500 ± 350, become 1662 ± 290 and 1338 ± 290.
    #[must_use]
    pub fn after(&self, opponent: &Rating, score: f64) -> Rating {
        let g = damping(opponent.deviation);
        let expected = self.expected(opponent);
        // The Fisher information of one game, 1/d² in the paper: largest between equals (E = 1/2).
        let information = Q * Q * g * g * expected * (1.0 - expected);
        // Precisions (inverse variances) add, as for a normal prior and a normal likelihood.
        let precision = 1.0 / (self.deviation * self.deviation) + information;
        Rating {
            // Surprise (score − E), scaled by how uncertain the rating still is: certain ratings move little.
            value: self.value + Q / precision * g * (score - expected),
            deviation: precision.sqrt().recip().max(LEAST_DEVIATION),
        }
    }
}

/// Both ratings after a game that the first one won.
pub fn after_win(winner: &Rating, loser: &Rating) -> (Rating, Rating) {
    (winner.after(loser, 1.0), loser.after(winner, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factors of the paper's worked example: g(30) = 0.9955 and E = 0.639 for 1500 against
    /// 1400 with deviation 30.
    #[test]
    fn the_papers_example() {
        let player = Rating {
            value: 1500.0,
            deviation: 200.0,
        };
        let opponent = Rating {
            value: 1400.0,
            deviation: 30.0,
        };
        assert!((damping(30.0) - 0.9955).abs() < 1e-4);
        assert!((player.expected(&opponent) - 0.639).abs() < 1e-3);
    }

    #[test]
    fn wins_raise_and_games_make_sure() {
        let (winner, loser) = after_win(&Rating::default(), &Rating::default());
        assert!(winner.value > 1500.0 && loser.value < 1500.0);
        assert!((winner.value + loser.value - 3000.0).abs() < 1e-9);
        assert!(winner.deviation < 350.0);
        let mut pair = (winner, loser);
        for _ in 0..1000 {
            // The two players win in turn.
            pair = after_win(&pair.1, &pair.0);
        }
        assert_eq!(pair.0.deviation, LEAST_DEVIATION);
    }
}
