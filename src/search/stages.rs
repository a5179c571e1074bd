//! The race over the candidates, in stages with ever longer rollouts.
//!
//! The evaluator's error at the end of a rollout is not averaged out by more worlds. A short horizon
//! soon tells which candidates are far behind; the others are compared anew from further ahead, where the
//! error matters less and a rollout costs more (successive halving with growing resources; Jamieson and
//! Talwalkar 2016, "Non-stochastic best arm identification and hyperparameter optimization").
//!
//! The error of a difference between two candidates is taken to be a share of the standard deviation of
//! that difference ([`Rule::bias`]), divided by the horizon. A stage has done its work when its noise is no
//! larger than that, and what it found then counts as many trials in the next.

use super::rollout::PRIOR_TRIALS;
use super::tree::Edge;
use engine::racing::{Past, Race, Rule};

/// Candidates and what all stages so far have shown of them.
#[derive(Clone, Debug)]
pub(super) struct Stages {
    /// The last one is under way. Never empty.
    stages: Vec<Stage>,
}

/// Rollouts of one length.
#[derive(Clone, Debug)]
struct Stage {
    /// Own turns after this one.
    horizon: u32,
    race: Race,
    /// What was known of each candidate before.
    priors: Vec<Prior>,
    /// Worlds so far.
    worlds: u64,
    /// The part of the search's budget that was used when it began.
    began: f64,
}

/// What is known of a candidate.
#[derive(Clone, Copy, Debug)]
struct Prior {
    value: f64,
    /// As how many trials that counts.
    weight: f64,
    past: Past,
}

impl Stages {
    /// All candidates with what the tree knows of them, before the first rollout.
    pub fn new(edges: &[Edge], horizon: u32, began: f64) -> Stages {
        let priors: Vec<Prior> = edges
            .iter()
            .map(|edge| Prior {
                value: f64::from(edge.value),
                weight: PRIOR_TRIALS,
                past: Past {
                    samples: edge.visits,
                    sum: edge.sum,
                    squares: edge.squares,
                },
            })
            .collect();
        let mut race = Race::new(edges.len());
        for (i, prior) in priors.iter().enumerate() {
            race.remember(i, prior.past);
        }
        Stages {
            stages: vec![Stage {
                horizon,
                race,
                priors,
                worlds: 0,
                began,
            }],
        }
    }

    fn stage(&self) -> &Stage {
        &self.stages[self.stages.len() - 1]
    }

    fn stage_mut(&mut self) -> &mut Stage {
        let last = self.stages.len() - 1;
        &mut self.stages[last]
    }

    /// Own turns that a rollout plays now.
    pub fn horizon(&self) -> u32 {
        self.stage().horizon
    }

    /// The candidates still in the race, in order.
    pub fn racing(&self) -> Vec<usize> {
        self.stage().race.racing()
    }

    /// Takes a candidate out of the race.
    pub fn drop(&mut self, candidate: usize) {
        self.stage_mut().race.drop(candidate);
    }

    /// Drops those that by what is remembered alone cannot matter.
    pub fn drop_forgone(&mut self, rule: Rule) {
        self.stage_mut().race.drop_forgone(rule);
    }

    /// Drops those that by the rule cannot matter any more. Its bias is that of the first horizon.
    pub fn drop_beaten(&mut self, leader: usize, rule: Rule) {
        let bias = rule.bias / f64::from(self.horizon());
        let rule = Rule { bias, ..rule };
        self.stage_mut().race.drop_beaten(leader, rule);
    }

    /// Keeps the best `keep` candidates.
    pub fn halve(&mut self, keep: usize) {
        let mut racing = self.racing();
        racing.sort_by(|&a, &b| self.chance(b).total_cmp(&self.chance(a)));
        for &i in racing.iter().skip(keep) {
            self.drop(i);
        }
    }

    /// Books the values of some candidates on one world, in the order of `candidates`.
    pub fn record(&mut self, candidates: &[usize], values: &[f32]) {
        let stage = self.stage_mut();
        stage.race.record(candidates, values);
        stage.worlds += 1;
    }

    /// Begins the next stage if this one has done its work and the rest of the budget, of which the part
    /// `now` is used, suffices for the next one.
    pub fn advance(&mut self, rule: Rule, now: f64) {
        let stage = self.stage();
        let next = next_horizon(stage.horizon);
        let per_turn =
            (now - stage.began) / (stage.worlds.max(1) * u64::from(stage.horizon)) as f64;
        let cost = per_turn * enough(next, rule) * f64::from(next);
        if (stage.worlds as f64) < enough(stage.horizon, rule) || now + cost > 1.0 {
            return;
        }
        let weight = enough(stage.horizon, rule);
        let racing = self.racing();
        let count = stage.priors.len();
        let mut race = Race::new(count);
        for i in (0..count).filter(|i| !racing.contains(i)) {
            race.drop(i);
        }
        let priors = (0..count).map(|i| Prior {
            value: self.chance(i),
            weight,
            past: Past::default(),
        });
        let next = Stage {
            horizon: next,
            race,
            priors: priors.collect(),
            worlds: 0,
            began: now,
        };
        self.stages.push(next);
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

    /// The last stage in which a candidate was rolled out; the first if it never was.
    fn last_of(&self, candidate: usize) -> &Stage {
        let sampled = |stage: &&Stage| stage.race.samples(candidate) > 0;
        let last = self.stages.iter().rev().find(sampled);
        last.unwrap_or(&self.stages[0])
    }

    /// A candidate's chance by the longest rollouts it had, with what was known before as a prior.
    pub fn chance(&self, candidate: usize) -> f64 {
        let stage = self.last_of(candidate);
        let Prior {
            value,
            weight,
            past,
        } = stage.priors[candidate];
        let trials = f64::from(past.samples) + f64::from(stage.race.samples(candidate));
        let sum = past.sum + stage.race.sum(candidate);
        (value * weight + sum) / (weight + trials)
    }

    /// The standard error of a candidate's longest rollouts; none before the second.
    pub fn error(&self, candidate: usize) -> Option<f64> {
        let mean = self.last_of(candidate).race.mean(candidate);
        mean.map(|(_, error)| error)
    }

    /// How much less a candidate is worth than the choice, and the standard error of that.
    pub fn behind(&self, chosen: usize, candidate: usize) -> (f64, Option<f64>) {
        // No prior here: two orders of the same actions differ by nothing at all on common worlds, and
        // after very few of them, while their expectimax values may differ.
        match self.last_of(candidate).race.lead(chosen, candidate) {
            Some((lead, error)) => (lead, Some(error)),
            None => {
                let value = |i: usize| self.stages[0].priors[i].value;
                (value(chosen) - value(candidate), None)
            }
        }
    }

    /// What all stages add to what is known of a candidate.
    pub fn gained(&self, candidate: usize) -> Past {
        let mut sum = Past::default();
        for stage in &self.stages {
            sum.samples += stage.race.samples(candidate);
            sum.sum += stage.race.sum(candidate);
            sum.squares += stage.race.squares(candidate);
        }
        sum
    }
}

/// Worlds after which the noise is no larger than the evaluator's error.
fn enough(horizon: u32, rule: Rule) -> f64 {
    let bias = rule.bias / f64::from(horizon);
    1.0 / (bias * bias).max(1e-9)
}

/// Twice as far, then half as far again: 1, 2, 3, 4, 6, 9, 13, …
fn next_horizon(horizon: u32) -> u32 {
    horizon + (horizon / 2).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Action;

    const RULE: Rule = Rule {
        confidence: 4.0,
        bias: 0.5,
        negligible: 0.0005,
        at_least: 8,
    };

    fn stages(values: &[f32]) -> Stages {
        let edge = |&value: &f32| Edge::new(Action::Retreat { from: 9, to: 3 }, value);
        let edges: Vec<Edge> = values.iter().map(edge).collect();
        Stages::new(&edges, 1, 0.0)
    }

    /// Values of two candidates that differ by `lead` and a noise of 0.1 either way.
    fn record(stages: &mut Stages, worlds: usize, lead: f32) {
        for world in 0..worlds {
            let noise = if world % 2 == 0 { 0.1 } else { -0.1 };
            stages.record(&[0, 1], &[0.5 + lead + noise, 0.5]);
        }
    }

    #[test]
    fn a_stage_ends_when_it_is_as_sure_as_the_evaluator() {
        let mut stages = stages(&[0.5, 0.5]);
        record(&mut stages, 3, 0.0);
        stages.advance(RULE, 0.01);
        assert_eq!(stages.horizon(), 1, "(1 / 0.5)² worlds are enough");
        record(&mut stages, 1, 0.0);
        stages.advance(RULE, 0.02);
        assert_eq!(stages.horizon(), 2);
        record(&mut stages, 15, 0.0);
        stages.advance(RULE, 0.1);
        assert_eq!(stages.horizon(), 2, "(2 / 0.5)² worlds");
    }

    /// Four worlds took half of the budget: sixteen that are twice as long do not fit into the rest.
    #[test]
    fn a_stage_that_the_budget_does_not_suffice_for_is_not_begun() {
        let mut stages = stages(&[0.5, 0.5]);
        record(&mut stages, 40, 0.0);
        stages.advance(RULE, 0.6);
        assert_eq!(stages.horizon(), 1);
        stages.advance(RULE, 0.5);
        assert_eq!(stages.horizon(), 2);
    }

    /// What one stage found is where the next begins, and the next outweighs it.
    #[test]
    fn a_later_stage_corrects_an_earlier_one() {
        let mut stages = stages(&[0.4, 0.6]);
        assert_eq!(stages.leader(), 1);
        record(&mut stages, 100, 0.05);
        assert_eq!(stages.leader(), 0);
        let before = stages.chance(0);
        stages.advance(RULE, 0.1);
        assert_eq!(stages.chance(0), before, "nothing is known of it yet");
        record(&mut stages, 100, -0.05);
        assert_eq!(stages.leader(), 1);
        let (behind, error) = stages.behind(1, 0);
        assert!((behind - 0.05).abs() < 1e-6 && error.is_some_and(|error| error < 0.02));
        assert_eq!(stages.gained(0).samples, 200);
    }

    /// A lead that the evaluator's error may explain drops nobody; candidates that are the same go at once.
    #[test]
    fn who_is_dropped() {
        let mut stages = stages(&[0.5, 0.5]);
        record(&mut stages, 10_000, 0.04);
        stages.drop_beaten(0, RULE);
        assert_eq!(stages.racing(), [0, 1], "four tenths of the spread");
        record(&mut stages, 10_000, 0.2);
        stages.drop_beaten(0, RULE);
        assert_eq!(stages.racing(), [0]);
        assert!(stages.behind(0, 1).0 > 0.1);

        let mut same = stages_of_twins();
        same.drop_beaten(0, RULE);
        assert_eq!(same.racing(), [0]);
    }

    fn stages_of_twins() -> Stages {
        let mut twins = stages(&[0.5, 0.5]);
        for _ in 0..8 {
            twins.record(&[0, 1], &[0.4, 0.4]);
        }
        twins
    }

    #[test]
    fn halving_keeps_the_best() {
        let mut stages = stages(&[0.2, 0.5, 0.3, 0.4]);
        stages.halve(2);
        assert_eq!(stages.racing(), [1, 3]);
        stages.halve(1);
        assert_eq!((stages.racing(), stages.leader()), (vec![1], 1));
    }
}
