//! Choosing the best of several candidates from noisy samples taken on common random worlds.
//!
//! A *world* is one sampled way in which everything hidden may be. A search plays all candidates on a world, books
//! their values by [`Race::record`], and goes on with the candidates that [`Race::drop_beaten`] leaves.
//!
//! Two candidates are compared by the differences of their values on the same worlds (common random
//! numbers). Var(a - b) = Var a + Var b - 2 Cov(a, b), and luck that helps both makes the covariance large,
//! so the differences vary far less than the values.
//!
//! With mean difference *d* over *n* worlds and its standard error *e*, a candidate leaves the race if
//! *d* - confidence · *e* > -negligible (racing, Maron and Moore 1994): even with the errors in its favour it
//! would be better than the leader by no more than a negligible amount.
//!
//! For example, with confidence 3 and negligible 0.001 a candidate that is behind by 0.02 ± 0.01 stays, and
//! one that is behind by 0.02 ± 0.005 leaves.

/// Sums over all worlds so far, for each candidate and each pair of candidates.
#[derive(Clone, Debug, PartialEq)]
pub struct Race {
    /// For each candidate, whether it is still in the race.
    racing: Vec<bool>,
    /// For each candidate the number of its values, their sum, and the sum of their squares.
    samples: Vec<u32>,
    sums: Vec<f64>,
    squares: Vec<f64>,
    /// For each pair of candidates, row-major: sums of differences and of their squares, and how
    /// many worlds they cover.
    pairs: Vec<Pair>,
}

/// Sums over the worlds on which both candidates of a pair were tried.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Pair {
    worlds: u32,
    sum: f64,
    squares: f64,
}

/// The rule by which a candidate leaves the race.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// By how many standard errors the leader must be ahead.
    pub confidence: f64,
    /// The largest gain that is not worth searching for, in the unit of the values.
    pub negligible: f64,
    /// Nobody is dropped before this number of common worlds: the standard error of a few is unreliable.
    pub at_least: u32,
}

impl Race {
    /// A race of `candidates`, none of them sampled.
    pub fn new(candidates: usize) -> Race {
        Race {
            racing: vec![true; candidates],
            samples: vec![0; candidates],
            sums: vec![0.0; candidates],
            squares: vec![0.0; candidates],
            pairs: vec![Pair::default(); candidates * candidates],
        }
    }

    /// The candidates still in the race, in order.
    pub fn racing(&self) -> Vec<usize> {
        (0..self.racing.len()).filter(|&i| self.racing[i]).collect()
    }

    /// Books the values of some candidates on one world. `values` are in the order of `candidates`.
    pub fn record(&mut self, candidates: &[usize], values: &[f32]) {
        let width = self.racing.len();
        for (&a, &value) in candidates.iter().zip(values) {
            let value = f64::from(value);
            self.samples[a] += 1;
            self.sums[a] += value;
            self.squares[a] += value * value;
            // Both orders of a pair are booked, and each candidate with itself, so that a lookup needs no case
            // distinction.
            for (&b, &other) in candidates.iter().zip(values) {
                let difference = value - f64::from(other);
                let pair = &mut self.pairs[a * width + b];
                pair.worlds += 1;
                pair.sum += difference;
                pair.squares += difference * difference;
            }
        }
    }

    /// The number of worlds on which a candidate was tried.
    pub fn samples(&self, candidate: usize) -> u32 {
        self.samples[candidate]
    }

    /// A candidate's mean and its standard error; none before the second sample.
    pub fn mean(&self, candidate: usize) -> Option<(f64, f64)> {
        estimate(
            self.samples[candidate],
            self.sums[candidate],
            self.squares[candidate],
        )
    }

    /// How much better `one` was than `other` on the worlds on which both were tried: the mean difference and its
    /// standard error; none before the second such world.
    pub fn lead(&self, one: usize, other: usize) -> Option<(f64, f64)> {
        let pair = self.pairs[one * self.racing.len() + other];
        estimate(pair.worlds, pair.sum, pair.squares)
    }

    /// Drops the candidates that the rule excludes. `leader` stays.
    pub fn drop_beaten(&mut self, leader: usize, rule: Rule) {
        let width = self.racing.len();
        for candidate in self.racing() {
            let pair = self.pairs[leader * width + candidate];
            if candidate == leader || pair.worlds < rule.at_least {
                continue;
            }
            let Some((lead, error)) = estimate(pair.worlds, pair.sum, pair.squares) else {
                continue;
            };
            // The left side is the least by which the leader is probably ahead. If it is above -negligible, the
            // candidate could gain no more than a negligible amount.
            if lead - rule.confidence * error > -rule.negligible {
                self.racing[candidate] = false;
            }
        }
    }
}

/// The mean of some numbers and its standard error, from their count, sum and sum of squares; none for fewer than two.
fn estimate(samples: u32, sum: f64, squares: f64) -> Option<(f64, f64)> {
    if samples < 2 {
        return None;
    }
    let count = f64::from(samples);
    let mean = sum / count;
    // The variance of a sample, Σ (x - mean)² / (n - 1). Rounding may make the difference slightly negative.
    let variance = ((squares - sum * mean) / (count - 1.0)).max(0.0);
    Some((mean, (variance / count).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng;

    const RULE: Rule = Rule {
        confidence: 3.0,
        negligible: 0.001,
        at_least: 16,
    };

    #[test]
    fn common_noise_cancels() {
        let mut race = Race::new(3);
        let mut rng = rng::stream(1, 0);
        for _ in 0..32 {
            let noise = rng::unit(&mut rng) as f32;
            race.record(&[0, 1, 2], &[noise, noise + 0.01, noise - 0.2]);
        }
        let (lead, error) = race.lead(1, 2).unwrap();
        assert!((lead - 0.21).abs() < 1e-6 && error < 1e-6, "{lead} {error}");
        race.drop_beaten(1, RULE);
        assert_eq!(race.racing(), [1]);
        assert!(race.mean(1).unwrap().1 > 0.02, "single values stay noisy");
    }

    #[test]
    fn equals_stay_until_the_difference_is_known_to_be_small() {
        let mut race = Race::new(2);
        for world in 0..64 {
            let noise = if world % 2 == 0 { 0.1 } else { -0.1 };
            race.record(&[0, 1], &[0.5, 0.5 + noise]);
        }
        race.drop_beaten(0, RULE);
        assert_eq!(race.racing(), [0, 1]);
    }

    /// 1, 2, 3, 4: the mean, and its standard error from the variance of a sample.
    #[test]
    fn the_error_of_a_mean_is_that_of_a_sample() {
        let mut race = Race::new(2);
        race.record(&[0], &[1.0]);
        assert_eq!(race.mean(0), None, "one sample has no error");
        for value in [2.0, 3.0, 4.0] {
            race.record(&[0], &[value]);
        }
        let (mean, error) = race.mean(0).unwrap();
        assert_eq!((mean, race.samples(0)), (2.5, 4));
        assert!(
            (error - (5.0f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12,
            "{error}"
        );
        assert_eq!((race.mean(1), race.lead(0, 1)), (None, None));
    }

    /// A race of two candidates with the same difference on every world.
    fn apart(difference: f32, worlds: u32) -> Race {
        let mut race = Race::new(2);
        for _ in 0..worlds {
            race.record(&[0, 1], &[0.5, 0.5 + difference]);
        }
        race
    }

    /// A candidate is out if it could be better only by a negligible amount; if it could be better by more, it stays.
    #[test]
    fn what_is_negligible_is_not_searched_for() {
        for (gain, stays) in [
            (0.0, false),
            (0.0005, false),
            (0.002, true),
            (-0.002, false),
        ] {
            let mut race = apart(gain, 64);
            race.drop_beaten(0, RULE);
            assert_eq!(race.racing().len() == 2, stays, "a gain of {gain}");
        }
    }

    /// No candidate is dropped before there are enough worlds, and then it is dropped at once.
    #[test]
    fn nobody_is_dropped_on_too_few_worlds() {
        for (worlds, left) in [(2, 2), (15, 2), (16, 1), (17, 1)] {
            let mut race = apart(-0.4, worlds);
            race.drop_beaten(0, RULE);
            assert_eq!(race.racing().len(), left, "after {worlds} worlds");
        }
        let mut race = apart(-0.4, 64);
        race.drop_beaten(1, RULE);
        assert_eq!(
            race.racing(),
            [0, 1],
            "the leader stays, and so does who is better"
        );
    }

    #[test]
    fn values_belong_to_the_candidates_that_were_tried() {
        let mut same = Race::new(3);
        same.record(&[2, 0], &[0.25, 0.75]);
        assert_eq!((same.samples(2), same.samples(1)), (1, 0));
        same.record(&[2, 0], &[0.5, 0.5]);
        assert_eq!(same.lead(0, 2).unwrap().0, 0.25);
        assert_eq!(same.lead(2, 0).unwrap().0, -0.25);
    }
}
