//! The values of all scores, and which hand games stand for them.

use super::trainer::Trainer;
use challenge::equilibrium::{Stakes, Values};
use engine::rng::stream;

/// What of the regrets of one score is kept for the next.
const KEPT: f32 = 0.2;
/// Deals of the first score, relative to the others: it starts from nothing.
const FIRST: u64 = 10;

/// A dynamic program over the scores, from 9 : 9 down to 0 : 0, on one trainer that goes from hand
/// game to hand game.
pub struct Sweep {
    values: Values,
    trainer: Trainer,
    deals: u64,
}

impl Sweep {
    /// With so many deals a score.
    pub fn new(deals: u64, seed: u64) -> Sweep {
        let values = Values::default();
        let trainer = Trainer::new(values.stakes(9, 9), stream(seed, 0));
        Sweep {
            values,
            trainer,
            deals,
        }
    }

    /// Finds the value of every score; `found` is called with each score and its value.
    pub fn run(mut self, mut found: impl FnMut(u8, u8, f32)) -> Values {
        for (own, theirs) in Values::order() {
            let mut stakes = self.values.stakes(own, theirs);
            // A tie is worth what the hand is: about half of the way between winning and losing.
            stakes.tied = (stakes.won + stakes.lost) / 2.0;
            self.trainer.turn_to(stakes, KEPT);
            let first = if (own, theirs) == (9, 9) { FIRST } else { 1 };
            self.trainer.play(self.deals * first / 2);
            let value = self.trainer.play(self.deals * first / 2);
            self.values.set(own, theirs, value);
            found(own, theirs, value);
        }
        self.values
    }
}

/// The hand games that stand for all others: `count` scores, each the nearest of all to the others
/// around it (k-medoids, begun with the scores farthest from one another). Scores count by how often
/// they are seen.
pub fn centres(values: &Values, count: usize) -> Vec<Stakes> {
    let scores: Vec<(u8, u8)> = Values::order().collect();
    let all: Vec<Stakes> = scores
        .iter()
        .map(|&(own, theirs)| values.stakes(own, theirs))
        .collect();
    let frequencies: Vec<f32> = scores.iter().map(|&score| frequency(score)).collect();
    let mut centres = vec![all[all.len() - 1]];
    while centres.len() < count.min(all.len()) {
        let far = |stakes: &&Stakes| stakes.nearest(&centres).1;
        let Some(&farthest) = all.iter().max_by(|a, b| far(a).total_cmp(&far(b))) else {
            break;
        };
        centres.push(farthest);
    }
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

/// About how often a game comes to a score: a point goes to either player alike, and one hand in ten
/// ends the game.
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
