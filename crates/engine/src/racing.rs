//! Choosing the best of several candidates from noisy samples taken on common random worlds.
//!
//! Candidates are compared by their differences on the same worlds, whose variance is far below
//! that of the values themselves. A candidate leaves the race when the leader is better by more
//! than chance explains (racing, Maron and Moore 1994), or when it could be better by no more than
//! a negligible amount.

/// Sums over the worlds on which a set of candidates was tried together.
#[derive(Clone, Debug, PartialEq)]
pub struct Race {
    racing: Vec<bool>,
    past: Vec<Past>,
    samples: Vec<u32>,
    sums: Vec<f64>,
    squares: Vec<f64>,
    /// For each pair of candidates, row-major: sums of differences and of their squares, and how
    /// many worlds they cover.
    pairs: Vec<Pair>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Pair {
    worlds: u32,
    sum: f64,
    squares: f64,
}

/// Samples of a candidate that were taken elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Past {
    /// How many.
    pub samples: u32,
    /// Their sum.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
}

/// When a candidate is out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Standard errors by which the leader must be ahead.
    pub confidence: f64,
    /// The systematic error of a difference, as a share of its standard deviation: no number of worlds
    /// averages it out. Candidates that never differ are told apart all the same.
    pub bias: f64,
    /// A gain not worth searching for.
    pub negligible: f64,
    /// Worlds before anybody is dropped.
    pub at_least: u32,
}

impl Race {
    /// A race of `candidates`, none of them sampled.
    pub fn new(candidates: usize) -> Race {
        Race {
            racing: vec![true; candidates],
            past: vec![Past::default(); candidates],
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

    /// Books the values of some candidates on one world, in the order of `candidates`.
    pub fn record(&mut self, candidates: &[usize], values: &[f32]) {
        let width = self.racing.len();
        for (&a, &value) in candidates.iter().zip(values) {
            let value = f64::from(value);
            self.samples[a] += 1;
            self.sums[a] += value;
            self.squares[a] += value * value;
            for (&b, &other) in candidates.iter().zip(values) {
                let difference = value - f64::from(other);
                let pair = &mut self.pairs[a * width + b];
                pair.worlds += 1;
                pair.sum += difference;
                pair.squares += difference * difference;
            }
        }
    }

    /// Samples of a candidate.
    pub fn samples(&self, candidate: usize) -> u32 {
        self.samples[candidate]
    }

    /// A candidate's sum of values.
    pub fn sum(&self, candidate: usize) -> f64 {
        self.sums[candidate]
    }

    /// A candidate's sum of squared values.
    pub fn squares(&self, candidate: usize) -> f64 {
        self.squares[candidate]
    }

    /// A candidate's mean and its standard error; none before the second sample.
    pub fn mean(&self, candidate: usize) -> Option<(f64, f64)> {
        estimate(
            self.samples[candidate],
            self.sums[candidate],
            self.squares[candidate],
        )
    }

    /// How much better one candidate was than another on the worlds on which both were tried: the
    /// mean and its standard error; none before the second such world.
    pub fn lead(&self, one: usize, other: usize) -> Option<(f64, f64)> {
        let pair = self.pairs[one * self.racing.len() + other];
        estimate(pair.worlds, pair.sum, pair.squares)
    }

    /// Books what is remembered of a candidate from elsewhere: on worlds that are not common with
    /// the other candidates'.
    pub fn remember(&mut self, candidate: usize, past: Past) {
        self.past[candidate] = past;
    }

    /// Drops the candidates whose remembered samples alone show that they cannot matter: with
    /// enough of them, and less than the leader's by more than chance explains.
    pub fn drop_forgone(&mut self, rule: Rule) {
        let known = |past: &Past| {
            (past.samples >= rule.at_least)
                .then(|| estimate(past.samples, past.sum, past.squares))?
        };
        let best = self
            .past
            .iter()
            .filter_map(known)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((best, best_error)) = best else {
            return;
        };
        for candidate in self.racing() {
            let Some((mean, error)) = known(&self.past[candidate]) else {
                continue;
            };
            // Not `hypot`: the platform's differs from machine to machine, a square root does not.
            let both = (best_error * best_error + error * error).sqrt();
            if best - mean > rule.confidence * both {
                self.racing[candidate] = false;
            }
        }
    }

    /// Drops the candidates that by the rule cannot matter any more. `leader` stays.
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
            let deviation = error * f64::from(pair.worlds).sqrt();
            if lead - rule.confidence * error - rule.bias * deviation > -rule.negligible {
                self.racing[candidate] = false;
            }
        }
    }

    /// Takes a candidate out of the race.
    pub fn drop(&mut self, candidate: usize) {
        self.racing[candidate] = false;
    }
}

fn estimate(samples: u32, sum: f64, squares: f64) -> Option<(f64, f64)> {
    if samples < 2 {
        return None;
    }
    let count = f64::from(samples);
    let mean = sum / count;
    let variance = ((squares - sum * mean) / (count - 1.0)).max(0.0);
    Some((mean, (variance / count).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng;

    const RULE: Rule = Rule {
        confidence: 3.0,
        bias: 0.0,
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

    /// However many the worlds, a lead below the systematic error says nothing.
    #[test]
    fn a_bias_is_not_averaged_out() {
        let mut race = Race::new(2);
        for world in 0..4096 {
            let noise = if world % 2 == 0 { 0.1 } else { -0.1 };
            race.record(&[0, 1], &[0.5, 0.47 + noise]);
        }
        race.drop_beaten(0, Rule { bias: 0.4, ..RULE });
        assert_eq!(race.racing(), [0, 1]);
        race.drop_beaten(0, Rule { bias: 0.2, ..RULE });
        assert_eq!(race.racing(), [0]);
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
        assert_eq!((race.sum(0), race.squares(0)), (10.0, 30.0));
        assert_eq!((race.mean(1), race.lead(0, 1)), (None, None));
    }

    /// A race of two whose difference is the same on every world.
    fn apart(difference: f32, worlds: u32) -> Race {
        let mut race = Race::new(2);
        for _ in 0..worlds {
            race.record(&[0, 1], &[0.5, 0.5 + difference]);
        }
        race
    }

    /// Who could be better by less than is worth searching for is out; by more, stays.
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

    /// Nobody is dropped before there are enough worlds, and then at once.
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

    /// So many samples with this mean; each is `spread` away from it.
    fn past(samples: u32, mean: f64, spread: f64) -> Past {
        let count = f64::from(samples);
        Past {
            samples,
            sum: count * mean,
            squares: count * (mean * mean + spread * spread),
        }
    }

    /// What is remembered drops who is behind by more than both errors explain, if it is enough.
    #[test]
    fn what_is_remembered_can_decide() {
        // 100 samples that are 0.1 off have an error of about 0.01; two of them, of 0.0142.
        let left = |second: Past| {
            let mut race = Race::new(3);
            race.remember(0, past(100, 0.5, 0.1));
            race.remember(1, second);
            race.drop_forgone(RULE);
            race.racing()
        };
        assert_eq!(left(past(100, 0.45, 0.1)), [0, 2]);
        assert_eq!(
            left(past(100, 0.46, 0.1)),
            [0, 1, 2],
            "three errors are 0.0426"
        );
        assert_eq!(left(past(16, 0.1, 0.0)), [0, 2]);
        assert_eq!(left(past(15, 0.1, 0.0)), [0, 1, 2], "too few");
        assert_eq!(left(past(100, 0.9, 0.0)), [1, 2]);
    }

    #[test]
    fn who_is_taken_out_stays_out() {
        let mut race = Race::new(3);
        race.drop(1);
        assert_eq!(race.racing(), [0, 2]);
        let mut same = Race::new(3);
        same.record(&[2, 0], &[0.25, 0.75]);
        assert_eq!(
            (same.samples(2), same.sum(2), same.samples(1)),
            (1, 0.25, 0)
        );
        same.record(&[2, 0], &[0.5, 0.5]);
        assert_eq!(same.lead(0, 2).unwrap().0, 0.25);
        assert_eq!(same.lead(2, 0).unwrap().0, -0.25);
    }
}
