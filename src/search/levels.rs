//! The race over the candidates, on rollouts of several lengths.
//!
//! The value at the end of a rollout errs by what the evaluator does not know, which no number of worlds
//! averages out; the further ahead the end, the smaller that error and the larger the noise. So a rollout
//! is valued at several ends, its *levels*, and what each level adds to the one before is estimated
//! by itself (the telescoping sum of multilevel Monte Carlo; Giles 2008, "Multilevel Monte Carlo path
//! simulation"). What a level adds is zero but for the evaluator's error. Its mean is believed as far as
//! the samples outweigh that assumption: shrunk by N / (N + r) after N worlds, the posterior mean where
//! the noise of a world is √r times what such errors usually are. The posterior variance tells what is
//! still open, who may be dropped, and at which level another world tells most for its cost.

use super::tree::Edge;
use engine::racing::Rule;

/// Own turns after this one at whose ends a rollout is valued; the last level is the end of the game.
pub const TURNS: [u32; LEVELS - 1] = [1, 2, 3, 4, 6, 9];
/// The number of levels.
pub const LEVELS: usize = 7;
/// Own turns that a rollout to the end of the game takes, roughly.
const TURNS_TO_THE_END: u32 = 14;

/// The variance of what a level adds to a difference between two candidates on one world, as a multiple
/// of that of the first level.
const NOISE: [f64; LEVELS] = [1.0, 2.2, 2.9, 3.2, 5.8, 6.5, 3.0];

/// That variance over the square of the evaluator's error that the level shows, in worlds: as so many
/// worlds it counts that the evaluator is not known to err. For 2 players, 3, and more; the first of
/// each is about the expectimax over the own turn.
const DOUBT: [[f64; LEVELS]; 3] = [
    [6.0, 26.0, 100.0, 400.0, 1100.0, 2000.0, 4000.0],
    [6.0, 80.0, 400.0, 1200.0, 3000.0, 5000.0, 8000.0],
    [6.0, 190.0, 950.0, 3000.0, 6000.0, 8000.0, 10000.0],
];

/// The value of a rollout at each level that it reached.
pub type Values = [f32; LEVELS];

/// Candidates and what all rollouts so far have shown of them.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    candidates: Vec<Candidate>,
    /// Sums of squared differences of what each level adds, for each pair of candidates, row-major.
    pairs: Vec<[Pair; LEVELS]>,
    /// How many levels may be played.
    most: usize,
    doubt: [f64; LEVELS],
}

/// What is known of a candidate.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    racing: bool,
    /// Its value by expectimax.
    prior: f64,
    /// Rollouts of it in earlier searches of the turn.
    past: Past,
    /// Worlds on which each level was played, and the sums of what it added.
    worlds: [u32; LEVELS],
    sums: [f64; LEVELS],
    /// The sum of the squares of the first level's values.
    squares: f64,
}

/// What rollouts have come to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Past {
    pub samples: u32,
    /// The sum of their values.
    pub sum: f64,
    /// The sum of the squares.
    pub squares: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    worlds: u32,
    sum: f64,
    squares: f64,
}

impl Levels {
    /// All candidates with what the tree knows of them, before the first rollout.
    pub fn new(edges: &[Edge], players: usize, most: usize) -> Levels {
        let candidates: Vec<Candidate> = edges
            .iter()
            .map(|edge| Candidate {
                racing: true,
                prior: f64::from(edge.value),
                past: Past {
                    samples: edge.visits,
                    sum: edge.sum,
                    squares: edge.squares,
                },
                worlds: [0; LEVELS],
                sums: [0.0; LEVELS],
                squares: 0.0,
            })
            .collect();
        Levels {
            pairs: vec![Default::default(); candidates.len() * candidates.len()],
            candidates,
            most: most.clamp(1, LEVELS),
            doubt: DOUBT[players.clamp(2, 4) - 2],
        }
    }

    /// So many opponents are expected not to play as the evaluator takes for granted: it may err more.
    pub fn expect_strangers(&mut self, count: f64) {
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

    /// Books the values of some candidates on one world at so many levels, in the order of `candidates`.
    pub fn record(&mut self, candidates: &[usize], levels: usize, values: &[Values]) {
        let added = |values: &Values, level: usize| {
            let before = if level == 0 { 0.0 } else { values[level - 1] };
            f64::from(values[level]) - f64::from(before)
        };
        let width = self.candidates.len();
        for (&a, values_of_a) in candidates.iter().zip(values) {
            let candidate = &mut self.candidates[a];
            candidate.squares += f64::from(values_of_a[0]).powi(2);
            for level in 0..levels {
                candidate.worlds[level] += 1;
                candidate.sums[level] += added(values_of_a, level);
            }
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

    /// A candidate's chance to win.
    pub fn chance(&self, candidate: usize) -> f64 {
        let Candidate {
            prior,
            past,
            worlds,
            sums,
            ..
        } = self.candidates[candidate];
        let trials = f64::from(past.samples) + f64::from(worlds[0]);
        let first = (prior * self.doubt[0] + past.sum + sums[0]) / (self.doubt[0] + trials);
        let further =
            (1..LEVELS).map(|level| sums[level] / (f64::from(worlds[level]) + self.doubt[level]));
        (first + further.sum::<f64>()).clamp(0.0, 1.0)
    }

    /// How far the value at each level is believed, relative to the one before, for a value of a single
    /// rollout.
    pub fn trust(&self, candidate: usize) -> [f64; LEVELS] {
        let worlds = &self.candidates[candidate].worlds;
        std::array::from_fn(|level| match level {
            0 => 1.0,
            _ => f64::from(worlds[level]) / (f64::from(worlds[level]) + self.doubt[level]),
        })
    }

    /// How much better one candidate is than another on the worlds on which both were tried, and the
    /// standard deviation of what is still unknown of it; none before the second such world.
    fn lead(&self, one: usize, other: usize) -> Option<(f64, f64)> {
        let pairs = &self.pairs[one * self.candidates.len() + other];
        let scale = pairs[0].variance()?;
        let lead = (1..LEVELS).fold(pairs[0].sum / f64::from(pairs[0].worlds), |lead, level| {
            lead + pairs[level].sum / (f64::from(pairs[level].worlds) + self.doubt[level])
        });
        let open = (0..LEVELS).map(|level| open(level, &pairs[level], scale, self.doubt[level]));
        Some((lead, open.sum::<f64>().sqrt()))
    }

    /// Drops the candidates that by the rule cannot matter any more. `leader` stays.
    pub fn drop_beaten(&mut self, leader: usize, rule: Rule) {
        for candidate in self.racing() {
            if candidate == leader || self.candidates[candidate].worlds[0] < rule.at_least {
                continue;
            }
            let Some((lead, error)) = self.lead(leader, candidate) else {
                continue;
            };
            if lead - rule.confidence * error > -rule.negligible {
                self.drop(candidate);
            }
        }
    }

    /// Keeps the best `keep` candidates.
    pub fn halve(&mut self, keep: usize) {
        let mut racing = self.racing();
        racing.sort_by(|&a, &b| self.chance(b).total_cmp(&self.chance(a)));
        for &i in racing.iter().skip(keep) {
            self.drop(i);
        }
    }

    /// The level up to which the next world is to be played: where it leaves least unknown for its cost.
    pub fn next(&self) -> usize {
        let leader = self.leader();
        let width = self.candidates.len();
        let others = self.racing().into_iter().filter(|&i| i != leader);
        let mut gains = [0.0; LEVELS];
        for other in others {
            let pairs = &self.pairs[leader * width + other];
            let scale = pairs[0].variance().unwrap_or(1.0);
            for (level, gain) in gains.iter_mut().enumerate() {
                let worlds = f64::from(pairs[level].worlds);
                *gain += open(level, &pairs[level], scale, self.doubt[level])
                    / (worlds + self.doubt[level]);
            }
        }
        let mut best = (1, f64::MIN);
        let mut gain = 0.0;
        for (level, added) in gains.into_iter().enumerate().take(self.most) {
            gain += added;
            let turns = TURNS.get(level).copied().unwrap_or(TURNS_TO_THE_END);
            let rate = gain / f64::from(1 + turns);
            if rate > best.1 {
                best = (level + 1, rate);
            }
        }
        best.0
    }

    /// The best candidate still in the race, the earlier one among equals; the first if there is none.
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

    /// The level that the longest rollouts have reached.
    pub fn longest(&self) -> usize {
        let reached = |level: &usize| self.candidates.iter().any(|c| c.worlds[*level] > 0);
        (0..LEVELS).filter(reached).count()
    }

    /// The standard error of a candidate's first level; none before the second.
    pub fn error(&self, candidate: usize) -> Option<f64> {
        let Candidate {
            worlds,
            sums,
            squares,
            ..
        } = self.candidates[candidate];
        let pair = Pair {
            worlds: worlds[0],
            sum: sums[0],
            squares,
        };
        Some((pair.variance()? / f64::from(pair.worlds)).sqrt())
    }

    /// How much less a candidate is worth than the choice, and the standard error of that.
    pub fn behind(&self, chosen: usize, candidate: usize) -> (f64, Option<f64>) {
        // No prior here: two orders of the same actions differ by nothing at all on common worlds, and
        // after very few of them, while their expectimax values may differ.
        match self.lead(chosen, candidate) {
            Some((lead, error)) => (lead, Some(error)),
            None => {
                let value = |i: usize| self.candidates[i].prior;
                (value(chosen) - value(candidate), None)
            }
        }
    }

    /// What all rollouts add to what is known of a candidate, as so many trials of its value.
    pub fn gained(&self, candidate: usize) -> Past {
        let samples = self.candidates[candidate].worlds[0];
        let Candidate { sums, squares, .. } = self.candidates[candidate];
        Past {
            samples,
            sum: sums[0],
            squares,
        }
    }
}

impl Pair {
    /// The variance of a difference on one world; none before the second.
    fn variance(&self) -> Option<f64> {
        if self.worlds < 2 {
            return None;
        }
        let count = f64::from(self.worlds);
        let rest = self.squares - self.sum * self.sum / count;
        Some((rest / (count - 1.0)).max(0.0))
    }
}

/// The posterior variance of what a level adds to a difference whose first level has the variance `scale`.
fn open(level: usize, pair: &Pair, scale: f64, doubt: f64) -> f64 {
    let usual = NOISE[level] * scale;
    // Few worlds say little of the noise: the usual one counts as eight of them.
    let noise = match pair.variance() {
        Some(seen) => {
            let worlds = f64::from(pair.worlds);
            (8.0 * usual + worlds * seen) / (8.0 + worlds)
        }
        None => usual,
    };
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

    /// Two candidates on so many worlds, played to the end: by each level the first is better by its entry,
    /// with a noise of 0.1 either way.
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

    /// At the end of the next own turn the first looks better by 0.1, a turn later by nothing. That is
    /// believed by half after as many worlds as the doubt.
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

    /// The more is known of the early levels, the further the next rollout goes, to the end at last.
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

    /// A lead that the evaluator's error may explain drops nobody; one beyond it does, and so does a
    /// candidate that is the same.
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

    #[test]
    fn halving_keeps_the_best() {
        let mut levels = levels(&[0.2, 0.5, 0.3, 0.4]);
        levels.halve(2);
        assert_eq!(levels.racing(), [1, 3]);
        levels.halve(1);
        assert_eq!((levels.racing(), levels.leader()), (vec![1], 1));
    }
}
