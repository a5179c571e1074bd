//! The values of all scores, and the hand games that stand for them: the first step of `lab challenge solve`.

use super::trainer::Trainer;
use challenge::equilibrium::{Stakes, Values};
use engine::rng::stream;

/// The share of regrets and sums that one score passes on to the next: neighbouring scores have similar strategies,
/// and the rest is forgotten.
const KEPT: f32 = 0.2;
/// Deals of the first score, relative to the others: it starts from nothing.
const FIRST: u64 = 10;

/// A dynamic program over the scores, from 9 : 9 down to 0 : 0. A hand's stakes are values of later
/// scores, which are known by then. One trainer solves the hand games one after the other.
pub struct Sweep {
    values: Values,
    trainer: Trainer,
    deals: u64,
}

impl Sweep {
    /// Plays `deals` deals a score.
    pub fn new(deals: u64, seed: u64) -> Sweep {
        let values = Values::default();
        let trainer = Trainer::new(values.stakes(9, 9), stream(seed, 0));
        Sweep {
            values,
            trainer,
            deals,
        }
    }

    /// Finds the value of every score. Calls `found` with each score and its value.
    pub fn run(mut self, mut found: impl FnMut(u8, u8, f32)) -> Values {
        for (own, theirs) in Values::order() {
            let mut stakes = self.values.stakes(own, theirs);
            // After a tie another hand is played at the same score, so a tie has the value of the
            // hand, which is not known yet: start half way between winning and losing. The trainer
            // moves it.
            stakes.tied = (stakes.won + stakes.lost) / 2.0;
            self.trainer.turn_to(stakes, KEPT);
            let first = if (own, theirs) == (9, 9) { FIRST } else { 1 };
            self.trainer.play(self.deals * first / 2);
            // The first half of the deals adapts the strategy, the second measures the value.
            let value = self.trainer.play(self.deals * first / 2);
            self.values.set(own, theirs, value);
            found(own, theirs, value);
        }
        self.values
    }
}

/// Chooses the hand games that stand for all others: `count` scores by k-medoids, starting from
/// scores far from each other. Each chosen score is the member of its group with the least total distance to
/// the others, in which frequent scores weigh more.
pub fn centres(values: &Values, count: usize) -> Vec<Stakes> {
    let scores: Vec<(u8, u8)> = Values::order().collect();
    let all: Vec<Stakes> = scores
        .iter()
        .map(|&(own, theirs)| values.stakes(own, theirs))
        .collect();
    let frequencies: Vec<f32> = scores.iter().map(|&score| frequency(score)).collect();
    let mut centres = vec![all[all.len() - 1]];
    // Farthest point first: each new centre is the score that is farthest from all centres so far.
    while centres.len() < count.min(all.len()) {
        let far = |stakes: &&Stakes| stakes.nearest(&centres).1;
        let Some(&farthest) = all.iter().max_by(|a, b| far(a).total_cmp(&far(b))) else {
            break;
        };
        centres.push(farthest);
    }
    // Assign every score to its nearest centre, then move each centre within its group, 20 times.
    for _ in 0..20 {
        let groups: Vec<usize> = all.iter().map(|s| s.nearest(&centres).0).collect();
        for (number, centre) in centres.iter_mut().enumerate() {
            let members = || (0..all.len()).filter(|&score| groups[score] == number);
            let cost = |centre: usize| -> f32 {
                let costs = members().map(|m| frequencies[m] * all[m].distance(&all[centre]));
                costs.sum()
            };
            if let Some(best) = members().min_by(|&a, &b| cost(a).total_cmp(&cost(b))) {
                *centre = all[best];
            }
        }
    }
    centres
}

/// The approximate frequency of a score in a game: `C(points, own) (0.9 / 2)^points`, if a point goes to
/// either player with equal probability and one hand in ten ends the game. For 1 : 1 it is 2 · 0.45² = 0.405.
fn frequency((own, theirs): (u8, u8)) -> f32 {
    const GOES_ON: f32 = 0.9;
    let points = own + theirs;
    let ways: f32 = (0..own)
        .map(|i| f32::from(points - i) / f32::from(i + 1))
        .product();
    ways * (GOES_ON / 2.0).powi(i32::from(points))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_centres_as_scores_leave_nothing_out() {
        let mut values = Values::default();
        for (number, (own, theirs)) in Values::order().enumerate() {
            values.set(own, theirs, 0.3 + 0.004 * number as f32);
        }
        let centres = centres(&values, 100);
        for (own, theirs) in Values::order() {
            assert_eq!(values.stakes(own, theirs).nearest(&centres).1, 0.0);
        }
        assert_eq!(super::centres(&values, 7).len(), 7);
    }
}
