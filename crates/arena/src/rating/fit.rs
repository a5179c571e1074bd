//! The Plackett-Luce model, fitted to counts of choices by Newton's method. `bootstrap` hands over the counts of
//! all games, and of each resample.
//!
//! With strengths `s`, the log likelihood is
//!
//! `L(s) = Σ_i wins_i s_i − Σ_sets count · ln Σ_(j in set) seats_j exp s_j + prior`:
//!
//! each choice that program `i` won contributes `s_i` less the logarithm of the total worth of the
//! seats that it was chosen from. `L` is concave, for `ln Σ exp` is convex; so any maximum is the
//! global one.
//!
//! Example: of 10,000 games between two programs the first wins 7,500. The fit has
//! `s_0 − s_1 ≈ ln 3`, which is 191 Elo points.

use super::games::{ChoiceSet, PARTS, Program};

/// The weight of the prior, in games: every program is assumed to have drawn this much of a game
/// against an average player, one of strength 0 before anchoring. Without it, a program that won or
/// lost everything would have an infinite strength. The more games a program has played, the less
/// the prior moves its strength.
pub const PRIOR_GAMES: f64 = 0.5;

/// Newton's method stops after a step shorter than this many logits: convergence is quadratic, so
/// the next step would be about its square.
const LAST_STEP: f64 = 1e-6;

/// A limit that no fit has reached. The likelihood is concave and no step lowers it.
const MAX_STEPS: usize = 200;

/// The different sets of seats that choices were made from, without their counts.
///
/// The counts are a separate vector, since each resample has another one. Its first `programs`
/// entries are the choices that each program won. The others follow the order of `sets`: how often
/// a choice was made from that set. All counts are in games.
#[derive(Clone, Debug)]
pub(super) struct Model {
    programs: usize,
    /// Each set as its programs, with the number of seats of each.
    sets: Vec<Vec<(usize, f64)>>,
}

/// Strengths that fit counts.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    /// In logits. The chance that one program finishes before another is the logistic function of
    /// the difference.
    pub(super) strengths: Vec<f64>,
    /// The negative second derivative of the log likelihood at the strengths, as its Cholesky
    /// factor. Its inverse is the covariance of the strengths under the model.
    information: Cholesky,
}

impl Model {
    /// Expects each set sorted by program, with at least two different programs.
    pub(super) fn new<'a>(programs: usize, sets: impl Iterator<Item = &'a ChoiceSet>) -> Model {
        // Seats of one program lie side by side in a sorted set; they count together.
        let members = |set: &ChoiceSet| {
            set.chunk_by(Program::eq)
                .map(|same| (usize::from(same[0]), same.len() as f64))
                .collect()
        };
        Model {
            programs,
            sets: sets.map(members).collect(),
        }
    }

    /// The strengths that maximise the penalised likelihood, by Newton's method from `guess`.
    pub(super) fn fit(&self, counts: &[f64], guess: &[f64]) -> Fit {
        let mut at = self.value(counts, guess.to_vec());
        for _ in 0..MAX_STEPS {
            // Newton: solve `information · step = gradient`.
            let information = Cholesky::new(at.information.clone(), self.programs);
            let step = information.solve(&at.gradient);
            let longest = step.iter().fold(0.0f64, |max, s| max.max(s.abs()));
            // Far from the maximum the quadratic approximation overshoots. So no strength moves by
            // more than 4 logits, and a step that lowers the likelihood is halved.
            let mut part = (4.0 / longest).min(1.0);
            let next = loop {
                let moved = at.strengths.iter().zip(&step);
                let next = self.value(counts, moved.map(|(x, s)| x + part * s).collect());
                if next.likelihood >= at.likelihood || longest * part < LAST_STEP {
                    break next;
                }
                part /= 2.0;
            };
            at = next;
            if longest * part < LAST_STEP {
                break;
            }
        }
        Fit {
            information: Cholesky::new(at.information, self.programs),
            strengths: at.strengths,
        }
    }

    /// By program, how much these counts and the prior tell about its strength: the negative second derivative of the
    /// log likelihood.
    pub(super) fn information(&self, counts: &[f64], strengths: &[f64]) -> Vec<f64> {
        let at = self.value(counts, strengths.to_vec());
        let diagonal = (0..self.programs).map(|i| at.information[i * self.programs + i]);
        diagonal.collect()
    }

    /// The log likelihood at these strengths, with its gradient and its negative second derivative.
    fn value(&self, counts: &[f64], strengths: Vec<f64>) -> Value {
        let n = self.programs;
        let (wins, sets) = counts.split_at(n);
        let weights: Vec<f64> = strengths.iter().map(|s| s.exp()).collect();
        let mut likelihood = 0.0;
        // `Σ wins_i s_i` is linear: its gradient is `wins`, its second derivative 0.
        let mut gradient = wins.to_vec();
        let mut information = vec![0.0; n * n];
        for (members, &count) in self.sets.iter().zip(sets) {
            // A resample need not contain every set.
            if count == 0.0 {
                continue;
            }
            let total: f64 = members.iter().map(|&(i, seats)| seats * weights[i]).sum();
            likelihood -= count * total.ln();
            for (k, &(i, seats)) in members.iter().enumerate() {
                // `p_i`, the chance that program `i` wins this choice. The derivative of `ln total`
                // by `s_i` is `p_i`, its second derivatives are `p_i (1 − p_i)` on the diagonal and
                // `−p_i p_j` elsewhere.
                let share = seats * weights[i] / total;
                gradient[i] -= count * share;
                information[i * n + i] += count * share;
                for &(j, others) in &members[..=k] {
                    information[i * n + j] -= count * share * (others * weights[j] / total);
                }
            }
        }
        for i in 0..n {
            // The prior, half a win and half a loss against strength 0:
            // `½ ln σ(s) + ½ ln σ(−s) = s / 2 − ln(1 + exp s)`.
            likelihood += wins[i] * strengths[i];
            let expected = weights[i] / (1.0 + weights[i]);
            likelihood += PRIOR_GAMES * (strengths[i] / 2.0 - weights[i].ln_1p());
            gradient[i] += PRIOR_GAMES * (0.5 - expected);
            information[i * n + i] += PRIOR_GAMES * expected * (1.0 - expected);
        }
        Value {
            strengths,
            likelihood,
            gradient,
            information,
        }
    }
}

/// The log likelihood and its derivatives at one point.
struct Value {
    strengths: Vec<f64>,
    likelihood: f64,
    gradient: Vec<f64>,
    /// The lower triangle of the negative second derivative, by rows.
    information: Vec<f64>,
}

impl Fit {
    /// The standard error of a program's strength minus the mean strength of `reference`, in
    /// logits, as the model gives it for independent games: the variance of a contrast `c` is
    /// `cᵀ information⁻¹ c`.
    pub(super) fn model_error(&self, program: usize, reference: &[usize]) -> f64 {
        let mut contrast = vec![0.0; self.strengths.len()];
        contrast[program] += 1.0;
        for &i in reference {
            contrast[i] -= 1.0 / reference.len() as f64;
        }
        let solved = self.information.solve(&contrast);
        let variance: f64 = contrast.iter().zip(&solved).map(|(c, s)| c * s).sum();
        variance.max(0.0).sqrt()
    }
}

/// The factor `L` of a positive definite matrix `L Lᵀ`, by rows.
#[derive(Clone, Debug)]
pub(super) struct Cholesky {
    factor: Vec<f64>,
    n: usize,
}

impl Cholesky {
    /// Factorises a symmetric matrix, given by rows; only its lower triangle is read.
    pub(super) fn new(mut matrix: Vec<f64>, n: usize) -> Cholesky {
        for j in 0..n {
            for i in j..n {
                let dot: f64 = (0..j).map(|k| matrix[i * n + k] * matrix[j * n + k]).sum();
                let rest = matrix[i * n + j] - dot;
                matrix[i * n + j] = if i == j {
                    // A prior, or connected programs, keep the matrix positive definite, up to rounding.
                    rest.max(1e-12).sqrt()
                } else {
                    rest / matrix[j * n + j]
                };
            }
        }
        Cholesky { factor: matrix, n }
    }

    /// The solution `x` of `L Lᵀ x = right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (l, n) = (&self.factor, self.n);
        let mut x = right.to_vec();
        // Forward substitution for `L y = right`, then back substitution for `Lᵀ x = y`.
        for i in 0..n {
            let dot: f64 = (0..i).map(|k| l[i * n + k] * x[k]).sum();
            x[i] = (x[i] - dot) / l[i * n + i];
        }
        for i in (0..n).rev() {
            let dot: f64 = (i + 1..n).map(|k| l[k * n + i] * x[k]).sum();
            x[i] = (x[i] - dot) / l[i * n + i];
        }
        x
    }
}

/// Converts parts of a game (see [`PARTS`]) to games.
pub(super) fn games(parts: u64) -> f64 {
    parts as f64 / PARTS as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(programs: &[Program]) -> ChoiceSet {
        programs.iter().copied().collect()
    }

    #[test]
    fn two_programs_meet_their_score() {
        let sets = [set(&[0, 1])];
        let model = Model::new(2, sets.iter());
        let fit = model.fit(&[7500.0, 2500.0, 10_000.0], &[0.0; 2]);
        let difference = fit.strengths[0] - fit.strengths[1];
        assert!((difference - 3f64.ln()).abs() < 1e-3, "{difference}");
        // The model's own error equals that of a binomial share.
        let error = fit.model_error(0, &[1]);
        let expected = (1.0 / (10_000.0 * 0.75 * 0.25f64)).sqrt();
        assert!((error / expected - 1.0).abs() < 1e-3, "{error}");
    }

    #[test]
    fn two_seats_count_twice() {
        // Program 0 has two seats against one of program 1, which wins a third of the games. So both are
        // equally strong.
        let sets = [set(&[0, 0, 1])];
        let model = Model::new(2, sets.iter());
        let fit = model.fit(&[200.0, 100.0, 300.0], &[1.0, -2.0]);
        assert!(fit.strengths.iter().all(|s| s.abs() < 1e-9), "{fit:?}");
    }

    #[test]
    fn the_gradient_vanishes_at_the_fit() {
        let sets = [set(&[0, 1]), set(&[0, 1, 2, 2]), set(&[1, 2])];
        let model = Model::new(3, sets.iter());
        let counts = [31.0, 22.5, 14.5, 20.0, 30.0, 18.0];
        let near = model.fit(&counts, &[0.0; 3]);
        let far = model.fit(&counts, &[9.0, -9.0, 9.0]);
        for (a, b) in near.strengths.iter().zip(&far.strengths) {
            assert!((a - b).abs() < 1e-9, "{near:?} {far:?}");
        }
        let value = model.value(&counts, near.strengths);
        assert!(value.gradient.iter().all(|g| g.abs() < 1e-8));
        // The derivatives are compared with differences.
        let at = |x: f64| model.value(&counts, vec![x, 0.2, -0.1]);
        let slope = (at(0.5 + 1e-5).likelihood - at(0.5 - 1e-5).likelihood) / 2e-5;
        assert!((at(0.5).gradient[0] - slope).abs() < 1e-6);
        let bend = (at(0.5 - 1e-5).gradient[0] - at(0.5 + 1e-5).gradient[0]) / 2e-5;
        assert!((at(0.5).information[0] - bend).abs() < 1e-6);
    }

    #[test]
    fn who_won_everything_stays_finite() {
        let sets = [set(&[0, 1])];
        let model = Model::new(2, sets.iter());
        let mut before = 0.0;
        for won in [1.0, 10.0, 1000.0, 1e6] {
            let fit = model.fit(&[won, 0.0, won], &[0.0; 2]);
            let difference = fit.strengths[0] - fit.strengths[1];
            assert!(difference > before && difference < 40.0, "{fit:?}");
            before = difference;
        }
    }
}
