//! The race over the candidates, on rollouts of several lengths. The search books each round of rollouts here, and
//! asks for the leader, for candidates to drop, and for the length of the next rollouts.
//!
//! A rollout ends with the evaluator's estimate, whose error does not average out over worlds. This error is smaller
//! for a rollout that ends further ahead, but such a rollout has more noise. So a rollout is valued at several ends,
//! its *levels*. Let v₀, v₁, … be these values:
//!
//! ```text
//! value = E[v₀] + E[v₁ − v₀] + E[v₂ − v₁] + …
//! ```
//!
//! Each term is estimated by itself (the telescoping sum of multilevel Monte Carlo; Giles 2008, "Multilevel
//! Monte Carlo path simulation"), as early levels get more worlds than late ones: every world reaches level
//! 0, and few are played to the end of the game.
//!
//! **Shrinkage.** If the evaluator made no errors, every term after the first would be 0. So a term δ has the
//! prior N(0, τ²), where τ is the usual size of the errors that the level reveals. Each world gives a sample of δ
//! with a noise of variance σ². After N worlds with the sum S, with r = σ² / τ² (the level's *doubt*):
//!
//! ```text
//! posterior mean     = S / (N + r)        the sample mean, shrunk by N / (N + r)
//! posterior variance = σ² / (N + r)
//! ```
//!
//! With two players level 1 has r = 26: if 26 worlds add 0.04 on average, 0.02 of it is believed.
//!
//! **Two decisions** follow from the posterior of the difference between two candidates. Its variance is the sum over
//! all levels; a level that was never played adds its prior τ². A candidate is dropped if the leader is ahead by a few
//! standard deviations of this difference. And the next world is played to the level where it removes most of the
//! variance for its cost.
//!
//! *Example.* Two players; at the first level the difference varies from world to world by 0.2 (σ² = 0.04). By the
//! tables below the other six levels have the priors τ = 0.058, 0.034, 0.018, 0.015, 0.011 and 0.005, together
//! √(Σ τ²) = 0.072. So while all worlds end at the first level, no number of them drops a candidate that is behind by
//! less than 3 · 0.072 = 0.22. Longer rollouts must first show that the evaluator's error is not that large.

use super::tree::Edge;
use engine::numerics::normal_loss;
use engine::racing::Rule;

/// A rollout is valued at the ends of these own turns, counted from 1 for the own turn after the present one. The last
/// level, the end of the game, is not in the list.
pub const TURNS: [u32; LEVELS - 1] = [1, 2, 3, 4, 6, 9];
/// The number of levels: those of [`TURNS`] and the end of the game.
pub const LEVELS: usize = 7;
/// Roughly the number of own turns that a rollout to the end of the game takes.
const TURNS_TO_THE_END: u32 = 14;

/// The usual noise σ² of each level. A level's term of the difference between two candidates varies from world to
/// world; this is its variance, as a multiple of the first level's. Measured (see "rollouts of several lengths" in
/// docs/measurements/cartagena-strength.md).
const NOISE: [f64; LEVELS] = [1.0, 2.2, 2.9, 3.2, 5.8, 6.5, 3.0];

/// The doubt r = σ² / τ² of each level, in worlds: after r worlds half of their mean is believed. The rows
/// are for 2 players, for 3, and for 4 to 6. They come from the same measurement: with more players the
/// evaluator errs less, so that more worlds are needed to believe in an error. The first column is the weight of
/// the expectimax against the first level.
const DOUBT: [[f64; LEVELS]; 3] = [
    [6.0, 26.0, 100.0, 400.0, 1100.0, 2000.0, 4000.0],
    [6.0, 80.0, 400.0, 1200.0, 3000.0, 5000.0, 8000.0],
    [6.0, 190.0, 950.0, 3000.0, 6000.0, 8000.0, 10000.0],
];

/// The value of a rollout at each level. Only the levels that it was played to are used.
pub type Values = [f32; LEVELS];

/// The candidates, and the sums of all rollouts so far.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    candidates: Vec<Candidate>,
    /// For each pair of candidates (one, other), in row `one`, the sums for each level: the level's term of `one` less
    /// its term of `other`, on the worlds where both were played.
    pairs: Vec<[Pair; LEVELS]>,
    /// The number of levels that may be played.
    most: usize,
    /// One row of [`DOUBT`].
    doubt: [f64; LEVELS],
}

/// A candidate's prior and the sums of its rollouts.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// Whether it is still in the race.
    racing: bool,
    /// Its value by expectimax.
    prior: f64,
    /// Rollouts of it in earlier searches of the turn. Each has one value: the levels mixed by the trust in
    /// them at that time.
    past: Past,
    /// For each level the number of worlds on which it was played, and the sum of its terms: of its value less the
    /// value of the level before.
    worlds: [u32; LEVELS],
    sums: [f64; LEVELS],
    /// For each level the sum of the squares of its terms.
    squares: [f64; LEVELS],
}

/// Some rollouts of a candidate: their number, and the sum of their values, from which the mean follows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Past {
    pub samples: u32,
    /// The sum of their values, which are chances to win.
    pub sum: f64,
}

/// The sums of a difference between two candidates over the worlds where both were played.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    worlds: u32,
    sum: f64,
    squares: f64,
}

impl Levels {
    /// A race before its first rollout. The prior of each candidate is its value by expectimax; rollouts of
    /// earlier searches count as well.
    pub fn new(edges: &[Edge], players: usize, most: usize) -> Levels {
        let candidates: Vec<Candidate> = edges
            .iter()
            .map(|edge| Candidate {
                racing: true,
                prior: f64::from(edge.value),
                past: Past {
                    samples: edge.visits,
                    sum: edge.sum,
                },
                worlds: [0; LEVELS],
                sums: [0.0; LEVELS],
                squares: [0.0; LEVELS],
            })
            .collect();
        Levels {
            pairs: vec![Default::default(); candidates.len() * candidates.len()],
            candidates,
            most: most.clamp(1, LEVELS),
            doubt: DOUBT[players.clamp(2, 4) - 2],
        }
    }

    /// Takes into account how many opponents probably play differently from what the evaluator assumes. From
    /// half of one on, its values are trusted less: among hoarders its errors were found to be about those with
    /// two players, the largest ones.
    pub fn expect_other_styles(&mut self, count: f64) {
        if count >= 0.5 {
            self.doubt = DOUBT[0];
        }
    }

    /// The candidates still in the race, in order.
    pub fn racing(&self) -> Vec<usize> {
        let all = 0..self.candidates.len();
        all.filter(|&i| self.candidates[i].racing).collect()
    }

    /// Takes a candidate out of the race.
    pub fn drop(&mut self, candidate: usize) {
        self.candidates[candidate].racing = false;
    }

    /// Adds the values of some candidates on one world that was played to the given number of levels. `values`
    /// are in the order of `candidates`.
    pub fn record(&mut self, candidates: &[usize], levels: usize, values: &[Values]) {
        // The terms of the telescoping sum: v₀, v₁ − v₀, v₂ − v₁, …
        let added = |values: &Values, level: usize| {
            let before = if level == 0 { 0.0 } else { values[level - 1] };
            f64::from(values[level]) - f64::from(before)
        };
        let width = self.candidates.len();
        for (&a, values_of_a) in candidates.iter().zip(values) {
            let candidate = &mut self.candidates[a];
            for level in 0..levels {
                let term = added(values_of_a, level);
                candidate.worlds[level] += 1;
                candidate.sums[level] += term;
                candidate.squares[level] += term * term;
            }
            // Candidates are compared by the sums of these differences and not by their own sums: on a common
            // world both have the same luck, and the variance of the difference is far smaller.
            for (&b, values_of_b) in candidates.iter().zip(values) {
                for level in 0..levels {
                    let difference = added(values_of_a, level) - added(values_of_b, level);
                    let pair = &mut self.pairs[a * width + b][level];
                    pair.worlds += 1;
                    pair.sum += difference;
                    pair.squares += difference * difference;
                }
            }
        }
    }

    /// A candidate's chance to win: the posterior mean.
    ///
    /// At the first level it is the mean of all values there and of the expectimax value, which has the weight of
    /// `doubt[0]` = 6 rollouts. Each further level adds the shrunk mean of its differences.
    ///
    /// A past rollout has one value, into which the levels that it reached were mixed already. So the further levels of
    /// this search are added to its own rollouts alone. For example, 1,000 past rollouts have the mean 0.6, and 1,000 new
    /// ones the mean 0.5 at the first level, to which the further levels add 0.1: the result is 0.6. This is not exact:
    /// past rollouts that reached few levels lack the correction of the others, and no candidate shared their worlds.
    pub fn chance(&self, candidate: usize) -> f64 {
        let Candidate {
            prior,
            past,
            worlds,
            sums,
            ..
        } = self.candidates[candidate];
        let new = self.doubt[0] + f64::from(worlds[0]);
        let further =
            (1..LEVELS).map(|level| sums[level] / (f64::from(worlds[level]) + self.doubt[level]));
        let of_new = prior * self.doubt[0] + sums[0] + new * further.sum::<f64>();
        let mean = (of_new + past.sum) / (new + f64::from(past.samples));
        mean.clamp(0.0, 1.0)
    }

    /// For each level the share of its difference that is believed: N / (N + r), and 1 for the first level. With
    /// these shares the levels of a single rollout are mixed into one value.
    pub fn trust(&self, candidate: usize) -> [f64; LEVELS] {
        let worlds = &self.candidates[candidate].worlds;
        std::array::from_fn(|level| match level {
            // The first level is not a difference, and so is not shrunk.
            0 => 1.0,
            _ => f64::from(worlds[level]) / (f64::from(worlds[level]) + self.doubt[level]),
        })
    }

    /// How much better one candidate is than another on the worlds where both were tried, and the posterior
    /// standard deviation of that over all levels; none before the second such world.
    fn lead(&self, one: usize, other: usize) -> Option<(f64, f64)> {
        let pairs = &self.pairs[one * self.candidates.len() + other];
        let scale = pairs[0].variance()?;
        // The plain mean at the first level: see `behind` for why the expectimax has no part in it.
        // Each further level adds its shrunk mean: nothing if it was never played.
        let lead = (1..LEVELS).fold(pairs[0].sum / f64::from(pairs[0].worlds), |lead, level| {
            lead + pairs[level].sum / (f64::from(pairs[level].worlds) + self.doubt[level])
        });
        // The terms of different levels are taken as independent, so that their variances add up.
        let open = (0..LEVELS).map(|level| open(level, &pairs[level], scale, self.doubt[level]));
        Some((lead, open.sum::<f64>().sqrt()))
    }

    /// Drops each candidate that is not better than the leader by more than `rule.negligible` even if its
    /// difference is underestimated by `rule.confidence` standard deviations.
    ///
    /// Clearly worse candidates go, and also those that are as good as the leader: choosing between them
    /// gains nothing. Candidates on fewer than `rule.at_least` worlds stay, and so does `leader`.
    pub fn drop_beaten(&mut self, leader: usize, rule: Rule) {
        for candidate in self.racing() {
            if candidate == leader || self.candidates[candidate].worlds[0] < rule.at_least {
                continue;
            }
            let Some((lead, error)) = self.lead(leader, candidate) else {
                continue;
            };
            // By the rule's 3 and 0.0005: with an error of 0.01 a lead of 0.03 is enough. With an error of 0.0001
            // a candidate goes even if it looks better by 0.0001.
            if lead - rule.confidence * error > -rule.negligible {
                self.drop(candidate);
            }
        }
    }

    /// Drops all but the best `keep` candidates of those in the race.
    pub fn halve(&mut self, keep: usize) {
        // By their chances, priors included: halving decides where comparisons have not.
        let mut racing = self.racing();
        racing.sort_by(|&a, &b| self.chance(b).total_cmp(&self.chance(a)));
        for &i in racing.iter().skip(keep) {
            self.drop(i);
        }
    }

    /// The number of levels to which the next world is to be played.
    ///
    /// A further world lowers a level's posterior variance σ² / (N + r) by about σ² / (N + r)², the derivative.
    /// A world that is played to a level gives a sample of that one and of all before, and costs about as many
    /// turns as it lasts. So the best level has the largest sum of these gains for its turns. In the beginning
    /// this is an early level. As N grows there, the gain of early levels falls with the square, and longer
    /// rollouts become worth their cost.
    ///
    /// *Example.* With two players and the usual noise the first 7 worlds end at the first level. Then it gains
    /// 1/(7 + 6)² for two turns, 0.0030 a turn, and both levels together gain 1/13² + 2.2/26² for three turns, 0.0031 a
    /// turn: the next world is played on to the second level. With four players that happens after 85 worlds.
    pub fn next(&self) -> usize {
        let leader = self.leader();
        let width = self.candidates.len();
        let others = self.racing().into_iter().filter(|&i| i != leader);
        // Only differences from the leader can change the decision.
        let mut gains = [0.0; LEVELS];
        for other in others {
            let pairs = &self.pairs[leader * width + other];
            // Before the variance is known any scale will do, as it multiplies the gains of all levels alike.
            let scale = pairs[0].variance().unwrap_or(1.0);
            for (level, gain) in gains.iter_mut().enumerate() {
                // σ² / (N + r)², as `open` is σ² / (N + r).
                let worlds = f64::from(pairs[level].worlds);
                *gain += open(level, &pairs[level], scale, self.doubt[level])
                    / (worlds + self.doubt[level]);
            }
        }
        // The gains are summed up to each level, as a rollout to a level passes all levels before it.
        let mut best = (1, f64::MIN);
        let mut gain = 0.0;
        for (level, added) in gains.into_iter().enumerate().take(self.most) {
            gain += added;
            // The rest of the present turn counts as one more.
            let turns = TURNS.get(level).copied().unwrap_or(TURNS_TO_THE_END);
            let rate = gain / f64::from(1 + turns);
            if rate > best.1 {
                best = (level + 1, rate);
            }
        }
        best.0
    }

    /// The gain expected of `ratio` times as many rollouts again, in chances to win; none before the candidates left
    /// have had `at_least` worlds.
    ///
    /// More rollouts gain something only if they change the choice. Let the leader be ahead of a candidate by d, and
    /// let more rollouts lower the posterior variance of this difference from s² to t². Seen from now, the next
    /// posterior mean is a normal variable with mean d, and its variance s² - t² is what these rollouts make known. If
    /// the candidate has become the better one, it is chosen. The mean gain by that is
    /// √(s² - t²) · ψ(d / √(s² - t²)) with the loss function ψ of [`normal_loss`] (the knowledge gradient; Frazier,
    /// Powell and Dayanik 2008, "A knowledge-gradient policy for sequential information collection").
    ///
    /// For example, a lead of 0.01 with a standard deviation of 0.01, half of whose variance goes away, promises
    /// 0.0071 · ψ(1.41) = 0.0003. The sum over all candidates is an upper bound: only one of them can be chosen.
    pub fn gain(&self, ratio: f64, at_least: u32) -> Option<f64> {
        let leader = self.leader();
        let mut gain = 0.0;
        for other in self.racing() {
            if other == leader {
                continue;
            }
            if self.candidates[other].worlds[0] < at_least {
                return None;
            }
            let (lead, _) = self.lead(leader, other)?;
            let known = self.about_to_be_known(leader, other, ratio)?.sqrt();
            // The leader by its prior or by earlier searches may be behind on the common worlds. The gain of the other
            // one is then the whole difference, and ψ of the same size: ψ(-z) = z + ψ(z).
            gain += (-lead).max(0.0);
            if known > 0.0 {
                gain += known * normal_loss(lead.abs() / known);
            }
        }
        Some(gain)
    }

    /// How much lower the posterior variance of the difference between two candidates becomes by `ratio` times as many
    /// rollouts again, all of them played to the level that lowers it most. None before the second common world.
    fn about_to_be_known(&self, one: usize, other: usize, ratio: f64) -> Option<f64> {
        let pairs = &self.pairs[one * self.candidates.len() + other];
        let scale = pairs[0].variance()?;
        let turns = |level: usize| f64::from(1 + TURNS.get(level).unwrap_or(&TURNS_TO_THE_END));
        // Each world passed all levels before its last one, so that the worlds of a level cost what it adds to the
        // level before.
        let mut cost = 0.0;
        for (level, pair) in pairs.iter().enumerate() {
            let before = level.checked_sub(1).map_or(0.0, turns);
            cost += f64::from(pair.worlds) * (turns(level) - before);
        }
        let mut best: f64 = 0.0;
        for last in 0..self.most {
            let added = ratio * cost / turns(last);
            let lowered = (0..=last).map(|level| {
                let (open, doubt) = (
                    open(level, &pairs[level], scale, self.doubt[level]),
                    self.doubt[level],
                );
                // σ² / (N + r) - σ² / (N + n + r) = σ² / (N + r) · n / (N + n + r)
                open * added / (f64::from(pairs[level].worlds) + added + doubt)
            });
            best = best.max(lowered.sum());
        }
        Some(best)
    }

    /// The best candidate still in the race, the earlier one among equals; number 0 if none is left.
    pub fn leader(&self) -> usize {
        let mut best: Option<(usize, f64)> = None;
        for i in self.racing() {
            let chance = self.chance(i);
            if best.is_none_or(|(_, other)| chance > other) {
                best = Some((i, chance));
            }
        }
        best.map_or(0, |(i, _)| i)
    }

    /// The number of levels that the longest rollouts have reached.
    pub fn longest(&self) -> usize {
        let reached = |level: &usize| self.candidates.iter().any(|c| c.worlds[*level] > 0);
        (0..LEVELS).filter(reached).count()
    }

    /// The standard error of a candidate's chance by this search's rollouts; none before the second one.
    ///
    /// The mean of a level's N terms has the variance σ² / N, and is believed by N / (N + r): together they make
    /// σ² · N / (N + r)², with r = 0 at the first level. The longer levels are fewer and noisier, so that the error can be
    /// twice or three times that of the first level alone.
    pub fn error(&self, candidate: usize) -> Option<f64> {
        let Candidate {
            worlds,
            sums,
            squares,
            ..
        } = self.candidates[candidate];
        let of = |level: usize| {
            let pair = Pair {
                worlds: worlds[level],
                sum: sums[level],
                squares: squares[level],
            };
            let count = f64::from(pair.worlds);
            let doubt = if level == 0 { 0.0 } else { self.doubt[level] };
            Some(pair.variance()? * count / (count + doubt).powi(2))
        };
        let first = of(0)?;
        let further: f64 = (1..LEVELS).filter_map(of).sum();
        Some((first + further).sqrt())
    }

    /// How much less a candidate is worth than the chosen one, and the standard error of that: on common
    /// worlds, or by expectimax and without an error where there are not yet two.
    pub fn behind(&self, chosen: usize, candidate: usize) -> (f64, Option<f64>) {
        // The expectimax is no prior here. Two orders of the same actions have the same value on every common
        // world, so that a few worlds settle it, while their expectimax values may differ.
        match self.lead(chosen, candidate) {
            Some((lead, error)) => (lead, Some(error)),
            None => {
                let value = |i: usize| self.candidates[i].prior;
                (value(chosen) - value(candidate), None)
            }
        }
    }

    /// The rollouts of a candidate in this search: their number, and the sum of their values at the first level.
    pub fn gained(&self, candidate: usize) -> Past {
        let samples = self.candidates[candidate].worlds[0];
        Past {
            samples,
            sum: self.candidates[candidate].sums[0],
        }
    }
}

impl Pair {
    /// The sample variance of the difference from world to world; none before the second world.
    fn variance(&self) -> Option<f64> {
        if self.worlds < 2 {
            return None;
        }
        // Σ (x − mean)² = Σ x² − (Σ x)² / N. Rounding can make it negative where all differences are equal.
        let count = f64::from(self.worlds);
        let rest = self.squares - self.sum * self.sum / count;
        Some((rest / (count - 1.0)).max(0.0))
    }
}

/// The posterior variance σ² / (N + r) of a level's term of the difference between two candidates. `scale` is
/// the variance of that difference at the first level.
fn open(level: usize, pair: &Pair, scale: f64, doubt: f64) -> f64 {
    let usual = NOISE[level] * scale;
    // The variance of a few worlds is unreliable: two equal values would say that there is no noise at all. So
    // the usual noise is averaged in with the weight of eight worlds, a number that was not tuned.
    let noise = match pair.variance() {
        Some(seen) => {
            let worlds = f64::from(pair.worlds);
            (8.0 * usual + worlds * seen) / (8.0 + worlds)
        }
        None => usual,
    };
    // Before the first world this is σ² / r = τ², the variance of the prior.
    noise / (f64::from(pair.worlds) + doubt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Action;

    const RULE: Rule = Rule {
        confidence: 3.0,
        negligible: 0.0005,
        at_least: 8,
    };

    fn levels(values: &[f32]) -> Levels {
        let edge = |&value: &f32| Edge::new(Action::Retreat { from: 9, to: 3 }, value);
        let edges: Vec<Edge> = values.iter().map(edge).collect();
        Levels::new(&edges, 2, LEVELS)
    }

    /// Plays two candidates to the end on some worlds. At each level the first is better by the entry of
    /// `lead`, with a noise of 0.1 up or down.
    fn record(levels: &mut Levels, worlds: usize, lead: Values) {
        for world in 0..worlds {
            let noise = if world % 2 == 0 { 0.1 } else { -0.1 };
            let values = lead.map(|lead| 0.5 + lead + noise);
            levels.record(&[0, 1], LEVELS, &[values, [0.5; LEVELS]]);
        }
    }

    #[test]
    fn without_rollouts_a_candidate_is_worth_what_the_expectimax_says() {
        let levels = levels(&[0.6, 0.4]);
        assert!((levels.chance(0) - 0.6).abs() < 1e-6 && levels.leader() == 0);
        assert_eq!((levels.longest(), levels.error(0)), (0, None));
        assert!((levels.behind(0, 1).0 - 0.2).abs() < 1e-6 && levels.behind(0, 1).1.is_none());
    }

    /// Rollouts of an earlier search have all levels in their values, so the levels are not added to them again.
    #[test]
    fn past_rollouts_are_not_corrected_twice() {
        let mut edge = Edge::new(Action::Retreat { from: 9, to: 3 }, 0.5);
        (edge.visits, edge.sum) = (1_000_000, 600_000.0);
        let mut levels = Levels::new(&[edge, edge], 2, LEVELS);
        let mut lead = [0.1; LEVELS];
        lead[0] = 0.0;
        record(&mut levels, 1_000_000, lead);
        assert!(
            (levels.chance(0) - 0.6).abs() < 1e-4,
            "{}",
            levels.chance(0)
        );
    }

    /// The error of a chance has the noise of all levels. Here every level's term is 0.1 more or less at random, and
    /// after many worlds all of it is believed.
    #[test]
    fn the_error_is_that_of_all_levels() {
        let mut levels = levels(&[0.5, 0.5]);
        let worlds = 1 << 20;
        for world in 0..worlds {
            let mut value = 0.5;
            let values = std::array::from_fn(|level| {
                value += if world >> level & 1 == 0 { 0.1 } else { -0.1 };
                value
            });
            levels.record(&[0, 1], LEVELS, &[values, [0.5; LEVELS]]);
        }
        let expected = (LEVELS as f64 * 0.01 / f64::from(worlds)).sqrt();
        let error = levels.error(0).unwrap();
        assert!(
            (error / expected - 1.0).abs() < 0.02,
            "{error} for {expected}"
        );
    }

    /// At the first level one candidate is better by 0.1, at the next by nothing: the second level adds -0.1. Half
    /// of that counts once there are as many worlds as the doubt.
    #[test]
    fn what_a_level_adds_is_believed_with_the_worlds() {
        let mut levels = levels(&[0.5, 0.5]);
        let mut lead = [0.0; LEVELS];
        lead[0] = 0.1;
        let doubt = DOUBT[0][1] as usize;
        record(&mut levels, doubt, lead);
        let first = 0.1 * doubt as f64 / (doubt as f64 + DOUBT[0][0]);
        let expected = 0.5 + first - 0.05;
        assert!(
            (levels.chance(0) - expected).abs() < 1e-6,
            "{}",
            levels.chance(0)
        );
        assert!((levels.trust(0)[1] - 0.5).abs() < 1e-9);
        assert_eq!((levels.trust(0)[0], levels.longest()), (1.0, LEVELS));
        record(&mut levels, 100 * doubt, lead);
        assert!(levels.chance(0) < 0.502);
    }

    /// As the early levels become known the rollouts grow, and finally reach the end of the game.
    #[test]
    fn rollouts_grow() {
        let mut race = levels(&[0.5, 0.5]);
        let mut reached = race.next();
        assert!(reached < LEVELS);
        let mut noise = 0;
        for _ in 0..200_000 {
            let next = race.next();
            reached = reached.max(next);
            noise += 1;
            let sign = |bit: usize| if noise >> bit & 1 == 0 { 0.1 } else { -0.1 };
            let values: Values = std::array::from_fn(|level| 0.5 + sign(level) / 2.0);
            race.record(&[0, 1], next, &[values, [0.5; LEVELS]]);
            if reached == LEVELS {
                break;
            }
        }
        assert_eq!(reached, LEVELS);
        assert!(noise > 500, "and not before much is known: {noise}");
        let most = Levels { most: 2, ..race };
        assert!(most.next() <= 2);
    }

    /// A lead that the evaluator's error could explain drops no candidate. A larger lead drops the other one,
    /// and equal values drop a twin.
    #[test]
    fn who_is_dropped() {
        let mut race = levels(&[0.5, 0.5]);
        for world in 0..10_000 {
            let noise = if world % 2 == 0 { 0.1 } else { -0.1 };
            let values = |lead: f32| {
                let mut values = [0.0; LEVELS];
                values[0] = 0.5 + lead + noise;
                [values, [0.5; LEVELS]]
            };
            race.record(&[0, 1], 1, &values(0.02));
        }
        race.drop_beaten(0, RULE);
        assert_eq!(race.racing(), [0, 1], "a fifth of the spread");
        let mut clear = levels(&[0.5, 0.5]);
        record(&mut clear, 200, [0.3; LEVELS]);
        clear.drop_beaten(0, RULE);
        assert_eq!(clear.racing(), [0]);
        assert!(clear.behind(0, 1).0 > 0.2);

        let mut twins = levels(&[0.5, 0.5]);
        for _ in 0..8 {
            twins.record(&[0, 1], 1, &[[0.4; LEVELS]; 2]);
        }
        twins.drop_beaten(0, RULE);
        assert_eq!(twins.racing(), [0]);
    }

    /// A lead of 0.01 on 36 worlds with a noise of 0.1 either way, whose variance is 36/35 · 0.01, and no level but the
    /// first: after 36 worlds more the posterior variance falls from σ² / 42 to σ² / 78, by 0.000113.
    #[test]
    fn the_gain_of_as_many_rollouts_again() {
        let mut race = levels(&[0.5, 0.5]);
        race.most = 1;
        for world in 0..36 {
            let noise = if world % 2 == 0 { 0.1 } else { -0.1 };
            race.record(&[0, 1], 1, &[[0.51 + noise; LEVELS], [0.5; LEVELS]]);
        }
        let known = (0.36 / 35.0 * (1.0 / 42.0 - 1.0 / 78.0_f64)).sqrt();
        let expected = known * normal_loss(0.01 / known);
        let gain = race.gain(1.0, 36).unwrap();
        assert!((gain / expected - 1.0).abs() < 1e-3, "{gain} {expected}");
        assert!((0.0009..0.0011).contains(&gain), "{gain}");
        // More rollouts gain more, none gain nothing, and a few worlds tell nothing.
        assert!(race.gain(2.0, 36).unwrap() > gain);
        assert_eq!(race.gain(0.0, 36), Some(0.0));
        assert_eq!(race.gain(1.0, 37), None);
        race.drop(1);
        assert_eq!(race.gain(1.0, 37), Some(0.0));
    }

    #[test]
    fn halving_keeps_the_best() {
        let mut levels = levels(&[0.2, 0.5, 0.3, 0.4]);
        levels.halve(2);
        assert_eq!(levels.racing(), [1, 3]);
        levels.halve(1);
        assert_eq!((levels.racing(), levels.leader()), (vec![1], 1));
    }
}
