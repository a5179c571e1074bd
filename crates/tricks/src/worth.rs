//! What a search plays for: points, or the game.

use super::standing::{Pace, Standing};
use super::{MAX_PLAYERS, PolicySet, Round as _, View};

/// What a search plays for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aim {
    /// To win the game that the round belongs to, if that is known; else for points.
    #[default]
    Game,
    /// For points, whatever the standing.
    Points,
}

/// What finished rounds are worth to a seat, in points.
///
/// In a game it is mostly the chance to win it, scaled so that over a few typical results its mean and standard deviation are those of
/// the points' value. So thresholds that are given in points keep their meaning, and far from the end of a game
/// the worth is about that value. Where nothing that may happen in the round matters to the game, the points count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    seat: usize,
    game: Option<InGame>,
}

/// The worth is `points × the points' value + slope × chance + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct InGame {
    standing: Standing,
    pace: Pace,
    points: f32,
    slope: f32,
    offset: f32,
}

/// The standard deviation of the chance, over typical results, at which the chance counts as much as the points.
const NOTHING: f64 = 0.002;
/// How often one player takes everything, for each of the other results.
const SWEEPS: f64 = 0.01;

impl Worth {
    /// Of the round that a viewer looks at.
    pub fn new<P: PolicySet>(view: &View<P::Round>, aim: Aim) -> Worth {
        let standing = view.round().standing().filter(|_| aim == Aim::Game);
        Worth {
            seat: view.seat(),
            game: standing.map(|standing| in_game::<P>(standing, view.seat())),
        }
    }

    /// Of a finished round.
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

fn in_game<P: PolicySet>(standing: Standing, seat: usize) -> InGame {
    let players = usize::from(standing.players);
    let pace = P::pace(players);
    // Weights, and sums of both values and of their squares.
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
    // Half of a player's mean, or all of it, goes to another.
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
    let others = (2 * players * (players - 1)) as f64;
    for sweeps in 0..players {
        let mut points = [pace.sweep[1]; MAX_PLAYERS];
        points[sweeps] = pace.sweep[0];
        add(SWEEPS * others, &points);
    }
    let [(value, value_deviates), (chance, chance_deviates)] = sums.map(|[sum, squares]| {
        let mean = sum / all;
        (mean, (squares / all - mean * mean).max(0.0).sqrt())
    });
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
