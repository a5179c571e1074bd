//! The value of finished rounds to a search: points, or the chance to win the game.
//!
//! A round that belongs to a game has a `Standing`: the totals before it, when the game ends, and
//! whether high or low totals win. `Standing::chance` is a seat's chance to win with the points of a
//! round added; it is 1 or 0 if that ends the game. The chance is scaled to points once a decision, so
//! that the thresholds of the search keep their meaning. Without a game, and with the setting
//! `search,points`, the worth is the points' value alone. Tests check that the chances sum to one, follow
//! the totals and not the seats, rise with points where points are good, and agree with games that are
//! played out.

use super::standing::{Pace, Standing};
use super::{MAX_PLAYERS, PolicySet, Round as _, View};

/// The goal of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aim {
    /// To win the game that the round belongs to, if that is known; else to make points.
    #[default]
    Game,
    /// To make points, whatever the standing.
    Points,
}

/// The value of finished rounds to a seat, in points.
///
/// In a game it is mostly the chance to win it, scaled to points once a decision: over a few typical results,
/// the scaled chance has the mean and about the standard deviation of the points' value. So thresholds in
/// points keep their meaning for the search, and far from the end of a game the worth is about that value.
/// If no result of the round matters to the game, the points decide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    seat: usize,
    game: Option<InGame>,
}

/// The worth is points × value + slope × chance + offset.
///
/// With σ for standard deviations over typical results, V for the points' value, C for the chance and f for
/// [`Pace::points`], the points' least part,
///
/// - part = (1 - f) σ(C) / (σ(C) + ε), the part of the chance in the worth,
/// - points = 1 - part,
/// - slope = (1 - f) σ(V) / (σ(C) + ε), which brings the chance to the points' scale,
/// - offset = part × mean(V) - slope × mean(C), which leaves the mean where it was.
///
/// The constant ε is [`NOTHING`]. If σ(C) is far above it, the chance has the part 1 - f. If all chances are
/// equal, σ(C) = 0, the part is 0, and the points decide.
///
/// For example, with f = 0.25, σ(V) = 4 points, σ(C) = 0.018 and ε = 0.002 the part is 0.75 · 0.018 / 0.020 = 0.675, points
/// is 0.325, and the slope is 0.75 · 4 / 0.020 = 150 points.
#[derive(Clone, Copy, Debug, PartialEq)]
struct InGame {
    standing: Standing,
    pace: Pace,
    points: f32,
    slope: f32,
    offset: f32,
}

/// The standard deviation of the chance, over typical results, at which its part in the worth is half of the
/// largest.
const NOTHING: f64 = 0.002;
/// A *sweep* is a result in which one player takes everything. This is the weight of the sweep by a given player, as
/// a part of the weight of all results without a sweep.
const SWEEPS: f64 = 0.01;

impl Worth {
    /// The worth of results of the round that a viewer looks at.
    pub fn new<P: PolicySet>(view: &View<P::Round>, aim: Aim) -> Worth {
        let standing = view.round().standing().filter(|_| aim == Aim::Game);
        Worth {
            seat: view.seat(),
            game: standing.map(|standing| in_game::<P>(standing, view.seat())),
        }
    }

    /// The worth of a finished round.
    #[inline]
    pub fn of<P: PolicySet>(&self, round: &P::Round) -> f32 {
        let scores = round.scores().map(f32::from);
        let value = P::points_value(&scores[..round.players()], self.seat);
        match &self.game {
            None => value,
            Some(game) => {
                let chance = game.standing.chance(&scores, self.seat, &game.pace);
                game.points * value + game.slope * chance + game.offset
            }
        }
    }
}

/// Scales the chance to win to points, over typical results of a round.
fn in_game<P: PolicySet>(standing: Standing, seat: usize) -> InGame {
    let players = usize::from(standing.players);
    let pace = P::pace(players);
    // Sums over the typical results: of the weights, and of both values and of their squares.
    let mut all = 0.0;
    let mut sums = [[0.0; 2]; 2];
    let mut add = |weight: f64, points: &[f32; MAX_PLAYERS]| {
        let value = P::points_value(&points[..players], seat);
        let chance = standing.chance(points, seat, &pace);
        all += weight;
        for (sums, value) in sums.iter_mut().zip([value, chance].map(f64::from)) {
            sums[0] += weight * value;
            sums[1] += weight * value * value;
        }
    };
    // Typical results: everybody has the mean, but one player has half of it or all of it more, and another one has
    // as much less.
    for gains in 0..players {
        for loses in (0..players).filter(|&loses| loses != gains) {
            for part in [0.5, 1.0] {
                let mut points = [pace.mean; MAX_PLAYERS];
                points[gains] += part * pace.mean;
                points[loses] -= part * pace.mean;
                add(1.0, &points);
            }
        }
    }
    // Beside them the results in which one player takes everything. There are n (n - 1) pairs above, each with
    // two parts.
    let others = (2 * players * (players - 1)) as f64;
    for sweeps in 0..players {
        let mut points = [pace.sweep[1]; MAX_PLAYERS];
        points[sweeps] = pace.sweep[0];
        add(SWEEPS * others, &points);
    }
    // Mean and standard deviation, from the sum and the sum of squares. Rounding may make the variance
    // negative.
    let [(value, value_deviates), (chance, chance_deviates)] = sums.map(|[sum, squares]| {
        let mean = sum / all;
        (mean, (squares / all - mean * mean).max(0.0).sqrt())
    });
    // The formulas are those of `InGame`.
    let points = f64::from(pace.points);
    let part = (1.0 - points) * chance_deviates / (chance_deviates + NOTHING);
    let slope = (1.0 - points) * value_deviates / (chance_deviates + NOTHING);
    InGame {
        standing,
        pace,
        points: (1.0 - part) as f32,
        slope: slope as f32,
        offset: (part * value - slope * chance) as f32,
    }
}
