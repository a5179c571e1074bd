//! The value of a hand at each score of the game, in chances to win the game.
//!
//! Training finds the [`Values`] of all scores. Players and solvers read from them the [`Stakes`] of the hand that
//! is played: the value of winning, losing or tying it.

use crate::rules::{DEFAULT_GOAL, PublicState, Seat, other};
use engine::numerics::ln;
use serde::{Deserialize, Serialize};

const GOAL: usize = DEFAULT_GOAL as usize;
/// Smaller chances are treated as this one, so that logarithms stay finite.
const LEAST: f32 = 1e-3;

/// The chances of a hand's opener to win the game after each outcome of the hand. An accepted challenge needs no
/// number: its winner has won the game, so it is worth 1 or 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stakes {
    /// After the opener won a point.
    pub won: f32,
    /// After the other won a point.
    pub lost: f32,
    /// After a tie. The score stays and the same player opens again, so it is the value of the hand itself.
    pub tied: f32,
}

impl Stakes {
    /// The opener's chance to win the game after a hand that is over or
    /// [settled](PublicState::settled).
    pub fn opener(&self, public: &PublicState) -> f32 {
        let opener_won = public.leader().map(|by| by == public.opener);
        self.outcome(opener_won, public.in_challenge())
    }

    /// The opener's chance to win the game after a hand: `opener_won` is none for a tie, `in_challenge` says
    /// whether an accepted challenge was on it.
    pub fn outcome(&self, opener_won: Option<bool>, in_challenge: bool) -> f32 {
        match (opener_won, in_challenge) {
            (None, _) => self.tied,
            (Some(won), true) => f32::from(u8::from(won)),
            (Some(true), false) => self.won,
            (Some(false), false) => self.lost,
        }
    }

    /// The value of a point: half the difference between winning and losing one.
    pub fn point(&self) -> f32 {
        (self.won - self.lost) / 2.0
    }

    /// A player's chance to win the game after a hand that is over or [settled](PublicState::settled).
    pub fn of(&self, public: &PublicState, seat: Seat) -> f32 {
        let value = self.opener(public);
        if seat == public.opener {
            value
        } else {
            1.0 - value
        }
    }

    /// The three numbers that good play depends on. The first two are logarithms of how many points a challenge
    /// wins and loses: their ratio to a point says how often to bluff and to call. The third is half of how
    /// much more winning a point changes than losing one, in points.
    ///
    /// At 0 : 0 a challenge wins or loses 1/2; with a point worth 0.02 both are `ln 25`. If winning a point brings 0.03
    /// and losing one costs 0.01, a point is worth their mean, 0.02, and the third number is `(0.03 − 0.01) / 2 / 0.02`,
    /// that is 0.5.
    fn in_points(&self) -> [f32; 3] {
        // Values that are not solved yet may make a point worth nothing or less.
        let point = self.point().max(LEAST);
        let ratio = |chances: f32| ln(f64::from(chances.max(LEAST) / point)) as f32;
        let bend = (self.won + self.lost) / 2.0 - self.tied;
        [ratio(1.0 - self.tied), ratio(self.tied), bend / point]
    }

    /// How differently good players play two hand games: the Euclidean distance between these three numbers.
    pub fn distance(&self, other: &Stakes) -> f32 {
        // The first two are logarithms: a ratio of 2 is the same distance at small chances as at large ones.
        let both = self.in_points().into_iter().zip(other.in_points());
        let squares = both.map(|(one, other)| (one - other) * (one - other));
        squares.sum::<f32>().sqrt()
    }

    /// The hand game in `centres` that is nearest to this one: its index and its distance. `(0, f32::MAX)` if there
    /// is none.
    pub fn nearest(&self, centres: &[Stakes]) -> (usize, f32) {
        let distances = centres.iter().map(|centre| centre.distance(self));
        let nearest = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.unwrap_or((0, f32::MAX))
    }
}

/// The value of every score: the chance of the hand's opener to win the game, by its points and the other's before
/// the hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Values(Vec<f32>);

impl Default for Values {
    fn default() -> Values {
        Values(vec![0.5; GOAL * GOAL])
    }
}

impl Values {
    /// The opener's chance at a score. A player with ten points has won.
    pub fn get(&self, own: u8, theirs: u8) -> f32 {
        match (usize::from(own), usize::from(theirs)) {
            (GOAL.., _) => 1.0,
            (_, GOAL..) => 0.0,
            (own, theirs) => self.0[own * GOAL + theirs],
        }
    }

    /// Sets the opener's chance at a score below ten points each.
    pub fn set(&mut self, own: u8, theirs: u8, value: f32) {
        self.0[usize::from(own) * GOAL + usize::from(theirs)] = value;
    }

    /// The stakes of the hand at a score: the opener's points and the other's.
    pub fn stakes(&self, own: u8, theirs: u8) -> Stakes {
        Stakes {
            won: self.get(own.saturating_add(1), theirs),
            // The winner of a hand opens the next one: after a lost point the value is the other's, from its side.
            lost: 1.0 - self.get(theirs.saturating_add(1), own),
            tied: self.get(own, theirs),
        }
    }

    /// The stakes of a hand that `opener` opens. `points` is the score before it, by seat.
    pub fn stakes_for(&self, points: [u8; 2], opener: Seat) -> Stakes {
        self.stakes(points[opener], points[other(opener)])
    }

    /// All scores before a hand, from 9 : 9 by falling sums of points. So every score comes after those that can
    /// follow it in a game.
    pub fn order() -> impl Iterator<Item = (u8, u8)> {
        let top = DEFAULT_GOAL - 1;
        (0..=2 * top).rev().flat_map(move |sum| {
            (sum.saturating_sub(top)..=sum.min(top)).map(move |own| (own, sum - own))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn scores_come_after_their_successors() {
        let mut seen = HashSet::new();
        for (own, theirs) in Values::order() {
            assert!(own == 9 || seen.contains(&(own + 1, theirs)));
            assert!(theirs == 9 || seen.contains(&(theirs + 1, own)));
            seen.insert((own, theirs));
        }
        assert_eq!(seen.len(), 100);
    }

    /// Points are compared by the ratio of their worths: 0.04 is nearer to 0.07 than to 0.02. At another score the
    /// hand game is a different one, even if its point is worth the same.
    #[test]
    fn hand_games_are_told_apart_by_what_a_point_is_worth() {
        let level = |point: f32| Stakes {
            won: 0.5 + point,
            lost: 0.5 - point,
            tied: 0.5,
        };
        let centres = [level(0.02), level(0.07)];
        assert_eq!(level(0.03).nearest(&centres).0, 0);
        assert_eq!(level(0.04).nearest(&centres).0, 1);
        assert_eq!(level(0.11).nearest(&centres).0, 1);
        let ahead = Stakes {
            won: 0.97,
            lost: 0.93,
            tied: 0.95,
        };
        assert_eq!(ahead.distance(&ahead), 0.0);
        assert!(ahead.distance(&level(0.02)) > level(0.02).distance(&level(0.07)));
        assert_eq!(ahead.distance(&level(0.02)), level(0.02).distance(&ahead));
    }

    #[test]
    fn at_nine_points_a_point_is_the_game() {
        let stakes = Values::default().stakes(9, 9);
        assert_eq!((stakes.won, stakes.lost), (1.0, 0.0));
    }
}
