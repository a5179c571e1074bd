//! Statistics of a match: means with their uncertainty, and distributions of times.
//!
//! [`Tally`] collects the results of one line-up block by block, and [`Summary`] is their printed form. [`Mean`],
//! `student` and `normal` are the statistics behind them, used by ratings too.

use super::line_up::LineUp;
use super::schedule::Block;
use serde::Serialize;

/// Mean and spread of a stream of numbers (Welford 1962). The sum of squared deviations is updated
/// directly: the difference of two large sums would lose its digits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    count: u64,
    mean: f64,
    /// The sum of (value − mean)² over all values.
    squares: f64,
}

impl Mean {
    pub fn push(&mut self, value: f64) {
        self.count += 1;
        // The mean moves by `(x − mean) / n`, and the squares grow by `(x − old mean)(x − new mean)`. After 1 and 3
        // (mean 2, squares 2) comes 5: the mean moves by 3 / 3 to 3, the squares grow by 3 · 2 to 8.
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    /// The number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean of the values, 0 if there are none.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard error of the mean; none from fewer than two numbers.
    pub fn standard_error(&self) -> Option<f64> {
        // The sample variance is `squares / (n − 1)`, the variance of the mean an `n`-th of it.
        (self.count > 1)
            .then(|| (self.squares / (self.count - 1) as f64 / self.count as f64).sqrt())
    }

    /// Half the width of the 95 % interval of the mean, by Student's distribution. None for fewer than two
    /// values, and if all are equal: the computed width of 0 would promise too much.
    pub fn margin(&self) -> Option<f64> {
        self.standard_error()
            .filter(|&error| error > 0.0)
            .map(|error| error * student(self.count - 1))
    }

    /// The margin of shares, values from 0 to 1: the greater of [`Mean::margin`] and that of [`wilson`], which holds near
    /// 0 and 1 too.
    ///
    /// If all `n` values are equal, other results may still be possible. The margin is then the share `p` of other
    /// results that would be absent from `n` blocks with a probability of 5 %: `(1 - p)^n = 0.05`, so
    /// `p = 1 - 0.05^(1/n)`, about `3 / n` (Hanley and Lippman-Hand 1983). For 1,000 equal blocks that is 0.3 %.
    ///
    /// None if it is a half or more, as from one block or from four equal ones: "87 ± 159 %" only says that more games
    /// are needed.
    pub fn margin_of_share(&self) -> Option<f64> {
        let error = self.standard_error()?;
        // The number of independent games with this error (Korn and Graubard 1998). For 19 blocks that were won and one
        // that was half won, p is 0.975, the error 0.025, and the number 39.
        let games = self.mean * (1.0 - self.mean) / error.powi(2);
        let margin = match games.is_finite() && games > 0.0 {
            true => {
                let z = student(self.count - 1);
                wilson(self.mean, games, z).max(z * error)
            }
            false => 1.0 - 0.05f64.powf(1.0 / self.count as f64),
        };
        Some(margin).filter(|&margin| margin < 0.5)
    }
}

impl FromIterator<f64> for Mean {
    fn from_iter<T: IntoIterator<Item = f64>>(values: T) -> Mean {
        let mut mean = Mean::default();
        values.into_iter().for_each(|value| mean.push(value));
        mean
    }
}

/// The distance of a share, 0 to 1, of a number of games from the farther end of its interval of `z` standard errors
/// (Wilson 1927). Near 0 and 1, `z` times the error itself promises too much: with 39 games of 40 and `z = 2.09` that
/// is 0.05, but the interval goes from 0.86 to 1.00.
pub fn wilson(share: f64, games: f64, z: f64) -> f64 {
    let part = z * z / games;
    let centre = (share + part / 2.0) / (1.0 + part);
    let half = (part * (share * (1.0 - share) + part / 4.0)).sqrt() / (1.0 + part);
    (centre - share).abs() + half
}

/// A mean of things that come in blocks, such as positions in games. Every thing counts the same, but only the blocks
/// are independent of each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blocks(Vec<[f64; 2]>);

impl Blocks {
    /// Adds a block: the sum of its values, and their number. A block without values does not count.
    pub fn push(&mut self, sum: f64, number: f64) {
        if number > 0.0 {
            self.0.push([sum, number]);
        }
    }

    /// The number of blocks.
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// The number of values.
    fn values(&self) -> f64 {
        self.0.iter().map(|block| block[1]).sum()
    }

    /// The mean of the values, 0 if there are none.
    pub fn mean(&self) -> f64 {
        self.0.iter().map(|block| block[0]).sum::<f64>() / self.values().max(1.0)
    }

    /// The mean is a ratio estimator, `R = Σ s / Σ n` over the blocks. Its error is that of the mean of the linearised
    /// values `R + (s − R n) / mean n` (Cochran 1977, section 6.4): blocks of many values weigh more. For example,
    /// blocks with 1 of 1 and 1 of 3 have R = 0.5 and the values 0.75 and 0.25.
    fn linearised(&self) -> Mean {
        let (mean, size) = (self.mean(), self.values() / self.0.len().max(1) as f64);
        let linearised = |[sum, number]: &[f64; 2]| mean + (sum - mean * number) / size;
        self.0.iter().map(linearised).collect()
    }

    /// As [`Mean::margin`], over the blocks.
    pub fn margin(&self) -> Option<f64> {
        self.linearised().margin()
    }

    /// As [`Mean::margin_of_share`], over the blocks.
    pub fn margin_of_share(&self) -> Option<f64> {
        self.linearised().margin_of_share()
    }
}

/// The 97.5 % quantile of the normal distribution: 95 % of it lie within ±1.96.
pub(super) const Z: f64 = 1.959_964;

/// The 97.5 % quantile of Student's distribution (Abramowitz and Stegun 26.7.5). The first two are
/// exact; from three degrees of freedom on it is within 1 %.
pub(super) fn student(freedom: u64) -> f64 {
    let v = freedom as f64;
    match freedom {
        1 => 12.706,
        2 => 4.303,
        _ => {
            // An expansion in `1 / v` around the normal quantile `z`:
            // `z + (z³ + z) / 4v + (5z⁵ + 16z³ + 3z) / 96v² + (3z⁷ + 19z⁵ + 17z³ − 15z) / 384v³`.
            let (z, z2) = (Z, Z * Z);
            z + z * (z2 + 1.0) / (4.0 * v)
                + z * ((5.0 * z2 + 16.0) * z2 + 3.0) / (96.0 * v * v)
                + z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / (384.0 * v * v * v)
        }
    }
}

/// The normal distribution function.
pub(super) fn normal(z: f64) -> f64 {
    let [_, tail] = engine::numerics::normal(z.abs());
    if z < 0.0 { tail } else { 1.0 - tail }
}

/// A histogram of durations in constant memory. Each range from a power of two to the next is divided into 16 classes
/// of equal width. A class is at most a sixteenth of its durations wide, so a quantile is known to about 6 %.
#[derive(Clone, Debug)]
pub struct Times {
    classes: Vec<u64>,
    count: u64,
    sum: u64,
    longest: u64,
}

impl Default for Times {
    fn default() -> Times {
        Times {
            classes: vec![0; 64 * 16],
            count: 0,
            sum: 0,
            longest: 0,
        }
    }
}

impl Times {
    /// Adds a duration in nanoseconds.
    pub fn push(&mut self, nanos: u64) {
        // The position of the highest bit selects a row of 16 classes, and the next four bits the class in it. Numbers
        // below 16 have a class each, in row 0. 1,000 has its highest bit at position 9 and 1,000 >> 5 = 31, so its
        // class is 5 · 16 + 31 = 111.
        let top = 63 - (nanos | 16).leading_zeros();
        let class = (top - 4) as usize * 16 + (nanos >> (top - 4)) as usize;
        self.classes[class] += 1;
        self.count += 1;
        // A record may say that an action took thousands of years.
        self.sum = self.sum.saturating_add(nanos);
        self.longest = self.longest.max(nanos);
    }

    /// The number of durations.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean duration, in nanoseconds; 0 if there are none.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// The longest duration, in nanoseconds.
    pub fn longest(&self) -> u64 {
        self.longest
    }

    /// The duration in nanoseconds that the given share of all does not exceed, rounded up to the
    /// end of its class.
    pub fn quantile(&self, share: f64) -> u64 {
        let wanted = (share * self.count as f64).ceil() as u64;
        let mut seen = 0;
        for (class, &count) in self.classes.iter().enumerate() {
            seen += count;
            if seen >= wanted.max(1) {
                // The inverse of `push`: the greatest number of the class. Class 111 has power 6
                // and part 15, and ends at 32 · 2⁵ − 1 = 1,023.
                let (power, part) = (class / 16, class % 16);
                let upper = match power {
                    0 => part as u64,
                    // The last class ends at 2⁶⁴ − 1: there the shift gives 0, and 0 − 1 wraps to that.
                    _ => ((16 + part as u64 + 1) << (power - 1)).wrapping_sub(1),
                };
                return upper.min(self.longest);
            }
        }
        self.longest
    }
}

/// The results of one program in a line-up.
#[derive(Clone, Debug)]
struct Score {
    program: usize,
    seats: usize,
    /// By block, the share of the games that any of the program's seats won.
    share: Mean,
    /// By block, the mean rank of the program's seats.
    rank: Mean,
    /// The actions of all its seats.
    actions: u64,
    times: Times,
}

/// The running statistics of a line-up.
#[derive(Clone, Debug)]
pub struct Tally {
    scores: Vec<Score>,
    games: u64,
    /// The games that were stopped before their end.
    stopped: u64,
    /// By game, the actions of all players.
    actions: Mean,
    /// By seat, the sum of the shares of wins.
    seat_wins: Vec<f64>,
}

impl Tally {
    /// The statistics of a line-up before its first block.
    pub fn new(line_up: &LineUp) -> Tally {
        let score = |program| Score {
            program,
            seats: line_up.seats_of(program),
            share: Mean::default(),
            rank: Mean::default(),
            actions: 0,
            times: Times::default(),
        };
        Tally {
            scores: line_up.programs().into_iter().map(score).collect(),
            games: 0,
            stopped: 0,
            actions: Mean::default(),
            seat_wins: vec![0.0; line_up.0.len()],
        }
    }

    /// Adds a block of the line-up.
    pub fn push(&mut self, block: &Block) {
        for (_, played) in block {
            self.games += 1;
            self.stopped += u64::from(played.stopped);
            let actions: usize = played.seats.iter().map(|s| s.nanos.len()).sum();
            self.actions.push(actions as f64);
            for (wins, seat) in self.seat_wins.iter_mut().zip(&played.seats) {
                *wins += seat.share;
            }
        }
        // Each block adds one value for each program. Games of a block share their deal, so only blocks are
        // independent, and only their means may enter a standard error.
        for score in &mut self.scores {
            let (mut share, mut rank) = (0.0, 0.0);
            for (scheduled, played) in block {
                for (_, seat) in scheduled
                    .seats
                    .iter()
                    .zip(&played.seats)
                    .filter(|&(&program, _)| program == score.program)
                {
                    share += seat.share;
                    rank += seat.rank;
                    score.actions += seat.nanos.len() as u64;
                    for &nanos in &seat.nanos {
                        score.times.push(nanos);
                    }
                }
            }
            // The share of a program is the sum over its seats, as only one of them can win; its rank is their mean.
            score.share.push(share / block.len() as f64);
            score.rank.push(rank / (block.len() * score.seats) as f64);
        }
    }

    /// The results so far, to be printed or stored. `labels` are the names of all programs of the match.
    pub fn summary(&self, labels: &[String]) -> Summary {
        let seats = self.seat_wins.len();
        let row = |score: &Score| Row {
            label: labels[score.program].clone(),
            seats: score.seats,
            share: score.share.mean(),
            margin: score.share.margin_of_share(),
            fair: score.seats as f64 / seats as f64,
            rank: score.rank.mean(),
            rank_margin: score.rank.margin(),
            actions: score.actions as f64 / (self.games.max(1) * score.seats as u64) as f64,
            mean_ms: score.times.mean() / 1e6,
            p99_ms: score.times.quantile(0.99) as f64 / 1e6,
            longest_ms: score.times.longest() as f64 / 1e6,
        };
        let games = self.games.max(1) as f64;
        Summary {
            games: self.games,
            blocks: self.scores.first().map_or(0, |s| s.share.count()),
            stopped: self.stopped,
            actions: self.actions.mean(),
            seat_wins: self.seat_wins.iter().map(|wins| wins / games).collect(),
            rows: self.scores.iter().map(row).collect(),
        }
    }
}

/// The result of a line-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    pub games: u64,
    pub blocks: u64,
    /// The games that were stopped before their end.
    pub stopped: u64,
    /// Actions a game, all players together.
    pub actions: f64,
    /// The share of the games won from each seat.
    pub seat_wins: Vec<f64>,
    pub rows: Vec<Row>,
}

/// The result of a program in a line-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub label: String,
    /// The seats it holds.
    pub seats: usize,
    /// The share of the games won by one of its seats.
    pub share: f64,
    /// Half the width of its 95 % interval, from the spread of the blocks; none from too few.
    pub margin: Option<f64>,
    /// The share if all players were equal.
    pub fair: f64,
    /// The mean rank of its seats.
    pub rank: f64,
    /// Half the width of its 95 % interval.
    pub rank_margin: Option<f64>,
    /// Actions a game and seat.
    pub actions: f64,
    /// The mean time of an action, in milliseconds.
    pub mean_ms: f64,
    /// The time that 99 % of the actions do not exceed, in milliseconds.
    pub p99_ms: f64,
    /// The longest time of an action, in milliseconds.
    pub longest_ms: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rng;
    use std::iter;

    #[test]
    fn mean_and_margin() {
        assert_eq!(Mean::default().margin(), None);
        let mean = Mean::from_iter([0.25, 0.75, 0.5, 0.5]);
        assert_eq!(mean.mean(), 0.5);
        let error = (0.125f64 / 3.0 / 4.0).sqrt();
        assert!((mean.standard_error().unwrap() - error).abs() < 1e-12);
        assert!((mean.margin().unwrap() / error - 3.182).abs() < 0.03);
        assert_eq!(mean.margin_of_share(), mean.margin());
        // One game of 40 was lost: from 0.858 to 0.996.
        let near: Mean = iter::repeat_n(1.0, 19).chain([0.5]).collect();
        let margin = near.margin_of_share().unwrap();
        assert!((margin - 0.117).abs() < 1e-3, "{margin}");
        // An interval as wide as all shares is none.
        let wide = Mean::from_iter([1.0, 0.75]);
        assert!(wide.margin().unwrap() > 1.5);
        assert_eq!(wide.margin_of_share(), None);
    }

    /// Blocks of one value each have the margin of the values; copies of a value in its block add nothing to it.
    #[test]
    fn only_blocks_are_independent() {
        let (mut mean, mut single, mut copied) = <(Mean, Blocks, Blocks)>::default();
        for value in [0.25, 0.75, 0.5, 0.5] {
            mean.push(value);
            single.push(value, 1.0);
            copied.push(3.0 * value, 3.0);
        }
        copied.push(0.0, 0.0);
        for blocks in [single, copied] {
            assert_eq!((blocks.count(), blocks.mean()), (4, 0.5));
            let (found, expected) = (blocks.margin().unwrap(), mean.margin().unwrap());
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!(
            (Blocks::default().mean(), Blocks::default().margin()),
            (0.0, None)
        );
    }

    /// Blocks that ended alike must not give "± 0".
    #[test]
    fn numbers_without_a_spread_are_not_sure() {
        let alike = |count: usize| {
            let mean: Mean = iter::repeat_n(1.0, count).collect();
            (mean.margin(), mean.margin_of_share())
        };
        assert_eq!(alike(1), (None, None));
        assert_eq!(alike(4), (None, None));
        let (spread, share) = alike(5);
        assert_eq!(spread, None);
        assert!((share.unwrap() - 0.451).abs() < 1e-3, "{share:?}");
        let share = alike(1000).1.unwrap();
        assert!((share - 0.003).abs() < 1e-4, "{share}");
    }

    /// At most one interval in twenty misses the true share, also near 1; without Wilson's it is one in eight.
    #[test]
    fn margins_of_shares_near_the_end_hold() {
        let mut random = rng::stream(1, 0);
        for (percent, blocks) in [(90, 20), (95, 50), (98, 200)] {
            let share = percent as f64 / 100.0;
            let missed = (0..2000).filter(|_| {
                let mut mean = Mean::default();
                for _ in 0..blocks {
                    let won = (0..2).filter(|_| rng::below(&mut random, 100) < percent);
                    mean.push(won.count() as f64 / 2.0);
                }
                (mean.mean() - share).abs() > mean.margin_of_share().unwrap()
            });
            let missed = missed.count();
            assert!(missed <= 100, "{percent} %: {missed} of 2000");
        }
    }

    #[test]
    fn students_quantiles() {
        for (freedom, quantile) in [
            (3, 3.182),
            (5, 2.571),
            (10, 2.228),
            (30, 2.042),
            (1000, 1.962),
        ] {
            assert!(
                (student(freedom) / quantile - 1.0).abs() < 0.01,
                "{freedom}"
            );
        }
    }

    #[test]
    fn normal_distribution() {
        for (z, chance) in [
            (0.0, 0.5),
            (1.0, 0.841_344_7),
            (1.959_964, 0.975),
            (-3.0, 0.001_349_9),
        ] {
            assert!((normal(z) - chance).abs() < 2e-7, "{z}: {}", normal(z));
        }
    }

    #[test]
    fn quantiles_of_times() {
        let mut times = Times::default();
        for nanos in 1..=100_000 {
            times.push(nanos);
        }
        assert_eq!(times.mean(), 50_000.5);
        for share in [0.01, 0.5, 0.99, 1.0] {
            let exact = share * 100_000.0;
            let found = times.quantile(share) as f64;
            assert!(found >= exact && found <= exact * 1.07, "{share}: {found}");
        }
        times.push(u64::MAX / 4);
        assert_eq!(times.quantile(1.0), u64::MAX / 4);
    }
}
